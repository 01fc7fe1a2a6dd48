#ifndef OIDC_PREFLIGHT_CSHIMS_MALLOC_H
#define OIDC_PREFLIGHT_CSHIMS_MALLOC_H

// Lets all threads have their memory from one place, which grows by a mebibyte: glibc's places of single threads grow page by page, each by
// a call of the system, and a short run is a few threads that all grow. Does nothing with another C library.
void preflight_malloc_one_arena(void);

#endif
