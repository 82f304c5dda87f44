package db

import (
	"fmt"
	"sync"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// stablePlans has the planner of SQLite leave the values of arguments alone on all connections that are opened from
// now on: its query planner stability guarantee. Without it a statement with a bound LIMIT or LIKE, or one that
// compares an argument with a column in the condition of a partial index, is parsed and planned again at each
// execution, which costs more than to run it.
//
// Neither driver has a setting for that, so it is an extension, which SQLite calls for each new connection.
var stablePlans = sync.OnceValue(func() error {
	tls := libc.NewTLS()
	defer tls.Close()
	code := *(*uintptr)(unsafe.Pointer(&setStablePlans)) //nolint:gosec // an address is what SQLite takes
	if rc := lib.Xsqlite3_auto_extension(tls, code); rc != lib.SQLITE_OK {
		return fmt.Errorf("keep plans: SQLite answered %d", rc)
	}
	return nil
})

// setStablePlans is the entry point of the extension: a variable, so that it has the address that SQLite calls.
var setStablePlans = func(tls *libc.TLS, conn, _, _ uintptr) int32 {
	args := libc.NewVaList(int32(1), uintptr(0))
	if args == 0 {
		return lib.SQLITE_NOMEM
	}
	defer libc.Xfree(tls, args)
	return lib.Xsqlite3_db_config(tls, conn, lib.SQLITE_DBCONFIG_ENABLE_QPSG, args)
}
