#ifndef OIDC_PREFLIGHT_CSHIMS_MALLOC_H
#define OIDC_PREFLIGHT_CSHIMS_MALLOC_H

// Makes all threads share one malloc arena, which grows by a mebibyte: glibc's per-thread arenas grow page by page, each with
// a system call, and a short run has several threads that all allocate. Does nothing with another C library.
void preflight_malloc_one_arena(void);

#endif
