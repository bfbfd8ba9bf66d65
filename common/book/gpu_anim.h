// gpu_anim.h of CUDA by Example: an animation with frames in device memory. In a window, the frames go to
// OpenGL without passing through the host if the device and OpenGL can share memory. Written from scratch;
// display.hpp shows the frames.
#ifndef __GPU_ANIM_H__
#define __GPU_ANIM_H__

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdlib.h>

#include "bitmaps.h"

namespace cudabook::book {
class BitmapDisplay;
}

struct GPUAnimBitmap {
    int width, height;
    void* dataBlock;
    void (*fAnim)(uchar4*, void*, int);
    void (*animExit)(void*);
    void (*clickDrag)(void*, int, int, int, int);
    int dragStartX, dragStartY;

    GPUAnimBitmap(int w, int h, void* d = NULL);
    ~GPUAnimBitmap();
    GPUAnimBitmap(const GPUAnimBitmap&) = delete;
    GPUAnimBitmap& operator=(const GPUAnimBitmap&) = delete;

    long image_size() const { return 4L * width * height; }

    /// Registers `f`: f(dataBlock, x0, y0, x1, y1) is called after the left button was pressed at (x0, y0)
    /// and released at (x1, y1). The positions are in pixels; rows count from the top.
    void click_drag(void (*f)(void*, int, int, int, int)) { clickDrag = f; }

    /// Shows what f(pixels, dataBlock, ticks) paints, with ticks 1, 2, 3, …, until the user closes the
    /// window. `pixels` is device memory; row 0 is the bottom. Then calls e(dataBlock), unless `e` is null,
    /// and ends the program.
    void anim_and_exit(void (*f)(uchar4*, void*, int), void (*e)(void*));

    /// Frees the device memory.
    void free_resources();

    /// The bitmap that is being shown.
    static GPUAnimBitmap** get_bitmap_ptr() {
        static GPUAnimBitmap* shown = NULL;
        return &shown;
    }

  private:
    cudabook::book::BitmapDisplay* display_;
    uchar4* memory_;
};

#ifndef __CUDA_ARCH__  // not needed for device code
#include "push_macros.h"

#include <memory>

#include "../cuda/error.cuh"
#include "../cuda/gl_interop.cuh"
#include "../window/canvas.hpp"
#include "display.hpp"

CUDABOOK_INLINE GPUAnimBitmap::GPUAnimBitmap(int w, int h, void* d)
    : width(w),
      height(h),
      dataBlock(d),
      fAnim(NULL),
      animExit(NULL),
      clickDrag(NULL),
      dragStartX(0),
      dragStartY(0),
      memory_(NULL) {
    using namespace cudabook;
    display_ = book::or_exit([&] {
        auto display = std::make_unique<book::BitmapDisplay>(w, h);
        CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&memory_), static_cast<size_t>(image_size())));
        CUDA_CHECK(cudaMemset(memory_, 0, static_cast<size_t>(image_size())));
        return display.release();
    });
}

CUDABOOK_INLINE GPUAnimBitmap::~GPUAnimBitmap() {
    free_resources();
    delete display_;
}

CUDABOOK_INLINE void GPUAnimBitmap::free_resources() {
    if (memory_) cudaFree(memory_);
    memory_ = NULL;
}

CUDABOOK_INLINE void GPUAnimBitmap::anim_and_exit(void (*f)(uchar4*, void*, int), void (*e)(void*)) {
    using namespace cudabook;
    *get_bitmap_ptr() = this;
    fAnim = f;
    animExit = e;
    display_->on_click = [this](int x0, int y0, int x1, int y1) {
        dragStartX = x0;
        dragStartY = y0;
        if (clickDrag) clickDrag(dataBlock, x0, y0, x1, y1);
    };
    cudabook::CPUAnimBitmap& animation = display_->animation();
    int device = 0;
    book::or_exit([&] { CUDA_CHECK(cudaGetDevice(&device)); });
    if (const auto make = device_frames_maker()) {
        animation.set_device_frames(
            [=](unsigned texture, int w, int h) { return make(device, texture, w, h); });
    }
    const auto copy_to = [this](Canvas canvas) {
        CUDA_CHECK(cudaMemcpy(
            canvas.rgba, memory_, static_cast<size_t>(image_size()),
            canvas.memory == DeviceKind::cuda ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost));
    };
    display_->frames(
        "GPUAnimBitmap",
        [&](int ticks) {
            fAnim(memory_, dataBlock, ticks);
            if (animation.wanted()) copy_to(animation.canvas(true));
            CUDA_CHECK(cudaDeviceSynchronize());
        },
        [&] {
            copy_to({animation.get_ptr(), DeviceKind::cpu});
        });
    if (animExit) animExit(dataBlock);
    free_resources();
    exit(EXIT_SUCCESS);
}

#include "pop_macros.h"
#endif

#endif
