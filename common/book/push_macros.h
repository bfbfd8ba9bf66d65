// Undefines macros of old programs that break the headers included next; pop_macros.h restores the macros. If
// CUDABOOK_COUNTED is defined, kernels count their memory accesses, and the compiler inlines as much as it
// can. The headers included next have no kernels, so these headers are compiled without optimisation.
#pragma push_macro("min")
#pragma push_macro("max")
#pragma push_macro("T")
#undef min
#undef max
#undef T
#ifdef CUDABOOK_COUNTED
#pragma GCC push_options
#pragma GCC optimize("O0")
#endif
