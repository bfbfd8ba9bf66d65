// cpu_bitmap.h of CUDA by Example: a still picture. Written from scratch; display.hpp shows it.
#ifndef __CPU_BITMAP_H__
#define __CPU_BITMAP_H__

#include <stddef.h>
#include <stdlib.h>

#include <iostream>

#include "bitmaps.h"

namespace cudabook::book {
class BitmapDisplay;
}

struct CPUBitmap {
    unsigned char* pixels;  ///< RGBA, row 0 is the bottom
    int x, y;               ///< width and height
    void* dataBlock;
    void (*bitmapExit)(void*);

    CPUBitmap(int width, int height, void* d = NULL);
    ~CPUBitmap();
    CPUBitmap(const CPUBitmap&) = delete;
    CPUBitmap& operator=(const CPUBitmap&) = delete;

    unsigned char* get_ptr() const { return pixels; }
    long image_size() const { return 4L * x * y; }

    /// Shows the bitmap until the user closes the window, calls e(dataBlock) unless `e` or dataBlock is null,
    /// and ends the program.
    void display_and_exit(void (*e)(void*) = NULL);

  private:
    cudabook::book::BitmapDisplay* display_;
};

#ifndef __CUDA_ARCH__  // not needed for device code
#include "push_macros.h"

#include "display.hpp"

CUDABOOK_INLINE CPUBitmap::CPUBitmap(int width, int height, void* d)
    : x(width), y(height), dataBlock(d), bitmapExit(NULL) {
    display_ = cudabook::book::or_exit([&] { return new cudabook::book::BitmapDisplay(width, height); });
    pixels = display_->pixels();
}

CUDABOOK_INLINE CPUBitmap::~CPUBitmap() { delete display_; }

CUDABOOK_INLINE void CPUBitmap::display_and_exit(void (*e)(void*)) {
    bitmapExit = e;
    display_->still("CPUBitmap");
    if (bitmapExit && dataBlock) bitmapExit(dataBlock);
    exit(EXIT_SUCCESS);
}

#include "pop_macros.h"
#endif

#endif
