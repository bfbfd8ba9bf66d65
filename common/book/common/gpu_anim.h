#include "../gpu_anim.h"
