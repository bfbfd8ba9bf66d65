#include "../../../cpu_bitmap.h"
