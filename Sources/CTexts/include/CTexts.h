// The tables of `checks explain`, as bytes of the object file: as Swift literals they take a quarter of the time of a release build.
#ifndef CTEXTS_H
#define CTEXTS_H

#include <stddef.h>

/// Bytes with the lifetime of the program; not terminated.
struct CText {
    const unsigned char *_Nonnull bytes;
    size_t count;
};

struct CText CTextTable_consequences(void);
struct CText CTextTable_examples(void);
struct CText CTextTable_marks(void);
struct CText CTextTable_refusals(void);
struct CText CTextTable_settings(void);
struct CText CTextTable_knownIssues(void);

#endif
