package db

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strconv"

	"zombiezen.com/go/sqlite"
)

// maxReaders bounds the reading connections; maxPrepared what each one keeps.
const (
	maxReaders  = 8
	maxPrepared = 256
)

// readers is a pool of reading connections. They speak to SQLite without
// database/sql, which costs a fifth for a list of 20 (docs/decisions/0003).
type readers struct {
	idle   chan *reader
	opened int
	closed chan struct{}
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

func openReaders(path string) (*readers, error) {
	r := &readers{idle: make(chan *reader, maxReaders), closed: make(chan struct{})}
	for ; r.opened < maxReaders; r.opened++ {
		conn, err := sqlite.OpenConn(path, sqlite.OpenReadOnly)
		if err != nil {
			return nil, errorsOf(err, r.close())
		}
		r.idle <- &reader{conn: conn, prepared: map[string]*statement{}}
	}
	return r, nil
}

func (r *readers) each(ctx context.Context, query string, args []any, row func(Scan) error) error {
	select {
	case c := <-r.idle:
		defer func() { r.idle <- c }()
		return c.each(query, args, row)
	case <-r.closed:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close waits for the reads under way.
func (r *readers) close() error {
	close(r.closed)
	var first error
	for range r.opened {
		first = errorsOf(first, (<-r.idle).conn.Close())
	}
	return first
}

func (c *reader) each(query string, args []any, row func(Scan) error) error {
	s, err := c.prepare(query)
	if err != nil {
		return err
	}
	defer s.Reset() //nolint:errcheck // repeats the error that Step has returned
	if err := s.bind(args); err != nil {
		return err
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
