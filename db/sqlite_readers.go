package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"reflect"
	"strconv"
	"sync"

	"zombiezen.com/go/sqlite"

	"portal/api/clock"
	"portal/api/money"
)

// maxReaders bounds the reading connections, promptReaders those that are apart, see Prompt;
// maxPrepared is what each one keeps.
const (
	maxReaders    = 8
	promptReaders = 2
	maxPrepared   = 256
)

// readerCache is what a reading connection keeps of the file, in KiB. The system keeps the rest,
// for all of them together, and a connection drops what it has once something is written.
const readerCache = "PRAGMA cache_size(-512)"

// readers is a pool of reading connections, which are opened when they are first needed: each reads the schema.
// They speak to SQLite without database/sql, which costs a fifth for a list of 20 (docs/decisions/0003).
type readers struct {
	path   string
	free   chan struct{} // one for each that may be taken
	closed chan struct{}

	mu   sync.Mutex
	idle []*reader // the one that was used last is used next: the others stay small
}

// reader is a connection with the statements it has prepared.
type reader struct {
	conn     *sqlite.Conn
	prepared map[string]*statement
}

// statement is prepared SQL; order[i] is the argument of its parameter i+1.
type statement struct {
	*sqlite.Stmt
	order []int
}

// openReaders opens the first of n connections, so that a database that cannot be read is noticed at once.
func openReaders(path string, n int) (*readers, error) {
	first, err := openReader(path)
	if err != nil {
		return nil, err
	}
	r := &readers{path: path, free: make(chan struct{}, n), closed: make(chan struct{}), idle: []*reader{first}}
	for range n {
		r.free <- struct{}{}
	}
	return r, nil
}

func openReader(path string) (*reader, error) {
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadOnly)
	if err != nil {
		return nil, err
	}
	c := &reader{conn: conn, prepared: map[string]*statement{}}
	if err := c.each(context.Background(), false, readerCache, nil, func(Scan) error { return nil }); err != nil {
		return nil, errorsOf(err, conn.Close())
	}
	return c, nil
}

func (r *readers) each(ctx context.Context, query string, args []any, row func(Scan) error) error {
	c, err := r.take(ctx)
	if err != nil {
		return err
	}
	defer r.put(c)
	return c.each(ctx, false, query, args, row)
}

// eachWithin is each, and ends with errInterrupted once the context is done.
func (r *readers) eachWithin(ctx context.Context, query string, args []any, row func(Scan) error) error {
	c, err := r.take(ctx)
	if err != nil {
		return err
	}
	defer r.put(c)
	err = c.each(ctx, true, query, args, row)
	if sqlite.ErrCode(err) == sqlite.ResultInterrupt {
		err = errInterrupted
	}
	return err
}

// take waits for an idle connection, or opens one more.
func (r *readers) take(ctx context.Context) (*reader, error) {
	select {
	case <-r.free:
	case <-r.closed:
		return nil, errClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c := r.last(); c != nil {
		return c, nil
	}
	c, err := openReader(r.path)
	if err != nil {
		r.free <- struct{}{}
	}
	return c, err
}

// last takes the idle connection that was used last, nil where all that are open are in use.
func (r *readers) last() (c *reader) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if last := len(r.idle) - 1; last >= 0 {
		c, r.idle = r.idle[last], r.idle[:last]
	}
	return c
}

func (r *readers) put(c *reader) {
	r.mu.Lock()
	r.idle = append(r.idle, c)
	r.mu.Unlock()
	r.free <- struct{}{}
}

// close waits for the reads under way.
func (r *readers) close() error {
	close(r.closed)
	var first error
	for range cap(r.free) {
		<-r.free
	}
	for _, c := range r.idle {
		first = errorsOf(first, c.conn.Close())
	}
	return first
}

// each runs a statement; one that is to be interrupted ends with the context.
func (c *reader) each(ctx context.Context, interrupted bool, query string, args []any, row func(Scan) error) error {
	s, err := c.prepare(query)
	if err != nil {
		return err
	}
	defer s.Reset() //nolint:errcheck // repeats the error that Step has returned
	if err := s.bind(args); err != nil {
		return err
	}
	if interrupted {
		c.conn.SetInterrupt(ctx.Done())
		defer c.conn.SetInterrupt(nil)
	}
	copyRow := Scan(s.scan)
	for {
		more, err := s.Step()
		if err != nil || !more {
			return err
		}
		if err := row(copyRow); err != nil {
			return err
		}
	}
}

// prepare finds a statement or makes it. A connection that has collected too
// many (filters combine in many ways) starts afresh.
func (c *reader) prepare(query string) (*statement, error) {
	if s := c.prepared[query]; s != nil {
		return s, nil
	}
	if len(c.prepared) >= maxPrepared {
		for _, s := range c.prepared {
			if err := s.Finalize(); err != nil {
				return nil, err
			}
		}
		clear(c.prepared)
	}
	stmt, err := c.conn.Prepare(query)
	if err != nil {
		return nil, err
	}
	s := &statement{Stmt: stmt}
	for i := range stmt.BindParamCount() {
		n, err := strconv.Atoi(stmt.BindParamName(i + 1)[1:])
		if err != nil {
			return nil, fmt.Errorf("parameter %s of %s: %w", stmt.BindParamName(i+1), query, err)
		}
		s.order = append(s.order, n-1)
	}
	c.prepared[query] = s
	return s, nil
}

func (s *statement) bind(args []any) error {
	for i, n := range s.order {
		if n >= len(args) {
			return fmt.Errorf("argument %d is missing", n+1)
		}
		if err := s.bindOne(i+1, args[n]); err != nil {
			return fmt.Errorf("argument %d: %w", n+1, err)
		}
	}
	return nil
}

func (s *statement) bindOne(at int, arg any) error {
	switch v := arg.(type) {
	case string:
		s.BindText(at, v)
	case int64:
		s.BindInt64(at, v)
	case int:
		s.BindInt64(at, int64(v))
	case bool:
		s.BindBool(at, v)
	case []byte:
		s.BindBytes(at, v)
	case nil:
		s.BindNull(at)
	default:
		plain, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			return err
		}
		return s.bindOne(at, plain)
	}
	return nil
}

// scan copies the columns of the present row. The types that records are full of
// are met without reflection.
func (s *statement) scan(dest ...any) error {
	for i, d := range dest {
		switch d := d.(type) {
		case *string:
			*d = s.ColumnText(i)
		case **string:
			*d = optional(s, i, s.ColumnText)
		case *int:
			*d = int(s.ColumnInt64(i))
		case **int:
			*d = optional(s, i, s.ColumnInt)
		case *int64:
			*d = s.ColumnInt64(i)
		case *bool:
			*d = s.ColumnInt64(i) != 0
		case *clock.Time:
			*d = clock.Time(s.ColumnInt64(i))
		case **clock.Time:
			*d = optional(s, i, func(i int) clock.Time { return clock.Time(s.ColumnInt64(i)) })
		case *clock.Date:
			*d = clock.Date(s.ColumnInt64(i))
		case **clock.Date:
			*d = optional(s, i, func(i int) clock.Date { return clock.Date(s.ColumnInt64(i)) })
		case *money.Cents:
			*d = money.Cents(s.ColumnInt64(i))
		case **money.Cents:
			*d = optional(s, i, func(i int) money.Cents { return money.Cents(s.ColumnInt64(i)) })
		default:
			if err := s.scanOther(i, d); err != nil {
				return fmt.Errorf("column %d: %w", i+1, err)
			}
		}
	}
	return nil
}

func optional[T any](s *statement, i int, read func(int) T) *T {
	if s.ColumnIsNull(i) {
		return nil
	}
	v := read(i)
	return &v
}

func (s *statement) scanOther(i int, dest any) error {
	if d, ok := dest.(*[]byte); ok {
		*d = s.bytes(i)
		return nil
	}
	if d, ok := dest.(sql.Scanner); ok {
		return d.Scan(s.value(i))
	}
	v := reflect.ValueOf(dest).Elem()
	if v.Kind() == reflect.Pointer {
		if s.ColumnIsNull(i) {
			v.SetZero()
			return nil
		}
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(s.ColumnText(i))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(s.ColumnInt64(i))
	default:
		return fmt.Errorf("cannot scan into %T", dest)
	}
	return nil
}

func (s *statement) value(i int) any {
	switch s.ColumnType(i) {
	case sqlite.TypeText:
		return s.ColumnText(i)
	case sqlite.TypeInteger:
		return s.ColumnInt64(i)
	case sqlite.TypeBlob:
		return s.bytes(i)
	default:
		return nil
	}
}

func (s *statement) bytes(i int) []byte {
	if s.ColumnIsNull(i) {
		return nil
	}
	b := make([]byte, s.ColumnLen(i))
	s.ColumnBytes(i, b)
	return b
}
