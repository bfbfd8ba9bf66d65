// The same as guard.cu, without --check: the kernel writes behind its array.
// Found by: a run
// Says: has overwritten memory 0 bytes behind the end of an array of 4000 bytes
#include "guard.cu"
