#ifndef OIDC_PREFLIGHT_CSHIMS_LIBXML2_H
#define OIDC_PREFLIGHT_CSHIMS_LIBXML2_H

/* Opens libxml2, which is done before its first use; NULL, or why that fails. */
const char *preflight_libxml2_problem(void);

#endif
