#include "../book.h"
