// The interface through which the emulated GPU reports to a program that counts memory requests. Other
// programs have no counter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

// CUDABOOK_CALLER is where the enclosing function was called. In WebAssembly, code that web/kernels.py has
// prepared sets it before the call.
#ifdef __wasm__
extern "C" std::uintptr_t cudabook_place;
#define CUDABOOK_CALLER reinterpret_cast<const void*>(cudabook_place)
#else
#define CUDABOOK_CALLER __builtin_return_address(0)
#endif

namespace cudabook::emulation {

/// for_all: a thread waits for all other threads of its block or warp. for_some: it waits for some or none.
enum class Waits { for_all, for_some };

/// The data of a texture fetch that counting needs.
struct Fetch {
    std::uint64_t address = 0;  ///< the texel's address; 0 if there is none or it is unknown
    unsigned bytes = 0;         ///< the size of a texel
    unsigned texels = 1;        ///< how many texels are read: a power of 2
    bool one_dimension = false;
    bool is_near = false;  ///< the address is only near the texels, whose sectors are unknown
};

/// How threads synchronize.
enum class Synchronization { barrier, shuffle, tensor_core, other_of_warp, condition, none };

/// A launch of a kernel, as far as counting needs it.
struct CountedLaunch {
    const void* kernel;
    std::uint64_t blocks;
    unsigned threads;          ///< of a block
    std::size_t shared_bytes;  ///< of a block, static and dynamic
    std::size_t dynamic_shared_bytes;
};

/// The work of a launch whose time is predicted (emulator/predicting/work.hpp).
class LaunchWork;

/// The counter of an operating system's thread, for the block that runs there.
class Counter {
  public:
    /// Call this before this operating system's thread runs its share of a launch's blocks.
    /// `work` is what begin_launch() in Counting has returned.
    virtual void begin_launch(const void* kernel, LaunchWork* work) = 0;

    /// Returns false if nothing is counted for this block. Then begin_thread() must not be called.
    virtual bool begin_block(unsigned threads) = 0;

    /// A CUDA thread begins the kernel, or has returned from it.
    virtual void begin_thread(unsigned thread) = 0;
    virtual void end_thread() = 0;

    /// stop(): the running CUDA thread waits for others from now on. go_on(): this thread runs again.
    /// stop() returns the thread's number, or a negative number if no CUDA thread runs.
    virtual int stop(Waits waits) = 0;
    virtual void go_on(int thread, Waits waits) = 0;

    virtual void count_barrier() = 0;

    /// The running CUDA thread synchronizes at this place of its code.
    virtual void come_to(Synchronization where, const void* place) = 0;

    /// Call this when this operating system's thread has run its share of a launch's blocks.
    virtual void end_launch() = 0;

  protected:
    ~Counter() = default;
};

/// The functions that a program that counts provides. The program sets them before main().
struct Counting {
    Counter& (*of_this_thread)();

    /// The running CUDA thread fetches from a texture at this place of its code.
    void (*count_fetch)(const void* place, const Fetch& fetch);

    /// Call these before the first block of a launch begins, and when all blocks have ended.
    std::shared_ptr<LaunchWork> (*begin_launch)(const CountedLaunch& launch);
    /// Returns whether a block of the launch is to run, if no other block waits for it. `work`: what
    /// begin_launch() has returned, not null.
    bool (*runs)(const LaunchWork& work, std::uint64_t block);
    void (*end_launch)(LaunchWork* work);
};
inline constinit const Counting* counting = nullptr;

/// Returns the counter of this thread, or null.
inline Counter* counter_here() { return counting == nullptr ? nullptr : &counting->of_this_thread(); }

/// From the constructor to go_on(), the running CUDA thread waits for others, and nothing is counted for it.
/// There is no destructor, because a thread that fails while it waits does not go on (and because Asyncify
/// cannot suspend a function with an object that needs one: see context.hpp).
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
