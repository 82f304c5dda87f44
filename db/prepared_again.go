package db

import (
	"context"
	"errors"
	"reflect"
	"strings"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// PreparedAgain are the kept statements that SQLite has prepared more than once, as it does after a change of the
// schema, and where a plan depends on the arguments. Settings are left out: they make each other prepared again. A
// database that is closed keeps none. It is for tests.
func (d *DB) PreparedAgain(ctx context.Context) (queries []string, err error) {
	if d.lite == nil || d.lite.readers.stopped() {
		return nil, nil
	}
	tls := libc.NewTLS()
	defer tls.Close()
	check := func(query string, stmt any, handle string) {
		if strings.HasPrefix(query, "PRAGMA ") {
			return
		}
		// Neither driver tells how often a statement was prepared.
		of := uintptr(reflect.ValueOf(stmt).Elem().FieldByName(handle).Uint())
		if of != 0 && lib.Xsqlite3_stmt_status(tls, of, lib.SQLITE_STMTSTATUS_REPREPARE, 0) > 0 {
			queries = append(queries, query)
		}
	}
	readers, err := d.lite.readers.all(ctx)
	for _, r := range readers {
		for query, s := range r.prepared {
			check(query, s.Stmt, "stmt")
		}
		d.lite.readers.put(r)
	}
	return queries, errors.Join(err, d.onWriter(ctx, func(c *caching) {
		for query, s := range c.kept {
			check(query, s.inner, "pstmt")
		}
	}))
}

// all takes every reading connection.
func (r *readers) all(ctx context.Context) (taken []*reader, err error) {
	for range r.opened {
		c, err := r.take(ctx)
		if err != nil {
			return taken, err
		}
		taken = append(taken, c)
	}
	return taken, nil
}

// stopped reports whether the connections are closed.
func (r *readers) stopped() bool {
	select {
	case <-r.closed:
		return true
	default:
		return false
	}
}

// onWriter does something with the writing connection.
func (d *DB) onWriter(ctx context.Context, do func(*caching)) error {
	conn, err := d.lite.sql.Conn(ctx)
	if err != nil {
		return err
	}
	err = conn.Raw(func(c any) error {
		do(c.(*caching))
		return nil
	})
	return errors.Join(err, conn.Close())
}
