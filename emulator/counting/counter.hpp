// The interface through which the emulated GPU tells a counter what CUDA threads do. Only programs that are
// built to count memory requests have a counter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

// CUDABOOK_CALLER tells from which place the enclosing function was called. It is the return address. In
// WebAssembly, it is a number: web/kernels.py inserts code that sets cudabook_place before each call.
#ifdef __wasm__
extern "C" std::uintptr_t cudabook_place;
#define CUDABOOK_CALLER reinterpret_cast<const void*>(cudabook_place)
#else
#define CUDABOOK_CALLER __builtin_return_address(0)
#endif

namespace cudabook::emulation {

/// How many other threads of its block or warp a thread waits for: all of them, or only some or none.
enum class Waits { for_all, for_some };

/// What the counter needs to know of a texture fetch.
struct Fetch {
    std::uint64_t address = 0;  ///< the texel's address; 0 if there is none or it is unknown
    unsigned bytes = 0;         ///< the size of a texel
    unsigned texels = 1;        ///< how many texels are read: a power of 2
    bool one_dimension = false;
    bool is_near = false;  ///< `address` is only near the texels; their own sectors are unknown
};

/// How threads synchronize.
enum class Synchronization { barrier, shuffle, tensor_core, other_of_warp, condition, none };

/// What the counter needs to know of a kernel's launch.
struct CountedLaunch {
    const void* kernel;
    std::uint64_t blocks;
    unsigned threads;          ///< per block
    std::size_t shared_bytes;  ///< per block, static and dynamic
    std::size_t dynamic_shared_bytes;
};

/// The work of a launch whose time is predicted (emulator/predicting/work.hpp).
class LaunchWork;

/// Counts for one thread of the operating system, which runs one block at a time.
class Counter {
  public:
    /// Call this before this operating system's thread runs its share of a launch's blocks.
    /// `work` is the result of Counting::begin_launch().
    virtual void begin_launch(const void* kernel, LaunchWork* work) = 0;

    /// Returns false if nothing is counted for this block. Then begin_thread() must not be called.
    virtual bool begin_block(unsigned threads) = 0;

    /// Call begin_thread() when a CUDA thread begins the kernel, and end_thread() when it has returned.
    virtual void begin_thread(unsigned thread) = 0;
    virtual void end_thread() = 0;

    /// Call stop() when the running CUDA thread begins to wait for other threads. It returns the thread's
    /// number, or a negative number if no CUDA thread runs. Call go_on() with this number when the thread
    /// runs again.
    virtual int stop(Waits waits) = 0;
    virtual void go_on(int thread, Waits waits) = 0;

    virtual void count_barrier() = 0;

    /// Call this when the running CUDA thread synchronizes. `place` is an address in its code.
    virtual void come_to(Synchronization where, const void* place) = 0;

    /// Call this when this operating system's thread has run its share of a launch's blocks.
    virtual void end_launch() = 0;

  protected:
    ~Counter() = default;
};

/// The functions of the counter. A program that counts sets `counting` to them before main().
struct Counting {
    Counter& (*of_this_thread)();

    /// Counts a texture fetch of the running CUDA thread. `place` is an address in the thread's code.
    void (*count_fetch)(const void* place, const Fetch& fetch);

    /// Call these before the first block of a launch begins, and when all blocks have ended.
    std::shared_ptr<LaunchWork> (*begin_launch)(const CountedLaunch& launch);
    /// Returns whether a block must run. If not, it may be left out, unless other blocks wait for it. `work`
    /// is the result of begin_launch(), and is not null.
    bool (*runs)(const LaunchWork& work, std::uint64_t block);
    void (*end_launch)(LaunchWork* work);
};
inline constinit const Counting* counting = nullptr;

/// Returns the counter of this thread, or null.
inline Counter* counter_here() { return counting == nullptr ? nullptr : &counting->of_this_thread(); }

/// From the constructor to go_on(), the running CUDA thread waits for others, and nothing is counted for it.
/// There is no destructor, because a thread that fails while it waits does not go on (and because Asyncify
/// cannot suspend a function with an object that needs a destructor: see context.hpp).
class CountingStopped {
  public:
    /// `place` is where the CUDA thread's code makes the call.
    CountingStopped(Waits waits, Synchronization where, const void* place)
        : counter_(counter_here()), waits_(waits) {
        if (counter_ == nullptr) return;
        counter_->come_to(where, place);
        thread_ = counter_->stop(waits);
    }
    explicit CountingStopped(Waits waits) : CountingStopped(waits, Synchronization::none, nullptr) {}
    void go_on() const {
        if (counter_ != nullptr) counter_->go_on(thread_, waits_);
    }
    CountingStopped(const CountingStopped&) = delete;
    CountingStopped& operator=(const CountingStopped&) = delete;

  private:
    Counter* counter_;
    Waits waits_;
    int thread_ = -1;
};

}  // namespace cudabook::emulation
