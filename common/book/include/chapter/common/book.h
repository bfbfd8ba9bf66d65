#include "../../../book.h"
