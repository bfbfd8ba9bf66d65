// Undoes push_macros.h.
#ifdef CUDABOOK_COUNTED
#pragma GCC pop_options
#endif
#pragma pop_macro("min")
#pragma pop_macro("max")
#pragma pop_macro("T")
