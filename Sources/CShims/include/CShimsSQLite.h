#ifndef OIDC_PREFLIGHT_CSHIMS_SQLITE_H
#define OIDC_PREFLIGHT_CSHIMS_SQLITE_H

#include <sqlite3.h>

/* Opens SQLite's library, which is required before its first use; returns NULL, or the error. */
const char *preflight_sqlite_problem(void);

/* SQLITE_TRANSIENT, a pointer made of -1, is a macro that Swift does not import: these functions copy their argument. */
int preflight_sqlite_bind_text(sqlite3_stmt *statement, int place, const char *text, int length);
int preflight_sqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int length);

#endif
