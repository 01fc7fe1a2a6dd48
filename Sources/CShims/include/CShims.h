#ifndef OIDC_PREFLIGHT_CSHIMS_H
#define OIDC_PREFLIGHT_CSHIMS_H

#include "CShimsCurl.h"
#include "CShimsOpenSSL.h"

#endif
