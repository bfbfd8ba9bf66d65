// Includes the answer that is checked, the file EXERCISE. The answer may be a whole program: its main() is
// renamed and not called. Include this header after all other headers of the check.
#define main main_of_the_answer
#include EXERCISE
#undef main
