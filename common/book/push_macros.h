// Puts aside the macros of old programs that what follows cannot stand; pop_macros.h brings them back.
#pragma push_macro("min")
#pragma push_macro("max")
#pragma push_macro("T")
#undef min
#undef max
#undef T
