#pragma once
#include <sqlite3.h>

/// SQLITE_TRANSIENT is a cast that Swift cannot import: SQLite copies the bytes before the call returns.
static inline sqlite3_destructor_type CSQLite_transient(void) { return SQLITE_TRANSIENT; }
/// SQLITE_STATIC: the bytes outlive the statement's next step.
static inline sqlite3_destructor_type CSQLite_static(void) { return SQLITE_STATIC; }
/// Takes no count of the bytes in use: a lock for each allocation, and nobody asks. To be called before anything is
/// opened; sqlite3_config takes any arguments, which Swift cannot give.
static inline void CSQLite_configure(void) { (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
