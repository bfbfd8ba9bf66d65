// A header of CUDA 11 and earlier, which old programs include.
#include "texture_reference.h"
