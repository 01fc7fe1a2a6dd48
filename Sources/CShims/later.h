#ifndef OIDC_PREFLIGHT_LATER_H
#define OIDC_PREFLIGHT_LATER_H

/*
 * A library that few runs need is opened when its first function is called: the functions that are used of it are defined here, so
 * that the linker needs nothing of the library and leaves it out (--as-needed); packages name it by themselves.
 *
 * Before this file is included, LATER_NAME says what the library is called and LATER_SONAME which file it is.
 */

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *library;
static char problem[256];

static void open_library(void) {
    library = dlopen(LATER_SONAME, RTLD_NOW | RTLD_LOCAL);
    if (!library) snprintf(problem, sizeof problem, "%s", dlerror());
}

/* Where a library that is linked cannot be found no program starts; here it ends when it is needed. */
static void *find(const char *name) {
    pthread_once(&once, open_library);
    void *function = library ? dlsym(library, name) : NULL;
    if (!function) {
        fprintf(stderr,
                "oidc-preflight: " LATER_NAME " could not be used: %s\nInstall " LATER_NAME
                "; oidc-preflight doctor says what else is missing.\n",
                library ? dlerror() : problem);
        exit(70);
    }
    return function;
}

/* A function of the library: what it gives back, its parameters, and their names. */
#define LATER(TYPE, NAME, PARAMETERS, NAMES)                              \
    TYPE NAME PARAMETERS {                                                \
        static TYPE(*_Atomic function) PARAMETERS;                        \
        TYPE(*found) PARAMETERS = function;                               \
        if (!found) function = found = (TYPE(*) PARAMETERS)find(#NAME);   \
        return found NAMES;                                               \
    }

#endif
