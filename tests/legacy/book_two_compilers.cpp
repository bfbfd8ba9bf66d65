#include "../common/cpu_anim.h"
#include "../common/cpu_bitmap.h"
#if __has_include(<cuda_runtime.h>)
#include "../common/gpu_anim.h"
#endif

void paint( CPUBitmap *bitmap ) {
    unsigned char *ptr = bitmap->get_ptr();
    for (int i=0; i<bitmap->image_size(); i++) ptr[i] = i % 4 == 3 ? 255 : 7;
}

// An animation that only this source uses.
int one_frame( void ) {
    CPUAnimBitmap bitmap( 16, 16 );
    return bitmap.get_ptr()[0] + bitmap.width;
}
