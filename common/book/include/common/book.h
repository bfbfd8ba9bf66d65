#include "../../book.h"
