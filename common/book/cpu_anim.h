// cpu_anim.h of CUDA by Example: an animation with frames in host memory. Written from scratch; display.hpp
// shows it.
#ifndef __CPU_ANIM_H__
#define __CPU_ANIM_H__

#include <stddef.h>
#include <stdlib.h>

#include <iostream>

#include "bitmaps.h"

namespace cudabook::book {
class BitmapDisplay;
}

struct CPUAnimBitmap {
    unsigned char* pixels;  ///< RGBA, row 0 is the bottom
    int width, height;
    void* dataBlock;
    void (*fAnim)(void*, int);
    void (*animExit)(void*);
    void (*clickDrag)(void*, int, int, int, int);
    int dragStartX, dragStartY;

    CPUAnimBitmap(int w, int h, void* d = NULL);
    ~CPUAnimBitmap();
    CPUAnimBitmap(const CPUAnimBitmap&) = delete;
    CPUAnimBitmap& operator=(const CPUAnimBitmap&) = delete;

    unsigned char* get_ptr() const { return pixels; }
    long image_size() const { return 4L * width * height; }

    /// Registers `f`: f(dataBlock, x0, y0, x1, y1) is called after the left button was pressed at (x0, y0)
    /// and released at (x1, y1). The positions are in pixels; rows count from the top.
    void click_drag(void (*f)(void*, int, int, int, int)) { clickDrag = f; }

    /// Shows what f(dataBlock, ticks) paints, with ticks 1, 2, 3, …, until the user closes the window. Then
    /// calls e(dataBlock), unless `e` is null, and ends the program.
    void anim_and_exit(void (*f)(void*, int), void (*e)(void*));

    /// The bitmap that is being shown.
    static CPUAnimBitmap** get_bitmap_ptr() {
        static CPUAnimBitmap* shown = NULL;
        return &shown;
    }

  private:
    cudabook::book::BitmapDisplay* display_;
};

#ifndef __CUDA_ARCH__  // not needed for device code
#include "push_macros.h"

#include "display.hpp"

CUDABOOK_INLINE CPUAnimBitmap::CPUAnimBitmap(int w, int h, void* d)
    : width(w),
      height(h),
      dataBlock(d),
      fAnim(NULL),
      animExit(NULL),
      clickDrag(NULL),
      dragStartX(0),
      dragStartY(0) {
    display_ = cudabook::book::or_exit([&] { return new cudabook::book::BitmapDisplay(w, h); });
    pixels = display_->pixels();
}

CUDABOOK_INLINE CPUAnimBitmap::~CPUAnimBitmap() { delete display_; }

CUDABOOK_INLINE void CPUAnimBitmap::anim_and_exit(void (*f)(void*, int), void (*e)(void*)) {
    *get_bitmap_ptr() = this;
    fAnim = f;
    animExit = e;
    display_->on_click = [this](int x0, int y0, int x1, int y1) {
        dragStartX = x0;
        dragStartY = y0;
        if (clickDrag) clickDrag(dataBlock, x0, y0, x1, y1);
    };
    display_->frames("CPUAnimBitmap", [this](int ticks) { fAnim(dataBlock, ticks); });
    if (animExit) animExit(dataBlock);
    exit(EXIT_SUCCESS);
}

#include "pop_macros.h"
#endif

#endif
