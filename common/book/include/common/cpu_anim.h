#include "../../cpu_anim.h"
