// See push_macros.h.
#pragma pop_macro("min")
#pragma pop_macro("max")
#pragma pop_macro("T")
