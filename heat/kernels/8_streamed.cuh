// heat_notexture's kernel `streamed`: rows stream through a block's warps. Here rows enter as texels of four
// cells. The texture unit delivers texels only to registers, so each of three warps fetches a row and writes
// it to the first ring buffer. A warp's next row is fetched while the warp waits for a free slot in the ring.
#pragma once

#include "heat_notexture/kernels/8_streamed.cuh"

struct FetchRows {
    cudaTextureObject_t texels;

    static constexpr int arrivals = 3 * 32;

    template <int columns>
    __device__ void enter(cudabook::heat::Rings<columns>& rings, cudabook::heat::StreamShare share, int r,
                          const unsigned* bits, bool has_sources) const {
        using namespace cudabook;
        using namespace cudabook::heat;
        const int lane = threadIdx.x;
        const bool brings_bits = has_sources && lane < source_words(32 * columns);
        float4 fours[columns / 4];
        unsigned word = 0;
        const auto fetch = [&](int x, int y) {
            const int first = static_cast<int>(share.offset(x, y) / 4) + lane;
            for (int i = 0; i < columns / 4; ++i) fours[i] = tex1Dfetch<float4>(texels, first + 32 * i);
            if (brings_bits) word = bits[share.first_bits(x, y) + lane];
        };
        Turn turn = first_turn(0);
        for (Stretch s; share.take(s);) {
            const int x = share.bands.begin(s.band);
            int y = share.first_to_enter(s) + r;
            fetch(x, y);
            for (int g = share.groups(s); g > 0; --g, turn.pass()) {
                ptx::wait(rings.empty[turn.slot], turn.parity ^ 1);
                for (int i = 0; i < columns / 4; ++i)
                    (&rings.rows[turn.slot][r][0][0])[lane + 32 * i] = fours[i];
                if (brings_bits) rings.sources[turn.slot][r][lane] = word;
                ptx::arrive(rings.full[turn.slot]);
                if (g > 1) fetch(x, y += 3);
            }
        }
    }
};
