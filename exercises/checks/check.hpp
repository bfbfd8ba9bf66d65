// What the checks of the exercises have in common. A check includes the exercise's file, runs its kernels on
// some inputs, compares the results with what a plain loop gives, and says which goals are not reached. It
// ends with one of the statuses below, which scripts/exercise.sh knows. Included first, so that it is light.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

#include "common/program/counts.hpp"

namespace cudabook::check {

/// No compiler, sanitizer or shell ends with these, but with the first: whoever sees one knows that the check
/// came to its end.
enum Status { done = 0, wrong = 91, too_much = 92, failed = 93, no_machine = 94 };

/// Without what would run at the program's end, unless that writes the page of a trace.
[[noreturn]] inline void end(Status status) {
    std::fflush(nullptr);
    if (std::getenv("CUDABOOK_TRACE") != nullptr) std::exit(status);
    std::_Exit(status);
}

inline char tried[80] = "";  ///< what the answer is tried on

/// Says on what the answer is tried from here on, as std::printf: it stands before whatever else is said.
template <class... Values>
void on(const char* format, Values... values) {
    std::snprintf(tried, sizeof tried - 2, format, values...);
    std::strcat(tried, ": ");
}

/// Ends the check if a call of CUDA or a kernel has failed.
inline void cuda(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::printf("%s%s failed: %s\n", tried, what, cudaGetErrorString(error));
    end(error == cudaErrorNoDevice || error == cudaErrorMemoryAllocation ? no_machine : failed);
}

/// Numbers that differ from their neighbours, from 0 to 99.
template <class T = float>
std::vector<T> numbers(std::size_t count) {
    std::vector<T> all(count);
    std::uint32_t state = 1;
    for (T& number : all) {
        state = state * 1664525 + 1013904223;
        number = static_cast<T>((state >> 16U) % 100);
    }
    return all;
}

/// Bytes before and behind an array that belong to nobody: what a wrong answer writes there must not hit the
/// heap, or the check crashes or hangs. AddressSanitizer is to see it, so there are none for it.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t room = 0;
#elif defined(__has_feature)
constexpr std::size_t room = __has_feature(address_sanitizer) ? 0 : 65536;
#else
constexpr std::size_t room = 65536;
#endif

/// An array on the device; a kernel takes it as a pointer.
template <class T>
class Array {
  public:
    /// Every byte is 0xff: floats are NaN.
    explicit Array(std::size_t count) : count_(count) {
        cuda(cudaMalloc(reinterpret_cast<void**>(&bytes_), room + count * sizeof(T) + room), "cudaMalloc");
        data_ = reinterpret_cast<T*>(bytes_ + room);
        cuda(cudaMemset(data_, 0xff, count * sizeof(T)), "cudaMemset");
    }
    explicit Array(const std::vector<T>& values) : Array(values.size()) {
        cuda(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array() { cudaFree(bytes_); }

    operator T*() const { return data_; }  // NOLINT(google-explicit-constructor)
    [[nodiscard]] std::vector<T> values() const {
        std::vector<T> values(count_);
        cuda(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
        return values;
    }

  private:
    char* bytes_ = nullptr;
    T* data_ = nullptr;
    std::size_t count_;
};

/// Whether goals can be checked: what kernels ask of memory is counted.
inline bool counts() { return cudabook::counted_so_far != nullptr; }

/// Whether the time is asked for.
inline bool timed() { return std::getenv("EXERCISE_TIME") != nullptr; }

/// Calls what launches kernels, and returns how long they take.
template <class Launch>
float ms_of(Launch launch) {
    cudaEvent_t begin{};
    cudaEvent_t end{};
    cuda(cudaEventCreate(&begin), "cudaEventCreate");
    cuda(cudaEventCreate(&end), "cudaEventCreate");
    cuda(cudaEventRecord(begin), "cudaEventRecord");
    launch();
    cuda(cudaGetLastError(), "The launch");
    cuda(cudaEventRecord(end), "cudaEventRecord");
    cuda(cudaDeviceSynchronize(), "The kernel");
    float ms = 0;
    cuda(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return ms;
}

/// Calls what launches kernels, waits for them, and returns what they asked of memory together: nothing but 0
/// where that is not counted. Prints the time if it is asked for.
template <class Launch>
cudabook::Counts run(Launch launch) {
    if (counts()) cudabook::counted_so_far();
    if (timed()) {
        launch();  // once before, as always when something is timed
        std::printf("%.4f ms on this GPU\n", static_cast<double>(ms_of(launch)));
    } else {
        launch();
        cuda(cudaGetLastError(), "The launch");
        cuda(cudaDeviceSynchronize(), "The kernel");
    }
    cudabook::Counts sum;
    if (counts())
        for (const cudabook::KernelCounts& kernel : cudabook::counted_so_far()) sum += kernel.counts;
    return sum;
}

/// What the prediction for an exercise about speed may be.
struct Goal {
    const char* not_limited_by = nullptr;  ///< such as "latency"; null if there is no goal
    double ms = 1e9;                       ///< the most
};

/// For exercises about speed: how long the answer takes on so much data that it fills a GPU. `attempt` makes
/// the data and calls its argument with what launches the kernel. On a GPU, if the time is asked for, the
/// mean of some launches is printed. On the emulated GPU, if scripts/exercise.sh asks for it, prints the
/// predicted time and what limits it, and ends the check: the results are wrong, because most blocks do not
/// run.
template <class Attempt>
void speed(const char* size, Attempt attempt, const Goal& goal = {}) {
    if (timed() && !counts()) {
        attempt([size](auto launch) {
            constexpr int launches = 20;
            for (int i = 0; i < launches; ++i) launch();
            const float ms = ms_of([&] {
                for (int i = 0; i < launches; ++i) launch();
            });
            std::printf("%s: %.3g \xc2\xb5s on this GPU\n", size, 1000.0 * ms / launches);
        });
    } else if (counts() && std::getenv("EXERCISE_PREDICT") != nullptr) {
        const bool has_goal = goal.not_limited_by != nullptr;
        bool is_met = !has_goal;
        attempt([](auto launch) {
            launch();
            cuda(cudaGetLastError(), "The launch");
            cuda(cudaDeviceSynchronize(), "The kernel");
        });
        for (const cudabook::KernelCounts& kernel : cudabook::counted_so_far())
            for (const cudabook::KernelPrediction& one : kernel.predictions)
                if (!one.bounds.empty()) {
                    std::printf("On an H200, %s would take about %.3g \xc2\xb5s (predicted): %s\n", size,
                                1000 * one.ms, one.reason.c_str());
                    if (has_goal)
                        is_met = one.ms <= goal.ms && one.bounds.front().resource != goal.not_limited_by;
                }
        if (is_met) end(done);
        std::printf("The goal: at most %.0f \xc2\xb5s, and it is not limited by %s.\n", 1000 * goal.ms,
                    goal.not_limited_by);
        end(too_much);
    }
}

inline void print(float value) { std::printf("%.9g", static_cast<double>(value)); }
inline void print(int value) { std::printf("%d", value); }
inline void print(unsigned value) { std::printf("%u", value); }
inline void print(unsigned char value) { std::printf("%d", value); }

template <class T>
bool is_untouched(T value) {
    unsigned char untouched[sizeof(T)];
    std::memset(untouched, 0xff, sizeof(T));
    return sizeof(T) > 1 && std::memcmp(&value, untouched, sizeof(T)) == 0;
}

/// Ends the check at the first element that differs. `width`: of a row, if it is a grid of rows.
template <class T>
void equal(const char* name, const std::vector<T>& got, const std::vector<T>& expected,
           std::size_t width = 0) {
    std::size_t differ = 0;
    std::size_t first = 0;
    for (std::size_t i = expected.size(); i-- > 0;)
        if (std::memcmp(&got[i], &expected[i], sizeof(T)) != 0 && !(got[i] == expected[i])) {
            ++differ;
            first = i;
        }
    if (differ == 0) return;
    if (width > 0)
        std::printf("%s%s in row %zu, column %zu is ", tried, name, first / width, first % width);
    else
        std::printf("%s%s[%zu] is ", tried, name, first);
    if (is_untouched(got[first]))
        std::printf("what was there before: nobody wrote it");
    else
        print(got[first]);
    std::printf(", and should be ");
    print(expected[first]);
    std::printf("; %zu of %zu are wrong\n", differ, expected.size());
    end(wrong);
}

inline bool reached = true;  ///< all goals

/// Says so if more was counted than the goal. `what`: in the plural, such as "sectors that the loads take".
inline void at_most(std::uint64_t counted, std::uint64_t goal, const char* what) {
    if (!counts() || counted <= goal) return;
    std::printf("%s%llu %s; the goal is %llu\n", tried, static_cast<unsigned long long>(counted), what,
                static_cast<unsigned long long>(goal));
    reached = false;
}

/// Likewise if less was.
inline void at_least(std::uint64_t counted, std::uint64_t goal, const char* what) {
    if (!counts() || counted >= goal) return;
    std::printf("%s%llu %s; the goal is at least %llu\n", tried, static_cast<unsigned long long>(counted),
                what, static_cast<unsigned long long>(goal));
    reached = false;
}

[[noreturn]] inline void finish() { end(reached ? done : too_much); }

}  // namespace cudabook::check
