#include "CShimsSQLite.h"

#include <stddef.h>

#ifdef __linux__

/* Only batches use a database: no other run should wait for its library. */
#define LATER_NAME "SQLite"
#define LATER_SONAME "libsqlite3.so.0"
#include "later.h"

const char *preflight_sqlite_problem(void) {
    pthread_once(&once, open_library);
    return library ? NULL : problem;
}

LATER(const char *, sqlite3_libversion, (void), ())
LATER(int, sqlite3_open_v2, (const char *name, sqlite3 **database, int flags, const char *vfs),
      (name, database, flags, vfs))
LATER(int, sqlite3_close_v2, (sqlite3 * database), (database))
LATER(int, sqlite3_busy_timeout, (sqlite3 * database, int milliseconds), (database, milliseconds))
LATER(int, sqlite3_extended_result_codes, (sqlite3 * database, int on), (database, on))
LATER(const char *, sqlite3_errmsg, (sqlite3 * database), (database))
LATER(const char *, sqlite3_errstr, (int code), (code))
LATER(int, sqlite3_get_autocommit, (sqlite3 * database), (database))
LATER(sqlite3_int64, sqlite3_last_insert_rowid, (sqlite3 * database), (database))
LATER(int, sqlite3_changes, (sqlite3 * database), (database))
LATER(int, sqlite3_prepare_v3,
      (sqlite3 * database, const char *text, int length, unsigned int flags, sqlite3_stmt **statement, const char **rest),
      (database, text, length, flags, statement, rest))
LATER(int, sqlite3_finalize, (sqlite3_stmt * statement), (statement))
LATER(int, sqlite3_reset, (sqlite3_stmt * statement), (statement))
LATER(int, sqlite3_clear_bindings, (sqlite3_stmt * statement), (statement))
LATER(int, sqlite3_step, (sqlite3_stmt * statement), (statement))
LATER(int, sqlite3_bind_parameter_count, (sqlite3_stmt * statement), (statement))
LATER(int, sqlite3_bind_null, (sqlite3_stmt * statement, int place), (statement, place))
LATER(int, sqlite3_bind_int64, (sqlite3_stmt * statement, int place, sqlite3_int64 value), (statement, place, value))
LATER(int, sqlite3_bind_double, (sqlite3_stmt * statement, int place, double value), (statement, place, value))
LATER(int, sqlite3_bind_text,
      (sqlite3_stmt * statement, int place, const char *text, int length, void (*release)(void *)),
      (statement, place, text, length, release))
LATER(int, sqlite3_bind_blob,
      (sqlite3_stmt * statement, int place, const void *bytes, int length, void (*release)(void *)),
      (statement, place, bytes, length, release))
LATER(int, sqlite3_column_count, (sqlite3_stmt * statement), (statement))
LATER(int, sqlite3_column_type, (sqlite3_stmt * statement, int place), (statement, place))
LATER(sqlite3_int64, sqlite3_column_int64, (sqlite3_stmt * statement, int place), (statement, place))
LATER(double, sqlite3_column_double, (sqlite3_stmt * statement, int place), (statement, place))
LATER(const unsigned char *, sqlite3_column_text, (sqlite3_stmt * statement, int place), (statement, place))
LATER(const void *, sqlite3_column_blob, (sqlite3_stmt * statement, int place), (statement, place))
LATER(int, sqlite3_column_bytes, (sqlite3_stmt * statement, int place), (statement, place))

#else

const char *preflight_sqlite_problem(void) { return NULL; }

#endif

int preflight_sqlite_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
    return sqlite3_bind_text(statement, place, text, length, SQLITE_TRANSIENT);
}

int preflight_sqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, place, bytes, length, SQLITE_TRANSIENT);
}
