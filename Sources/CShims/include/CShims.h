#ifndef OIDC_PREFLIGHT_CSHIMS_H
#define OIDC_PREFLIGHT_CSHIMS_H

#include "CShimsCurl.h"
#include "CShimsLibxml2.h"
#include "CShimsMalloc.h"
#include "CShimsOpenSSL.h"
#include "CShimsSQLite.h"
#include "CShimsSignal.h"

#endif
