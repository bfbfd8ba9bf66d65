// Undefines macros of old programs that break the headers included next; pop_macros.h restores them. Where
// kernels count what they ask of memory, the compiler inlines as much as it can: not in these headers, which
// have no kernels.
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
