package db

import (
	"bytes"
	"context"
	"runtime"
	"sync"
)

// Strict has a statement panic which runs within Atomically, Promptly or Exclusively with another
// context than theirs: it would be no part of the transaction, though it looks like one. It is
// for tests, as each statement takes a microsecond more.
func (d *DB) Strict() { d.strict = &strict{} }

// strict knows the goroutines that run what belongs to a transaction.
type strict struct{ inside sync.Map }

// wrap notes while do runs that its goroutine is in a transaction. A nil strict notes nothing.
func (s *strict) wrap(do func(context.Context) error) func(context.Context) error {
	if s == nil {
		return do
	}
	return func(ctx context.Context) error {
		id := goroutine()
		s.inside.Store(id, true)
		defer s.inside.Delete(id)
		return do(ctx)
	}
}

// check panics where a context that is in no transaction, and was not made by Outside, is used
// in one.
func (s *strict) check(ctx context.Context) {
	if s == nil || ctx.Value(txKey{}) != nil {
		return
	}
	if _, inside := s.inside.Load(goroutine()); inside {
		panic("db: a statement leaves its transaction: it has another context than the one that was given")
	}
}

// goroutine is the number of the present goroutine, which only a trace of it tells.
func goroutine() string {
	var trace [40]byte
	fields := bytes.Fields(trace[:runtime.Stack(trace[:], false)]) // goroutine 12 [running]: …
	return string(fields[1])
}
