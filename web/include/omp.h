/* OpenMP's functions for the one thread of a page. Its directives are ignored. */
#pragma once

inline int omp_get_max_threads() { return 1; }
inline int omp_get_num_threads() { return 1; }
inline int omp_get_thread_num() { return 0; }
inline int omp_get_num_procs() { return 1; }
inline void omp_set_num_threads(int /*threads*/) {}
