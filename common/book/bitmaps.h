// What the headers of the book's bitmaps share. For the emulated GPU, what they do is compiled once
// (emulator/book/), and programs are compiled in half the time.
#ifndef CUDABOOK_BOOK_BITMAPS_H
#define CUDABOOK_BOOK_BITMAPS_H

#ifndef CUDABOOK_INLINE
#define CUDABOOK_INLINE inline
#endif

// OpenGL and GLUT: the programs rely on it.
#ifdef CUDABOOK_EMULATION
#include "gl_names.h"
#else
#include "gl_helper.h"
#endif

#endif
