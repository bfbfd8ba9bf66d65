#include "../../gl_helper.h"
