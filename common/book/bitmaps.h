// The common part of the headers of the book's bitmaps. For the emulated GPU, their functions are compiled
// once (emulator/book/), so that programs compile in half the time.
#ifndef CUDABOOK_BOOK_BITMAPS_H
#define CUDABOOK_BOOK_BITMAPS_H

#ifndef CUDABOOK_INLINE
#define CUDABOOK_INLINE inline
#endif

// OpenGL and GLUT: the book's programs expect these headers to include them.
#ifdef CUDABOOK_EMULATION
#include "gl_names.h"
#else
#include "gl_helper.h"
#endif

#endif
