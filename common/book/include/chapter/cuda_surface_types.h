// A header of CUDA 11 and before, which old programs include by hand.
#include "texture_reference.h"
