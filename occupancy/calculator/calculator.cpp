#include "occupancy/calculator/calculator.hpp"

#include <fmt/format.h>

#include "common/program/text_table.hpp"

namespace cudabook::occupancy {

namespace {

constexpr std::size_t shared_step = 1024;

template <class Change>
Curve curve(const CalculatedGpu& gpu, const std::string& over, std::size_t now,
            const std::vector<std::size_t>& at, Change change) {
    Curve found{over, now, {}};
    for (const std::size_t x : at) {
        const auto held = gpu.calculate(change(x));
        found.points.push_back({x, held ? held->percent() : 0});
    }
    return found;
}

std::vector<std::size_t> steps(std::size_t first, std::size_t last, std::size_t step) {
    std::vector<std::size_t> all;
    for (std::size_t x = first; x < last; x += step) all.push_back(x);
    all.push_back(last);
    return all;
}

}  // namespace

std::vector<Curve> curves(const CalculatedGpu& gpu, const KernelResources& shape) {
    std::vector<Curve> all;
    const auto size = [](int value) { return static_cast<std::size_t>(value); };
    const auto of_lanes = size(shape.lanes);
    all.push_back(curve(gpu, "threads", size(shape.threads),
                        steps(of_lanes, size(gpu.most_threads), of_lanes), [&](std::size_t x) {
                            KernelResources other = shape;
                            other.threads = static_cast<int>(x);
                            return other;
                        }));
    if (gpu.has_registers)
        all.push_back(curve(gpu, "registers", size(shape.registers), steps(1, 255, 1), [&](std::size_t x) {
            KernelResources other = shape;
            other.registers = static_cast<int>(x);
            return other;
        }));
    else
        all.push_back(curve(gpu, "lanes", of_lanes, {8, 16, 32}, [&](std::size_t x) {
            KernelResources other = shape;
            other.lanes = static_cast<int>(x);
            return other;
        }));
    all.push_back(curve(gpu, "shared bytes", shape.shared_bytes, steps(0, gpu.most_shared_bytes, shared_step),
                        [&](std::size_t x) {
                            KernelResources other = shape;
                            other.shared_bytes = x;
                            return other;
                        }));
    return all;
}

std::string answer_text(const CalculatedGpu& gpu, const KernelResources& shape, const Held& held) {
    const bool nvidia = gpu.has_registers;
    std::string text =
        fmt::format("{}: {} {} of {} {}\n", gpu.product, gpu.multiprocessors,
                    nvidia ? "multiprocessors" : "Xe-cores", held.most_warps, nvidia ? "warps" : "threads");
    text += nvidia ? fmt::format("block of {} threads, {} registers a thread, {} bytes of shared memory\n",
                                 shape.threads, shape.registers, shape.shared_bytes)
                   : fmt::format("group of {} work-items in sub-groups of {}, {} bytes of local memory\n",
                                 shape.threads, shape.lanes, shape.shared_bytes);
    if (held.blocks == 0) return text + fmt::format("cannot start: {}\n", held.limit);
    return text + fmt::format("{} {}, {} {}: occupancy {:.1f} %, limited by {}\n", held.blocks,
                              nvidia ? "blocks" : "groups", held.warps, nvidia ? "warps" : "threads",
                              held.percent(), held.limit);
}

std::string curves_text(const std::vector<Curve>& curves) {
    std::string text;
    for (const Curve& curve : curves) {
        TextTable table({curve.over, "occupancy, %", ""});
        for (std::size_t i = 0; i < curve.points.size();) {
            std::size_t last = i;
            while (last + 1 < curve.points.size() &&
                   curve.points[last + 1].percent == curve.points[i].percent)
                ++last;
            const std::size_t from = curve.points[i].at;
            const std::size_t to = curve.points[last].at;
            const bool here = curve.now >= from && curve.now <= to;
            table.add({from == to ? fmt::format("{}", from) : fmt::format("{} to {}", from, to),
                       fmt::format("{:.1f}", curve.points[i].percent), here ? "<" : ""});
            i = last + 1;
        }
        if (!text.empty()) text += '\n';
        text += table.text();
    }
    return text;
}

}  // namespace cudabook::occupancy
