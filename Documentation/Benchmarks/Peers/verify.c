// The peers of Verification.swift: verify.c FOLDER prints "NAME PEER VERIFICATIONS-PER-CPU-SECOND".
//
// "c" is a plain C program with one known key: it splits and decodes the token, parses its header with jansson, and verifies the
// signature with OpenSSL and a key that was parsed once. "cjose" is cjose with a key that was imported once.
// "set" parses a received key set of 100 RSA keys, and verifies one token with the key that its kid names.
#include <cjose/cjose.h>
#include <jansson.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *folder;

static void stop(const char *what) {
    fprintf(stderr, "verify: %s\n", what);
    exit(1);
}

static char *file(const char *name, const char *suffix) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, suffix);
    FILE *in = fopen(path, "rb");
    if (in == NULL) stop(path);
    char *text = calloc(1, 1 << 20);
    if (text == NULL || fread(text, 1, (1 << 20) - 1, in) == 0) stop(path);
    fclose(in);
    return text;
}

static double cpu_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/// Decodes base64url without padding; returns the number of bytes, or -1.
static int decode(const char *text, size_t length, unsigned char *into) {
    char padded[4096];
    if (length + 4 > sizeof padded) return -1;
    for (size_t i = 0; i < length; i++) padded[i] = text[i] == '-' ? '+' : text[i] == '_' ? '/' : text[i];
    size_t full = length;
    while (full % 4 != 0) padded[full++] = '=';
    int count = EVP_DecodeBlock(into, (unsigned char *)padded, (int)full);
    return count < 0 ? -1 : count - (int)(full - length);
}

static int plain(const char *token, EVP_PKEY *key, const char *algorithm) {
    const char *first = strchr(token, '.');
    const char *second = first == NULL ? NULL : strchr(first + 1, '.');
    if (second == NULL) return 0;
    unsigned char header[1024], claims[4096], signature[1024], der[256];
    int header_count = decode(token, (size_t)(first - token), header);
    int claims_count = decode(first + 1, (size_t)(second - first - 1), claims);
    int count = decode(second + 1, strlen(second + 1), signature);
    if (header_count < 0 || claims_count < 0 || count < 0) return 0;
    json_t *members = json_loadb((char *)header, (size_t)header_count, JSON_REJECT_DUPLICATES, NULL);
    const char *stated = json_string_value(json_object_get(members, "alg"));
    int isStated = stated != NULL && strcmp(stated, algorithm) == 0;
    json_decref(members);
    if (!isStated) return 0;
    const unsigned char *given = signature;
    if (EVP_PKEY_base_id(key) == EVP_PKEY_EC) {
        if (count != 64) return 0;
        ECDSA_SIG *pair = ECDSA_SIG_new();
        ECDSA_SIG_set0(pair, BN_bin2bn(signature, 32, NULL), BN_bin2bn(signature + 32, 32, NULL));
        unsigned char *end = der;
        count = i2d_ECDSA_SIG(pair, &end);
        ECDSA_SIG_free(pair);
        given = der;
    }
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    const EVP_MD *hash = EVP_PKEY_base_id(key) == EVP_PKEY_ED25519 ? NULL : EVP_sha256();
    int isVerified = EVP_DigestVerifyInit(context, NULL, hash, NULL, key) == 1
        && EVP_DigestVerify(context, given, (size_t)count, (const unsigned char *)token, (size_t)(second - token)) == 1;
    EVP_MD_CTX_free(context);
    return isVerified;
}

static int by_cjose(const char *token, const cjose_jwk_t *key) {
    cjose_err error;
    cjose_jws_t *jws = cjose_jws_import(token, strlen(token), &error);
    int isVerified = jws != NULL && cjose_jws_verify(jws, key, &error);
    cjose_jws_release(jws);
    return isVerified;
}

static int by_cjose_of_set(const char *token, const char *set) {
    cjose_err error;
    cjose_jws_t *jws = cjose_jws_import(token, strlen(token), &error);
    const char *kid = jws == NULL ? NULL : cjose_header_get(cjose_jws_get_protected(jws), CJOSE_HDR_KID, &error);
    json_t *root = json_loads(set, JSON_REJECT_DUPLICATES, NULL), *element;
    size_t index;
    int isVerified = 0;
    json_array_foreach(json_object_get(root, "keys"), index, element) {
        cjose_jwk_t *key = cjose_jwk_import_json((cjose_header_t *)element, &error);
        if (key != NULL && kid != NULL && strcmp(kid, cjose_jwk_get_kid(key, &error)) == 0)
            isVerified = cjose_jws_verify(jws, key, &error);
        cjose_jwk_release(key);
    }
    json_decref(root);
    cjose_jws_release(jws);
    return isVerified;
}

#define RATE(name, peer, at_once, call)                                                                       \
    do {                                                                                                      \
        for (int i = 0; i < at_once; i++)                                                                     \
            if (!(call)) stop(name " is not verified by " peer);                                              \
        double begin = cpu_seconds();                                                                         \
        long count = 0;                                                                                       \
        do {                                                                                                  \
            for (int i = 0; i < at_once; i++) count += (call);                                                \
        } while (cpu_seconds() - begin < 2);                                                                  \
        printf("%s %s %ld\n", name, peer, (long)((double)count / (cpu_seconds() - begin)));                   \
    } while (0)

static EVP_PKEY *public_key(const char *name) {
    char *text = file(name, "pem");
    BIO *in = BIO_new_mem_buf(text, -1);
    EVP_PKEY *key = PEM_read_bio_PUBKEY(in, NULL, NULL, NULL);
    BIO_free(in);
    free(text);
    if (key == NULL) stop(name);
    return key;
}

static cjose_jwk_t *imported(const char *name) {
    cjose_err error;
    char *text = file(name, "jwk");
    cjose_jwk_t *key = cjose_jwk_import(text, strlen(text), &error);
    if (key == NULL) stop(name);
    return key;
}

int main(int count, char **arguments) {
    if (count != 2) stop("usage: verify FOLDER");
    folder = arguments[1];
    char *rs256 = file("RS256", "jwt"), *es256 = file("ES256", "jwt"), *eddsa = file("EdDSA", "jwt");
    char *set = file("set", "jwks"), *of_set = file("set", "jwt");
    EVP_PKEY *rsa = public_key("RS256"), *ec = public_key("ES256"), *ed = public_key("EdDSA");
    cjose_jwk_t *cjose_rsa = imported("RS256"), *cjose_ec = imported("ES256");
    RATE("RS256", "c", 200, plain(rs256, rsa, "RS256"));
    RATE("ES256", "c", 200, plain(es256, ec, "ES256"));
    RATE("EdDSA", "c", 200, plain(eddsa, ed, "EdDSA"));
    // cjose 0.6 has no EdDSA.
    RATE("RS256", "cjose", 200, by_cjose(rs256, cjose_rsa));
    RATE("ES256", "cjose", 200, by_cjose(es256, cjose_ec));
    RATE("set", "cjose", 5, by_cjose_of_set(of_set, set));
    return 0;
}
