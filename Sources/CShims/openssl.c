#include "CShimsOpenSSL.h"

const int preflight_pkey_public_key = EVP_PKEY_PUBLIC_KEY;
const int preflight_pkey_keypair = EVP_PKEY_KEYPAIR;

const char *const preflight_rsa_factor1 = OSSL_PKEY_PARAM_RSA_FACTOR1;
const char *const preflight_rsa_factor2 = OSSL_PKEY_PARAM_RSA_FACTOR2;
const char *const preflight_rsa_exponent1 = OSSL_PKEY_PARAM_RSA_EXPONENT1;
const char *const preflight_rsa_exponent2 = OSSL_PKEY_PARAM_RSA_EXPONENT2;
const char *const preflight_rsa_coefficient1 = OSSL_PKEY_PARAM_RSA_COEFFICIENT1;

const unsigned long preflight_name_flags = XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB;
