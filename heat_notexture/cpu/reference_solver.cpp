#include "heat_notexture/cpu/reference_solver.hpp"

#include <cstddef>
#include <span>
#include <utility>

#include "common/program/fault.hpp"
#include "common/program/measurement.hpp"
#include "heat_notexture/cpu/row_kernels.hpp"

namespace cudabook::heat {

ReferenceSolver::ReferenceSolver(const Scene& scene, const SolverOptions& options)
    : width_(scene.width),
      height_(scene.height),
      speed_(options.speed),
      sources_(scene.sources_or_none()),
      now_(scene.start_or_cold()),
      next_(now_) {}

double ReferenceSolver::advance(int steps) {
    return wall_ms([&] {
        for (int i = 0; i < steps; ++i) {
            row_kernels().front().reference(next_.data(), now_.data(), sources_.data(), width_, height_,
                                            speed_);
            std::swap(now_, next_);
        }
    });
}

double ReferenceSolver::frame(int steps, Canvas canvas) {
    return advance(steps) + wall_ms([&] {
               const auto row = static_cast<std::size_t>(width_);
#pragma omp parallel for
               for (int y = 0; y < height_; ++y) {
                   const std::size_t first = static_cast<std::size_t>(y) * row;
                   row_kernels().front().draw(canvas.rgba + 4 * first, &now_[first], row);
               }
           });
}

std::vector<float> ReferenceSolver::temperatures() const {
    std::vector<float> cells = now_;
    flip_bit_if_asked("reference", std::span(cells));
    return cells;
}

void ReferenceSolver::read(const Region& region, float* cells) const {
    for_each_cell(region, width_, [&](std::size_t i) { *cells++ = now_[i]; });
}

void ReferenceSolver::write(const Region& region, const float* cells) {
    for_each_cell(region, width_, [&](std::size_t i) { now_[i] = *cells++; });
}

void ReferenceSolver::set_sources(const Region& region, const std::vector<float>& sources) {
    auto next = sources.begin();
    for_each_cell(region, width_, [&](std::size_t i) {
        sources_[i] = *next++;
        if (sources_[i] != 0) now_[i] = sources_[i];
    });
}

}  // namespace cudabook::heat
