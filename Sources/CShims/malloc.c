#include "CShimsMalloc.h"

// Says which C library it is.
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
