package db

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
	direct "zombiezen.com/go/sqlite"

	"portal/api/fault"
)

// classify tells a database that cannot answer right now from a mistake of ours:
// the one is worth another try, the other is not.
func classify(err error) error {
	if err == nil || !away(err) {
		return err
	}
	var already *fault.Error
	if errors.As(err, &already) {
		return err
	}
	return fault.Of(fault.Unavailable).Because(err)
}

func away(err error) bool {
	var connect *pgconn.ConnectError
	var network net.Error
	if errors.Is(err, errClosed) || hungUp(err) || errors.As(err, &connect) ||
		errors.As(err, &network) && !errors.Is(err, context.Canceled) {
		return true
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) { // classes 08 connection, 53 resources, 57P operator intervention; 25006 read-only
		return pg.Code == "25006" || strings.HasPrefix(pg.Code, "08") || strings.HasPrefix(pg.Code, "53") ||
			strings.HasPrefix(pg.Code, "57P")
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return busy(lite.Code() & 0xff)
	}
	return busy(int(direct.ErrCode(err).ToPrimary()))
}

// hungUp tells a server that ended its connection without a word, and what is asked on that
// connection then.
func hungUp(err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, pgconn.ErrConnClosed)
}

// busy tells the results of SQLite that are no mistake of a statement: another process
// writes, or the disk is full, read-only or broken.
func busy(code int) bool {
	switch code {
	case lib.SQLITE_BUSY, lib.SQLITE_FULL, lib.SQLITE_READONLY, lib.SQLITE_IOERR:
		return true
	}
	return false
}
