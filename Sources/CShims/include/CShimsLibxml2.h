#ifndef OIDC_PREFLIGHT_CSHIMS_LIBXML2_H
#define OIDC_PREFLIGHT_CSHIMS_LIBXML2_H

/* Opens libxml2, which is required before its first use; returns NULL, or the error. */
const char *preflight_libxml2_problem(void);

#endif
