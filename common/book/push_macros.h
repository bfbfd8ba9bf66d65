// Undefines macros of old programs that break the headers included next; pop_macros.h restores them.
#pragma push_macro("min")
#pragma push_macro("max")
#pragma push_macro("T")
#undef min
#undef max
#undef T
