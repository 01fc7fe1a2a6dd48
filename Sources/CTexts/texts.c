#include "CTexts.h"

#pragma clang diagnostic ignored "-Wc23-extensions" // clang supports `#embed` since version 19, in every C standard

#define TEXT(name) \
    struct CText name(void) { return (struct CText){name##_bytes, sizeof name##_bytes}; }

static const unsigned char CTextTable_consequences_bytes[] = {
#embed "../Preflight/Explanations/consequences.tsv"
};
TEXT(CTextTable_consequences)

static const unsigned char CTextTable_examples_bytes[] = {
#embed "../Preflight/Explanations/examples.tsv"
};
TEXT(CTextTable_examples)

static const unsigned char CTextTable_refusals_bytes[] = {
#embed "../Preflight/Explanations/refusals.tsv"
};
TEXT(CTextTable_refusals)

static const unsigned char CTextTable_knownIssues_bytes[] = {
#embed "../Preflight/Explanations/known-issues.tsv"
};
TEXT(CTextTable_knownIssues)

static const unsigned char CTextTable_marks_bytes[] = {
#embed "../../Profiles/Products/marks.tsv"
};
TEXT(CTextTable_marks)

static const unsigned char CTextTable_settings_bytes[] = {
#embed "../../Profiles/Products/settings.tsv"
};
TEXT(CTextTable_settings)
