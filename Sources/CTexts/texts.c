#include "CTexts.h"

#pragma clang diagnostic ignored "-Wc23-extensions" // clang supports `#embed` since version 19, in every C standard

#define TEXT(name) \
    struct CText name(void) { return (struct CText){name##_octets, sizeof name##_octets}; }

static const unsigned char CTextTable_consequences_octets[] = {
#embed "../Preflight/Explanations/consequences.tsv"
};
TEXT(CTextTable_consequences)

static const unsigned char CTextTable_examples_octets[] = {
#embed "../Preflight/Explanations/examples.tsv"
};
TEXT(CTextTable_examples)

static const unsigned char CTextTable_refusals_octets[] = {
#embed "../Preflight/Explanations/refusals.tsv"
};
TEXT(CTextTable_refusals)

static const unsigned char CTextTable_sightings_octets[] = {
#embed "../Preflight/Explanations/sightings.tsv"
};
TEXT(CTextTable_sightings)
