// Included by cpu_bitmap.h, cpu_anim.h and gpu_anim.h. For the emulated GPU, the functions of these headers
// are compiled once (emulator/book/), so that programs compile in half the time.
#ifndef CUDABOOK_BOOK_BITMAPS_H
#define CUDABOOK_BOOK_BITMAPS_H

#ifndef CUDABOOK_INLINE
#define CUDABOOK_INLINE inline
#endif

// The book's programs expect the headers of the bitmaps to include OpenGL and GLUT.
#ifdef CUDABOOK_EMULATION
#include "gl_names.h"
#else
#include "gl_helper.h"
#endif

#endif
