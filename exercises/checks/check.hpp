// The common part of the checks of the exercises. A check includes the answer to an exercise, runs its
// kernels on some inputs, compares the results with the results of a plain loop, and prints which goals are
// missed. The check ends with one of the statuses below, which scripts/exercise.sh reads. Every check
// includes this header first, so the header includes little.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

#include "common/program/counts.hpp"

namespace cudabook::check {

/// The exit statuses of a check. No compiler, sanitizer or shell ends with 91 to 94, so these statuses show
/// that the check itself ran to its end.
/// - done: all results are right and all goals are reached.
/// - wrong: a result is wrong.
/// - too_much: the results are right, but a goal is missed.
/// - failed: a call of CUDA or a kernel has failed.
/// - no_machine: there is no GPU, or too little memory.
enum Status { done = 0, wrong = 91, too_much = 92, failed = 93, no_machine = 94 };

/// Ends the check without running destructors and std::atexit() functions. With CUDABOOK_TRACE set, these do
/// run, because they write the page of the trace.
[[noreturn]] inline void end(Status status) {
    std::fflush(nullptr);
    if (std::getenv("CUDABOOK_TRACE") != nullptr) std::exit(status);
    std::_Exit(status);
}

inline char tried[80] = "";  ///< the current input in words, which begins each message

/// Sets the text that begins all messages from now on: a description of the current input. The arguments are
/// those of std::printf().
template <class... Values>
void on(const char* format, Values... values) {
    std::snprintf(tried, sizeof tried - 2, format, values...);
    std::strcat(tried, ": ");
}

/// If `error` is an error, prints it and ends the check. `what` names the call of CUDA or the kernel.
inline void cuda(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::printf("%s%s failed: %s\n", tried, what, cudaGetErrorString(error));
    end(error == cudaErrorNoDevice || error == cudaErrorMemoryAllocation ? no_machine : failed);
}

/// Returns pseudo-random whole numbers from 0 to 99, the same in every run.
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

/// The number of unused bytes before each array and after it. A wrong answer may write there without damaging
/// the heap. Otherwise the check might crash or hang. With AddressSanitizer the number is 0, so that
/// AddressSanitizer reports such a write.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t room = 0;
#elif defined(__has_feature)
constexpr std::size_t room = __has_feature(address_sanitizer) ? 0 : 65536;
#else
constexpr std::size_t room = 65536;
#endif

/// An array on the device. It converts to a pointer, so it can be an argument of a kernel.
template <class T>
class Array {
  public:
    /// Makes an array of bytes 0xff, so that floats are NaN.
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

/// Returns whether this program counts what kernels ask of memory. Only then are goals checked.
inline bool counts() { return cudabook::counted_so_far != nullptr; }

/// Returns whether the time is asked for, by EXERCISE_TIME in the environment.
inline bool timed() { return std::getenv("EXERCISE_TIME") != nullptr; }

/// Calls launch(), which launches kernels, waits for the kernels, and returns their time in ms.
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

/// Calls launch(), which launches kernels, and waits for the kernels. Returns the sum of the kernels' counts,
/// or zeros if the program does not count. If timed(), calls launch() twice and prints the time of the second
/// call.
template <class Launch>
cudabook::Counts run(Launch launch) {
    if (counts()) cudabook::counted_so_far();
    if (timed()) {
        launch();  // a warm-up
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

/// The goal for the prediction of an exercise about speed.
struct Goal {
    const char* not_limited_by = nullptr;  ///< a resource, such as "latency"; null if there is no goal
    double ms = 1e9;                       ///< the most that may be predicted
};

/// Measures or predicts the answer's time on an input that fills a GPU, for exercises about speed. `size` is
/// the input in words. attempt(run) makes the data and calls run(launch), where launch() launches the kernel.
/// - On a real GPU, if timed(), prints the mean time of 20 launches.
/// - On the emulated GPU, if scripts/exercise.sh sets EXERCISE_PREDICT, prints the predicted time and what
///   limits the speed. Then ends the check, with too_much if the goal is missed. Results are not compared,
///   because most blocks do not run for a prediction.
/// - Otherwise does nothing.
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

/// If an element of `got` differs from `expected`, prints the first such element and ends the check. `width`
/// is the length of a row, or 0 if the array has no rows.
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

inline bool reached = true;  ///< whether all goals have been reached so far

/// If `counted` is more than `goal`, prints this and notes that a goal is missed. Does nothing if the program
/// does not count. `what` says what was counted, in the plural, such as "sectors that the loads take".
inline void at_most(std::uint64_t counted, std::uint64_t goal, const char* what) {
    if (!counts() || counted <= goal) return;
    std::printf("%s%llu %s; the goal is %llu\n", tried, static_cast<unsigned long long>(counted), what,
                static_cast<unsigned long long>(goal));
    reached = false;
}

/// Like at_most(), but for a count that is less than `goal`.
inline void at_least(std::uint64_t counted, std::uint64_t goal, const char* what) {
    if (!counts() || counted >= goal) return;
    std::printf("%s%llu %s; the goal is at least %llu\n", tried, static_cast<unsigned long long>(counted),
                what, static_cast<unsigned long long>(goal));
    reached = false;
}

[[noreturn]] inline void finish() { end(reached ? done : too_much); }

}  // namespace cudabook::check
