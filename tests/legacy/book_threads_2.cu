#include "../common/book.h"
#include "../common/cpu_bitmap.h"

int sum_of( const int *values, int count ) {
    unsigned sum = 0;
    for (int i=0; i<count; i++) sum += values[i];
    return sum;
}
