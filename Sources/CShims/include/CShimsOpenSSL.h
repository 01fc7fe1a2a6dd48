#ifndef OIDC_PREFLIGHT_CSHIMS_OPENSSL_H
#define OIDC_PREFLIGHT_CSHIMS_OPENSSL_H

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

// EVP_PKEY_PUBLIC_KEY and EVP_PKEY_KEYPAIR are macros made of casts, which Swift does not import.
extern const int preflight_pkey_public_key;
extern const int preflight_pkey_keypair;

// These parameter names are concatenated by the preprocessor, which Swift does not import.
extern const char *const preflight_rsa_factor1;
extern const char *const preflight_rsa_factor2;
extern const char *const preflight_rsa_exponent1;
extern const char *const preflight_rsa_exponent2;
extern const char *const preflight_rsa_coefficient1;

// How names are printed: RFC 2253 with characters beyond ASCII left as UTF-8; the flags are macros with casts.
extern const unsigned long preflight_name_flags;

#endif
