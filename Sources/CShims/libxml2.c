#include "CShimsLibxml2.h"

#ifdef __linux__

#include <dlfcn.h>
#include <libxml/HTMLparser.h>
#include <libxml/HTMLtree.h>
#include <libxml/xmlwriter.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * libxml2 brings ICU and the C++ library along: a third of what a program that reads no page would load. So the functions that
 * are used of it are defined here, and the library is opened when the first of them is called. The linker then needs nothing of
 * libxml2 and leaves it out (--as-needed); packages name it by themselves.
 */

#if LIBXML_VERSION >= 21400
#define SONAME "libxml2.so.16"
#else
#define SONAME "libxml2.so.2"
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *library;
static char problem[256];

static void open_library(void) {
    library = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);
    if (!library) snprintf(problem, sizeof problem, "%s", dlerror());
}

const char *preflight_libxml2_problem(void) {
    pthread_once(&once, open_library);
    return library ? NULL : problem;
}

/* Where a library that is linked cannot be found no program starts; here it ends when it is needed. */
static void *find(const char *name) {
    pthread_once(&once, open_library);
    void *function = library ? dlsym(library, name) : NULL;
    if (!function) {
        fprintf(stderr, "oidc-preflight: libxml2 could not be used: %s\nInstall libxml2; oidc-preflight doctor says what else is missing.\n",
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

LATER(const htmlEntityDesc *, htmlEntityLookup, (const xmlChar *name), (name))
LATER(htmlDocPtr, htmlReadMemory, (const char *buffer, int size, const char *url, const char *encoding, int options),
      (buffer, size, url, encoding, options))
LATER(xmlNodePtr, xmlDocGetRootElement, (const xmlDoc *document), (document))
LATER(xmlAttrPtr, xmlHasProp, (const xmlNode *node, const xmlChar *name), (node, name))
LATER(void, xmlFreeDoc, (xmlDocPtr document), (document))
LATER(void, xmlSetStructuredErrorFunc, (void *context, xmlStructuredErrorFunc handler), (context, handler))
LATER(xmlBufferPtr, xmlBufferCreate, (void), ())
LATER(const xmlChar *, xmlBufferContent, (const xmlBuffer *buffer), (buffer))
LATER(int, xmlBufferLength, (const xmlBuffer *buffer), (buffer))
LATER(void, xmlBufferFree, (xmlBufferPtr buffer), (buffer))
LATER(xmlTextWriterPtr, xmlNewTextWriterMemory, (xmlBufferPtr buffer, int compression), (buffer, compression))
LATER(void, xmlFreeTextWriter, (xmlTextWriterPtr writer), (writer))
LATER(int, xmlTextWriterSetIndent, (xmlTextWriterPtr writer, int indent), (writer, indent))
LATER(int, xmlTextWriterSetIndentString, (xmlTextWriterPtr writer, const xmlChar *text), (writer, text))
LATER(int, xmlTextWriterStartDocument,
      (xmlTextWriterPtr writer, const char *version, const char *encoding, const char *standalone),
      (writer, version, encoding, standalone))
LATER(int, xmlTextWriterEndDocument, (xmlTextWriterPtr writer), (writer))
LATER(int, xmlTextWriterStartElement, (xmlTextWriterPtr writer, const xmlChar *name), (writer, name))
LATER(int, xmlTextWriterEndElement, (xmlTextWriterPtr writer), (writer))
LATER(int, xmlTextWriterWriteAttribute, (xmlTextWriterPtr writer, const xmlChar *name, const xmlChar *content),
      (writer, name, content))
LATER(int, xmlTextWriterWriteString, (xmlTextWriterPtr writer, const xmlChar *content), (writer, content))

#else

#include <stddef.h>

const char *preflight_libxml2_problem(void) { return NULL; }

#endif
