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
	"bytes"
	"context"
	"embed"
	"errors"
	"io"
	"net"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
	direct "zombiezen.com/go/sqlite"

	"portal/api/change"
	"portal/api/fault"
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
	// eachWithin is each for a statement that ends with errInterrupted where it takes longer.
	eachWithin(ctx context.Context, most time.Duration, query string, args []any, row func(Scan) error) error
	ping(ctx context.Context) error
	close() error
}

// writing is engine.write.
type writing func(ctx context.Context, do func(context.Context, querier) error) error

var (
	errClosed        = errors.New("the database is closed")
	errInterrupted   = errors.New("the statement was interrupted, as it took too long")
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
	return prepared(ctx, func(ctx context.Context) error {
		if d.pg != nil && change.IsDryRun(ctx) && !Inside(ctx) {
			if err := d.exclusive.foresee(standingOf(ctx)); err != nil {
				return err
			}
		}
		return d.transact(ctx, d.write, do)
	})
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

// Prompt is a context whose reads outside of a transaction do not wait for those of others: there are
// connections for them alone. It is for short reads on which all else depends, of keys, sessions and the
// state of the service, so that no list however large keeps somebody from being told who they are.
func Prompt(ctx context.Context) context.Context { return context.WithValue(ctx, promptKey{}, true) }

type promptKey struct{}

func isPrompt(ctx context.Context) bool { return ctx.Value(promptKey{}) != nil }

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

// EachWithin is Each for a statement that may take so long at most. Where it takes longer it is interrupted:
// Interrupted reports so of the error. In a transaction it has all the time it needs.
func (d *DB) EachWithin(
	ctx context.Context, most time.Duration, query string, args []any, row func(Scan) error,
) error {
	if _, inside := ctx.Value(txKey{}).(*tx); inside {
		return d.Each(ctx, query, args, row)
	}
	d.strict.check(ctx)
	err := d.engine.eachWithin(ctx, most, query, args, row)
	switch {
	case ctx.Err() != nil && Interrupted(err): // whoever asked has gone
		err = ctx.Err()
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded): // there was no connection in time
		err = errInterrupted
	}
	return classify(err)
}

// Interrupted reports whether EachWithin ended because its statement took too long.
func Interrupted(err error) bool { return errors.Is(err, errInterrupted) }

// One reads a single row and reports whether there was one.
func (d *DB) One(ctx context.Context, query string, args []any, dest ...any) (found bool, err error) {
	err = d.Each(ctx, query, args, func(s Scan) error {
		found = true
		return s(dest...)
	})
	return found, err
}

// Has reports whether a query finds a row, of one number.
func (d *DB) Has(ctx context.Context, query string, args []any) (bool, error) {
	var one int
	return d.One(ctx, query, args, &one)
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

// Run is Exec for whom it does not matter how many rows were touched.
func (d *DB) Run(ctx context.Context, query string, args ...any) error {
	_, err := d.Exec(ctx, query, args...)
	return err
}

// Changes is Exec of a statement that touches one row, or none: it reports which.
func (d *DB) Changes(ctx context.Context, query string, args ...any) (bool, error) {
	n, err := d.Exec(ctx, query, args...)
	return n == 1, err
}

// Later writes within the transaction of the context, along with its next statement or at
// its end. Outside of a transaction it writes at once.
func (d *DB) Later(ctx context.Context, query string, args ...any) error {
	if q, inside := ctx.Value(txKey{}).(*tx); inside {
		return q.later(ctx, query, args...)
	}
	return d.Run(ctx, query, args...)
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

// Locking are the words by which a reading statement of PostgreSQL takes rows that no
// other process is at. SQLite writes one transaction after the other and needs none.
func (d *DB) Locking(words string) string {
	if !d.OnPostgres() {
		return ""
	}
	return words
}

// IndexedBy names the index that SQLite reads deliveries by. Left to itself it prefers the primary
// key, which is the table, and so reads all deliveries of a portfolio: it takes a portfolio
// to have ten. PostgreSQL counts.
func (d *DB) IndexedBy(index string) string {
	if d.OnPostgres() || index == "" {
		return ""
	}
	return " INDEXED BY " + index
}

// PlanAnew has PostgreSQL plan each statement of the transaction by the size that tables have
// now. The plan that a connection keeps of a statement is made when it has run it some times:
// in a new database that is while a few deliveries are there, so that all of them would be
// read for each one, however many they become, until statistics are gathered.
func (d *DB) PlanAnew(ctx context.Context) error {
	if !d.OnPostgres() {
		return nil
	}
	return d.Later(ctx, "SET LOCAL plan_cache_mode = force_custom_plan")
}

// Placeholders are n of them behind the first ones: $2, $3, $4.
func Placeholders(behind, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(behind+i+1))
	}
	return b.String()
}

// With are arguments, and behind them some ids.
func With(args []any, ids []string) []any {
	for _, id := range ids {
		args = append(args, id)
	}
	return args
}

// Among is the condition, behind a column, that it has one of some ids, and the arguments with the ids behind them.
// For PostgreSQL they are one array: it keeps a statement prepared, however many ids there are.
func (d *DB) Among(args []any, ids []string) (condition string, all []any) {
	if d.OnPostgres() {
		return " = ANY($" + strconv.Itoa(len(args)+1) + ")", append(args, ids)
	}
	return " IN (" + Placeholders(len(args), len(ids)) + ")", With(args, ids)
}

// Marks are placeholders for the next values of a bulk insert. SQLite finds the
// name of each named one by walking all of them, which made binding a third of the
// server's work under load; its nameless ones cost nothing.
func (d *DB) Marks(behind, n int) string {
	if d.OnPostgres() {
		return Placeholders(behind, n)
	}
	return strings.Repeat("?, ", n-1) + "?"
}

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

// Strict has a statement panic which runs within Atomically, Promptly or Exclusively with another
// context than theirs: it would be no part of the transaction, though it looks like one. It is
// for tests, as each statement takes a microsecond more.
func (d *DB) Strict() { d.strict = &strict{} }

// strict knows the goroutines that run what belongs to a transaction.
type strict struct {
	inside sync.Map
	count  atomic.Int64 // of inside: to ask for the number of a goroutine takes longer than most reads
}

// wrap notes while do runs that its goroutine is in a transaction. A nil strict notes nothing.
func (s *strict) wrap(do func(context.Context) error) func(context.Context) error {
	if s == nil {
		return do
	}
	return func(ctx context.Context) error {
		id := goroutine()
		s.inside.Store(id, true)
		s.count.Add(1)
		defer func() {
			s.inside.Delete(id)
			s.count.Add(-1)
		}()
		return do(ctx)
	}
}

// check panics where a context that is in no transaction, and was not made by Outside, is used
// in one.
func (s *strict) check(ctx context.Context) {
	if s == nil || ctx.Value(txKey{}) != nil || s.count.Load() == 0 {
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

// IsDuplicate reports whether a write was refused because a row with one of its keys is there.
func IsDuplicate(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == "23505" // unique_violation
	}
	var lite *sqlite.Error
	return errors.As(err, &lite) && (lite.Code() == lib.SQLITE_CONSTRAINT_UNIQUE ||
		lite.Code() == lib.SQLITE_CONSTRAINT_PRIMARYKEY)
}
