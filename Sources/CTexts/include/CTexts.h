// The tables behind `checks explain`, as bytes of the object file: as literals of Swift they take the compiler a quarter of a release build.
#ifndef CTEXTS_H
#define CTEXTS_H

#include <stddef.h>

/// Octets that live as long as the program; not terminated.
struct CText {
    const unsigned char *_Nonnull octets;
    size_t count;
};

struct CText CTextTable_consequences(void);
struct CText CTextTable_examples(void);
struct CText CTextTable_refusals(void);
struct CText CTextTable_sightings(void);

#endif
