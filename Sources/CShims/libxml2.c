#include "CShimsLibxml2.h"

#ifdef __linux__

#include <libxml/HTMLparser.h>
#include <libxml/HTMLtree.h>
#include <libxml/xmlwriter.h>

/*
 * libxml2 depends on ICU and the C++ library: a third of what a run without HTML pages would load. So it is opened when a
 * page is read.
 */

#define LATER_NAME "libxml2"
#if LIBXML_VERSION >= 21400
#define LATER_SONAME "libxml2.so.16"
#else
#define LATER_SONAME "libxml2.so.2"
#endif
#include "later.h"

const char *preflight_libxml2_problem(void) {
    pthread_once(&once, open_library);
    return library ? NULL : problem;
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
