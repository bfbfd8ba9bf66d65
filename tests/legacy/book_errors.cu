// An old-style program with a failing CUDA call, which it reports.
#include "../common/book.h"

int main( void ) {
    HANDLE_ERROR( cudaSuccess );
    HANDLE_ERROR( cudaErrorInvalidValue );
    return 0;
}
