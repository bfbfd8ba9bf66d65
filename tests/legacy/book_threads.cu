// An old-style program in two translation units with threads, random blocks and swap().
#include "../../common/book.h"

struct Half {
    int *values;
    int count;
    int sum;
};

int sum_of( const int *values, int count );  // book_threads_2.cu

void* routine( void *pvoidData ) {
    Half *half = (Half*)pvoidData;
    half->sum = sum_of( half->values, half->count );
    return 0;
}

#define SIZE 1000

int main( void ) {
    srand( 1 );
    int *values = big_random_block_int( SIZE );
    Half halves[2] = { { values, SIZE / 2, 0 }, { values + SIZE / 2, SIZE / 2, 0 } };
    CUTThread threads[2];
    for (int i=0; i<2; i++) threads[i] = start_thread( routine, &halves[i] );
    wait_for_threads( threads, 2 );
    CUTThread again = start_thread( routine, &halves[0] );
    end_thread( again );
    printf( "%d\n", halves[0].sum ^ halves[1].sum );

    srand( 1 );
    unsigned char *bytes = (unsigned char*)big_random_block( SIZE );
    int same = 1;
    for (int i=0; i<SIZE; i++) same &= bytes[i] == (unsigned char)values[i];
    printf( "%s\n", same ? "same" : "different" );

    int a = 1, b = 2;
    swap( a, b );
    printf( "%d %d\n", a, b );

    free( values );
    free( bytes );
    void *nothing = NULL;
    HANDLE_NULL( nothing );
    return 0;
}
