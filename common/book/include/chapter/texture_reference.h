#include "../../texture_reference.h"
