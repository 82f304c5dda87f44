// Package db is the engine under the stores: one text a statement for SQLite and PostgreSQL, with
// transactions, migrations and backups. The stores are packages below it, one for each part of the
// product: they run their statements by Each, One, Exec, Later and Together. Every query on a
// landlord's rows names the portfolio.
//
// A transaction travels in the context. Atomically, Promptly and Exclusively give one to what they
// run, and whatever is called with it takes part in the transaction. So within them no other
// context may be used: what is run with another one is not part of the transaction. Outside says
// so where it is meant.
//
// It knows nothing of rules, requests or pages, and of no store.
package db

import (
	"context"
	"embed"
	"errors"
	"reflect"
	"sync"
	"sync/atomic"

	"portal/api/change"
)

// Migrations are those of both databases, below migrations/sqlite and migrations/postgres.
//
//go:embed migrations
var Migrations embed.FS

// Scan copies the columns of the present row into pointers, in order. It takes
// pointers to what is stored (strings, integers, booleans, bytes, types made of
// them), pointers to pointers where a column may be NULL, and sql.Scanner.
type Scan func(dest ...any) error

// querier runs statements. The row function must not run statements of its own.
type querier interface {
	each(ctx context.Context, query string, args []any, row func(Scan) error) error
	exec(ctx context.Context, query string, args ...any) (int64, error)
	// all runs statements in their order, together where the database is away from the process.
	all(ctx context.Context, statements []Statement) error
	// later runs a statement with the next one, or at the end of the transaction, whose error
	// its own is then.
	later(ctx context.Context, query string, args ...any) error
	// flush runs what was left for later.
	flush(ctx context.Context) error
}

// engine is the seam between the two databases.
type engine interface {
	// each reads outside of any transaction; it sees what was committed before.
	each(ctx context.Context, query string, args []any, row func(Scan) error) error
	// write runs one transaction and returns after it is durable. It may run do
	// again after a failure that was not do's own.
	write(ctx context.Context, do func(context.Context, querier) error) error
	ping(ctx context.Context) error
	close() error
}

// writing is engine.write.
type writing func(ctx context.Context, do func(context.Context, querier) error) error

var (
	errClosed        = errors.New("the database is closed")
	errNoTransaction = errors.New("statements are run together within a transaction")
)

// DB is a database.
type DB struct {
	engine
	dialect dialect
	lite    *embedded
	pg      *postgres
	ready   atomic.Bool // the schema was found to be up to date
	once    sync.Once
	memory  sync.Map // what is kept in memory beside the database, by its type; see Beside

	exclusive exclusive // changes that wait for their portfolio, on PostgreSQL
	closed    error     // what the first Close answered
	strict    *strict   // in tests; see Strict
}

// Atomically runs do in one transaction: all of its writes are durable when it
// returns nil, none of them happened when it returns an error. Within do, the
// store's methods take part in the transaction through the context they are
// given. Called within a transaction it joins it. do may run twice, so it sets
// what it returns rather than adding to it. An error of do that is a change.Beforehand
// is answered before do runs anew, outside of a transaction.
func (d *DB) Atomically(ctx context.Context, do func(context.Context) error) error {
	return prepared(ctx, func(ctx context.Context) error { return d.transact(ctx, d.write, do) })
}

// prepared runs a write, and runs it anew as long as it asks for something to be done before.
func prepared(ctx context.Context, write func(context.Context) error) error {
	for {
		err := write(ctx)
		var first *change.Beforehand
		if !errors.As(err, &first) || Inside(ctx) {
			return err
		}
		if ctx, err = first.Do(ctx); err != nil {
			return err
		}
	}
}

// Promptly is Atomically for a short transaction whose delay others would notice. On
// PostgreSQL there are connections for it alone, so that it does not wait until one of many
// other transactions has ended.
func (d *DB) Promptly(ctx context.Context, do func(context.Context) error) error {
	if d.pg == nil {
		return d.Atomically(ctx, do)
	}
	return d.transact(ctx, d.pg.writePromptly, do)
}

// transact runs do in a transaction of an engine, or in that of the context.
func (d *DB) transact(ctx context.Context, write writing, do func(context.Context) error) error {
	if _, inside := ctx.Value(txKey{}).(*tx); inside {
		return do(ctx)
	}
	d.strict.check(ctx)
	do = d.strict.wrap(do)
	var t *tx
	err := classify(write(ctx, func(ctx context.Context, q querier) error {
		t = &tx{querier: q, locked: map[int64]bool{}}
		return do(context.WithValue(ctx, txKey{}, t))
	}))
	if err != nil {
		return err
	}
	for _, then := range t.then {
		then()
	}
	return nil
}

// After has something done once the transaction of the context is durable, before
// Atomically returns, and not at all where it is rolled back. Without a transaction it
// is done at once.
func (d *DB) After(ctx context.Context, then func()) {
	t, inside := ctx.Value(txKey{}).(*tx)
	if !inside {
		then()
		return
	}
	t.then = append(t.then, then)
}

// Inside reports whether a context is in a transaction of a store.
func Inside(ctx context.Context) bool {
	_, inside := ctx.Value(txKey{}).(*tx)
	return inside
}

// Outside is a context whose statements are not part of the transaction that it is in: they are
// seen at once, and stay where that is rolled back.
func Outside(ctx context.Context) context.Context { return context.WithValue(ctx, txKey{}, outside{}) }

// outside stands where a transaction would, and tells that none is meant.
type outside struct{}

// OnPostgres tells which of the two databases it is: PostgreSQL, or else SQLite.
func (d *DB) OnPostgres() bool { return d.pg != nil }

// Beside is the one value of a type that is kept in memory beside a database, the zero value at
// first. Stores are made wherever one is needed, so that what they remember is not theirs.
func Beside[T any](d *DB) *T {
	kind := reflect.TypeFor[T]()
	if v, there := d.memory.Load(kind); there {
		return v.(*T)
	}
	v, _ := d.memory.LoadOrStore(kind, new(T))
	return v.(*T)
}

// tx is the transaction that a context is in.
type tx struct {
	querier
	locked map[int64]bool // portfolios that it has locked
	then   []func()
}

type txKey struct{}

// Each reads rows, in the transaction of the context if there is one.
func (d *DB) Each(ctx context.Context, query string, args []any, row func(Scan) error) error {
	if q, inside := ctx.Value(txKey{}).(*tx); inside {
		return q.each(ctx, query, args, row)
	}
	d.strict.check(ctx)
	return classify(d.engine.each(ctx, query, args, row))
}

// EachPlanned is Each for a statement that PostgreSQL plans once for a connection, whatever its arguments are.
// Else it plans a statement anew at each view as long as it believes the arguments to make a difference,
// which takes longer than to read a page. The statement has to lead by itself to the index that is meant.
func (d *DB) EachPlanned(ctx context.Context, query string, args []any, row func(Scan) error) error {
	if _, inside := ctx.Value(txKey{}).(*tx); inside || !d.OnPostgres() {
		return d.Each(ctx, query, args, row)
	}
	d.strict.check(ctx)
	return classify(d.pg.eachPlanned(ctx, query, args, row))
}

// One reads a single row and reports whether there was one.
func (d *DB) One(ctx context.Context, query string, args []any, dest ...any) (found bool, err error) {
	err = d.Each(ctx, query, args, func(s Scan) error {
		found = true
		return s(dest...)
	})
	return found, err
}

// Exec writes, in the transaction of the context or in one of its own, and tells
// how many rows it touched.
func (d *DB) Exec(ctx context.Context, query string, args ...any) (n int64, err error) {
	if q, inside := ctx.Value(txKey{}).(*tx); inside {
		return q.exec(ctx, query, args...)
	}
	d.strict.check(ctx)
	err = d.write(ctx, func(ctx context.Context, q querier) error {
		n, err = q.exec(ctx, query, args...)
		return err
	})
	return n, classify(err)
}

// Later writes within the transaction of the context, along with its next statement or at
// its end. Outside of a transaction it writes at once.
func (d *DB) Later(ctx context.Context, query string, args ...any) error {
	if q, inside := ctx.Value(txKey{}).(*tx); inside {
		return q.later(ctx, query, args...)
	}
	_, err := d.Exec(ctx, query, args...)
	return err
}

// Together runs statements together, in the transaction of the context, which there must be.
func (d *DB) Together(ctx context.Context, statements []Statement) error {
	q, inside := ctx.Value(txKey{}).(*tx)
	if !inside {
		return errNoTransaction
	}
	return q.all(ctx, statements)
}

// Ping reports whether the database answers.
func (d *DB) Ping(ctx context.Context) error { return d.ping(ctx) }

// Close waits for the reads and writes under way and closes all connections. What
// is asked for afterwards is refused; closing again does nothing.
func (d *DB) Close() error {
	d.once.Do(func() { d.closed = d.close() })
	return d.closed
}
