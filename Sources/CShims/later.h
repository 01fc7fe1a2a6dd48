#ifndef OIDC_PREFLIGHT_LATER_H
#define OIDC_PREFLIGHT_LATER_H

/*
 * A library that few runs need is opened when its first function is called. Its used functions are defined here, so
 * that the linker does not need the library and omits it (--as-needed); packages declare the dependency themselves.
 *
 * Before this file is included, LATER_NAME must be the name of the library and LATER_SONAME its file.
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

/* A program does not start if a linked library is missing; here it exits when the library is needed. */
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

/* A function of the library: its return type, its parameters, and their names. */
#define LATER(TYPE, NAME, PARAMETERS, NAMES)                              \
    TYPE NAME PARAMETERS {                                                \
        static TYPE(*_Atomic function) PARAMETERS;                        \
        TYPE(*found) PARAMETERS = function;                               \
        if (!found) function = found = (TYPE(*) PARAMETERS)find(#NAME);   \
        return found NAMES;                                               \
    }

#endif
