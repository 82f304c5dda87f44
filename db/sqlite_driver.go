package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unsafe"

	"modernc.org/libc"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// connector opens connections that keep what they have prepared. modernc's driver
// parses a statement at each execution, which is most of a short statement's cost;
// River's queries gain as much as ours.
type connector struct{ dsn string }

func (c connector) Connect(context.Context) (driver.Conn, error) {
	inner, err := c.Driver().Open(c.dsn)
	if err != nil {
		return nil, err
	}
	return &caching{inner: inner, kept: map[string]*keptStmt{}}, nil
}

func (connector) Driver() driver.Driver { return &sqlite.Driver{} }

// caching is a connection with a cache of prepared statements.
type caching struct {
	inner  driver.Conn
	kept   map[string]*keptStmt
	broken error // why SQLite has rolled back the transaction by itself
	inTx   bool
}

// keptStmt is a prepared statement that outlives its Close.
type keptStmt struct {
	conn  *caching
	query string
	inner driver.Stmt
	busy  bool // its rows are being read
	loose bool // not in the cache: closed after its use
	held  bool // not in the cache: closed where it was prepared
}

func (c *caching) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

// PrepareContext makes a statement for somebody who holds it; the cache, which
// closes the statements that it has no room for, does not know it.
func (c *caching) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	inner, err := c.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return &keptStmt{conn: c, inner: inner, held: true}, nil
}

func (c *caching) prepare(ctx context.Context, query string) (driver.Stmt, error) {
	if c.broken != nil {
		return nil, c.broken
	}
	return c.inner.(driver.ConnPrepareContext).PrepareContext(ctx, query)
}

func (c *caching) statement(ctx context.Context, query string) (*keptStmt, error) {
	if c.broken != nil {
		return nil, c.broken
	}
	if s := c.kept[query]; s != nil && !s.busy {
		return s, nil
	}
	inner, err := c.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	s := &keptStmt{conn: c, query: query, inner: inner}
	if c.kept[query] != nil {
		s.loose = true
		return s, nil
	}
	return s, c.keep(query, s)
}

func (c *caching) keep(query string, s *keptStmt) error {
	if len(c.kept) >= maxPrepared {
		for q, old := range c.kept {
			if old.busy {
				continue
			}
			delete(c.kept, q)
			if err := old.inner.Close(); err != nil {
				return err
			}
			break
		}
	}
	c.kept[query] = s
	return nil
}

func (c *caching) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	defer s.Close() //nolint:errcheck // only a loose statement is closed
	return s.ExecContext(ctx, args)
}

func (c *caching) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := s.QueryContext(ctx, args)
	if err != nil {
		return nil, errorsOf(err, s.Close())
	}
	return rows, nil
}

func (c *caching) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

func (c *caching) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	tx, err := c.inner.(driver.ConnBeginTx).BeginTx(ctx, opts)
	if err != nil {
		return nil, err
	}
	c.inTx, c.broken = true, nil
	return cachingTx{c, tx}, nil
}

func (c *caching) Ping(ctx context.Context) error { return c.inner.(driver.Pinger).Ping(ctx) }

func (c *caching) ResetSession(ctx context.Context) error {
	return c.inner.(driver.SessionResetter).ResetSession(ctx)
}

func (c *caching) IsValid() bool { return c.inner.(driver.Validator).IsValid() }

func (c *caching) Close() error {
	var first error
	for _, s := range c.kept {
		first = errorsOf(first, s.inner.Close())
	}
	return errorsOf(first, c.inner.Close())
}

// watch remembers an error after which SQLite may have rolled back the whole
// transaction (sqlite.org/lang_transaction.html, section 2.3): statements that
// follow would be committed one by one, so none is let through.
func (c *caching) watch(err error) error {
	var e *sqlite.Error
	if err == nil || !c.inTx || !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_FULL, lib.SQLITE_IOERR, lib.SQLITE_NOMEM, lib.SQLITE_BUSY, lib.SQLITE_INTERRUPT, lib.SQLITE_CORRUPT:
		c.broken = err
	}
	return err
}

// cachingTx ends a transaction; a broken one cannot be committed.
type cachingTx struct {
	conn  *caching
	inner driver.Tx
}

func (t cachingTx) Commit() error {
	broken := t.conn.broken
	t.conn.inTx, t.conn.broken = false, nil
	if broken != nil {
		_ = t.inner.Rollback() // it may be over already
		return broken
	}
	if hooks != nil {
		hooks.Committing(t.conn)
	}
	err := t.inner.Commit()
	if hooks != nil {
		hooks.Committed(t.conn)
	}
	return err
}

func (t cachingTx) Rollback() error {
	broken := t.conn.broken
	t.conn.inTx, t.conn.broken = false, nil
	err := t.inner.Rollback()
	if broken != nil {
		return nil //nolint:nilerr // SQLite rolled back already, or has done so now
	}
	return err
}

func (s *keptStmt) Close() error {
	if s.loose || s.held {
		return s.inner.Close()
	}
	return nil
}

func (s *keptStmt) NumInput() int { return s.inner.NumInput() }

func (s *keptStmt) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }

func (s *keptStmt) Query([]driver.Value) (driver.Rows, error) { return nil, driver.ErrSkip }

func (s *keptStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	if hooks != nil {
		hooks.Executing(s.conn, s.query, args)
	}
	result, err := s.inner.(driver.StmtExecContext).ExecContext(ctx, args)
	return result, s.conn.watch(err)
}

func (s *keptStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	if hooks != nil {
		hooks.Executing(s.conn, s.query, args)
	}
	rows, err := s.inner.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		return nil, s.conn.watch(err)
	}
	s.busy = true
	return &keptRows{Rows: rows, stmt: s}, nil
}

// keptRows gives its statement back when it is closed.
type keptRows struct {
	driver.Rows
	stmt *keptStmt
}

func (r *keptRows) Next(dest []driver.Value) error { return r.stmt.conn.watch(r.Rows.Next(dest)) }

func (r *keptRows) Close() error {
	r.stmt.busy = false
	err := r.Rows.Close()
	if r.stmt.loose {
		err = errorsOf(err, r.stmt.inner.Close())
	}
	return err
}

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
	err = d.lite.readers.opened(ctx, func(r *reader) {
		for query, s := range r.prepared {
			check(query, s.Stmt, "stmt")
		}
	})
	return queries, errors.Join(err, d.onWriter(ctx, func(c *caching) {
		for query, s := range c.kept {
			check(query, s.inner, "pstmt")
		}
	}))
}

// opened looks at every reading connection that is open, once none is in use.
func (r *readers) opened(ctx context.Context, look func(*reader)) error {
	taken := 0
	defer func() {
		for range taken {
			r.free <- struct{}{}
		}
	}()
	for range cap(r.free) {
		select {
		case <-r.free:
			taken++
		case <-r.closed:
			return errClosed
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.idle {
		look(c)
	}
	return nil
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
