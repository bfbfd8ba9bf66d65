// Launches kernel `streamed`, of which mutants.txt has broken variants. heat_notexture launches it only for
// grids that are so large that a sanitizer takes minutes.
#include "tests/heat/formula.hpp"
#include "tests/heat/streamed_steps.cuh"

/// Returns whether the kernel gives the bits of the formula.
bool streams_right() {
    using namespace cudabook;
    for (const auto sources : {test::SourceShare::none, test::SourceShare::some}) {
        const test::StreamedCase c{384, 60, 7, 2};
        const heat::Scene scene = test::random_scene(c.width, c.height, test::ordinary, sources, 44);
        for (const auto through : {test::Through::memory, test::Through::textures})
            if (test::streamed_steps<12>(scene, c, through) != test::naive_steps(scene, 0.25F, c.steps))
                return false;
    }
    return true;
}
