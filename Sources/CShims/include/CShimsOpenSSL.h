#ifndef OIDC_PREFLIGHT_CSHIMS_OPENSSL_H
#define OIDC_PREFLIGHT_CSHIMS_OPENSSL_H

#include <openssl/ssl.h>

#endif
