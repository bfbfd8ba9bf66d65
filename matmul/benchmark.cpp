#include "matmul/benchmark.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace cudabook::matmul {

std::vector<GemmShape> benchmark_shapes(DeviceKind device) {
    if (device == DeviceKind::emulated) return {{128, 128, 128}, {256, 256, 256}};
    const bool on_cpu = device == DeviceKind::cpu;
    std::vector<GemmShape> shapes;
    for (std::size_t side = 256; side <= (on_cpu ? 2048U : 16384U); side *= 2)
        shapes.push_back({side, side, side});
    if (on_cpu)
        shapes.insert(shapes.end(), {{8192, 128, 1024}, {128, 8192, 1024}, {1023, 1025, 1027}});
    else
        shapes.insert(shapes.end(), {{65536, 256, 1024}, {256, 65536, 1024}, {4093, 4099, 4105}});
    std::ranges::stable_sort(shapes, {}, &GemmShape::flops);
    return shapes;
}

std::vector<std::string> Pace::leave_out_slow(const std::vector<Kernel>& kernels,
                                              std::vector<std::string> left_out, const GemmShape& shape,
                                              double budget_ms) const {
    std::vector<double> ms(kernels.size());
    for (std::size_t i = 0; i < ms.size(); ++i) {
        const auto pace = ms_per_flop_.find(kernels[i].name);
        if (left_out[i].empty() && pace != ms_per_flop_.end()) ms[i] = pace->second * shape.flops();
    }
    const std::vector<bool> fits = quickest_within(budget_ms / 5, ms);
    for (std::size_t i = 0; i < ms.size(); ++i)
        if (!fits[i]) left_out[i] = fmt::format("it would take {:.1f} s", ms[i] / 1000);
    return left_out;
}

void add_shares_of_peers(Row& row, const std::vector<Row>& rows, const std::vector<Kernel>& peers) {
    for (const Kernel& peer : peers) {
        if (peer.name != row.kernel.peer && peer.name != peers.back().name) continue;
        const std::string share = "percent_of_" + peer.name;
        const auto of_peer = std::ranges::find(rows, peer.name, [](const Row& r) { return r.kernel.name; });
        if (of_peer == rows.end()) continue;  // an interrupt came before the peer was run
        if (of_peer->time)
            row.result.figures[share] = 100 * of_peer->time->median / row.time->median;
        else
            row.result.figures[share] = "no " + peer.name;
    }
}

}  // namespace cudabook::matmul
