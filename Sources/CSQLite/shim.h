/* CSQLite: SQLite's header, and what Swift cannot call of it. Imported by PosternStore alone. */
#ifndef POSTERN_CSQLITE_SHIM_H
#define POSTERN_CSQLITE_SHIM_H
#include <sqlite3.h>

/* sqlite3_db_config is variadic, and Swift cannot call such functions. */
static inline int postern_sqlite3_set_option(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}

/* SQLITE_TRANSIENT is a macro with a cast, which Swift does not import. */
static inline sqlite3_destructor_type postern_sqlite3_transient(void) { return SQLITE_TRANSIENT; }

#endif
