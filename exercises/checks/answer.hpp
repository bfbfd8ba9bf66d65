// The answer that is checked. It may be a whole program: its main() is not called. Included after the check's
// own headers.
#define main main_of_the_answer
#include EXERCISE
#undef main
