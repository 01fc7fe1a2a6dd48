#ifndef OIDC_PREFLIGHT_CSHIMS_CURL_H
#define OIDC_PREFLIGHT_CSHIMS_CURL_H

#include <curl/curl.h>

#endif
