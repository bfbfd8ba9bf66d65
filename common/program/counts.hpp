// Counts of the memory accesses of kernels on an emulated GPU: see docs/emulation.md. A program counts if its
// device code is compiled for counting (cmake/emulation.cmake); the program then contains emulator/counting/.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/program/predictions.hpp"

namespace cudabook {

/// Returns number × times, rounded to the nearest integer.
inline std::uint64_t rounded_product(std::uint64_t number, double times) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(number) * times));
}

/// The memory accesses of one kind. All accesses that the lanes of a warp make by one instruction are one
/// request. A request is split into parts: sectors of 32 bytes, wavefronts of shared memory, or distinct
/// addresses of constant memory.
struct Traffic {
    std::uint64_t requests = 0;
    std::uint64_t accesses = 0;   ///< the accesses of all threads, each counted by itself
    std::uint64_t bytes = 0;      ///< the bytes that the threads access
    std::uint64_t parts = 0;      ///< the parts into which the requests are split
    std::uint64_t conflicts = 0;  ///< the additional wavefronts that bank conflicts cause

    Traffic& operator+=(const Traffic& more) {
        requests += more.requests;
        accesses += more.accesses;
        bytes += more.bytes;
        parts += more.parts;
        conflicts += more.conflicts;
        return *this;
    }

    /// Returns all counts multiplied by `times` and rounded to integers.
    [[nodiscard]] Traffic times(double times) const {
        return {rounded_product(requests, times), rounded_product(accesses, times),
                rounded_product(bytes, times), rounded_product(parts, times),
                rounded_product(conflicts, times)};
    }
};

struct Counts {
    Traffic global_load;
    Traffic global_store;
    Traffic global_atomic;
    Traffic shared_load;
    Traffic shared_store;
    Traffic shared_atomic;
    Traffic constant_load;
    Traffic surface_load;   ///< `parts` is the sum of the sectors of each group of 8 lanes
    Traffic surface_store;  ///< `parts` is the sum of the sectors of each group of 8 lanes
    std::uint64_t texture_requests = 0;
    std::uint64_t texture_fetches = 0;  ///< the fetches of all threads, each counted by itself
    std::uint64_t texels = 0;           ///< the texels that the fetches read
    std::uint64_t texture_bytes = 0;    ///< the bytes of these texels
    /// The texture unit processes groups of 8 or 4 lanes at a time. texture_tag_requests counts the groups,
    /// texture_sectors the sectors of 32 bytes that each group touches.
    std::uint64_t texture_tag_requests = 0;
    std::uint64_t texture_sectors = 0;
    std::uint64_t barriers = 0;  ///< each barrier once for each block
    std::uint64_t shuffles = 0;  ///< each shuffle once for each warp

    Counts& operator+=(const Counts& more) {
        for (const auto traffic : all_traffic()) this->*traffic += more.*traffic;
        for (const auto number : all_numbers()) this->*number += more.*number;
        return *this;
    }

    /// Returns all counts multiplied by `times` and rounded to integers.
    [[nodiscard]] Counts times(double times) const {
        Counts more;
        for (const auto traffic : all_traffic()) more.*traffic = (this->*traffic).times(times);
        for (const auto number : all_numbers()) more.*number = rounded_product(this->*number, times);
        return more;
    }

  private:
    static constexpr std::array<Traffic Counts::*, 9> all_traffic() {
        return {&Counts::global_load,   &Counts::global_store, &Counts::global_atomic,
                &Counts::shared_load,   &Counts::shared_store, &Counts::shared_atomic,
                &Counts::constant_load, &Counts::surface_load, &Counts::surface_store};
    }
    static constexpr std::array<std::uint64_t Counts::*, 8> all_numbers() {
        return {&Counts::texture_requests,
                &Counts::texture_fetches,
                &Counts::texels,
                &Counts::texture_bytes,
                &Counts::texture_tag_requests,
                &Counts::texture_sectors,
                &Counts::barriers,
                &Counts::shuffles};
    }
};

/// The counts of all launches of one kernel together.
struct KernelCounts {
    std::string kernel;
    std::uint64_t launches = 0;
    Counts counts;
    bool is_counted = true;  ///< false if `counts` covers only the blocks needed for a prediction
    bool all_ran = true;     ///< false if only the blocks needed for a prediction have run
    /// One prediction for each launch configuration; empty if no times are predicted.
    std::vector<KernelPrediction> predictions = {};
};

/// The amount of work behind a result: how many elements, and what an element is, such as "fma".
struct CountedWork {
    double elements;
    std::string element;
};

/// Returns the counts of the kernels launched since the last call, in the order of the kernels' first
/// launches. Stores the traces of these launches under the name `result`. Returns an empty list in a program
/// that does not count.
std::vector<KernelCounts> take_counts(const std::string& result = "");

/// Drops the counts and traces of the launches since the last call of take_counts().
void forget_counts();

/// The function that take_counts() calls. A program that counts sets the pointer before main().
using TakeCounts = std::vector<KernelCounts> (*)();
inline constinit TakeCounts counted_so_far = nullptr;

/// The figures of a kernel, for JSON: launches, global_load_requests, global_load_sectors, ...
Figures figures_of(const KernelCounts& kernel);

/// The counts of a result's kernels.
struct CountedResult {
    std::string name;
    std::vector<KernelCounts> kernels;
    std::optional<CountedWork> work;
};

/// Returns the counts as a table less than 100 characters wide. The column "per ELEMENT", such as "per fma",
/// has the accesses of all threads divided by CountedWork::elements.
std::string table_of(const std::vector<CountedResult>& results);

}  // namespace cudabook
