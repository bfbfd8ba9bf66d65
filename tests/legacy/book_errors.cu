// An old-style program that makes a mistake, and says so.
#include "../common/book.h"

int main( void ) {
    HANDLE_ERROR( cudaSuccess );
    HANDLE_ERROR( cudaErrorInvalidValue );
    return 0;
}
