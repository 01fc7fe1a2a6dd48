// ICU's stub data: an empty package. Debian's libxml2 uses ICU only for encodings that the C library does not support. With this file
// in place of libicudata, ICU finds none of them, and the tarball is 30 MB smaller.
#include <stdint.h>

#define NAME_(version) icudt##version##_dat
#define NAME(version) NAME_(version)

// The common data header (ICU's udata.h and ucmndata.h), then a table of contents without an entry.
__attribute__((visibility("default"), aligned(16))) const struct {
    uint16_t header_size;
    uint8_t magic1, magic2;
    struct {
        uint16_t size, reserved_word;
        uint8_t is_big_endian, charset_family, size_of_uchar, reserved_byte;
        uint8_t data_format[4], format_version[4], data_version[4];
    } info;
    char padding[8];
    uint32_t count, reserved;
    int32_t nothing[2];
} NAME(ICU_VERSION) = {
    32, 0xDA, 0x27,
    {20, 0, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, 0, 2, 0, {'T', 'o', 'C', 'P'}, {1, 0, 0, 0}, {0, 0, 0, 0}},
    "stubdat", 0, 0, {0, 0},
};
