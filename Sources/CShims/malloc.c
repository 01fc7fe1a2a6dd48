#include "CShimsMalloc.h"

// Defines __GLIBC__ if the C library is glibc.
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void preflight_malloc_one_arena(void) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TOP_PAD, 1 << 20);
#endif
}
