// Package crash ends a process at a chosen step of a transaction. Only the binary for tests of
// crashes, which cmd/portal/crash.go makes, has it: what is released does not import it.
package crash

import (
	"bytes"
	"context"
	"database/sql/driver"
	"fmt"
	"iter"
	"net"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"portal/db"
)

// At has this process kill itself, as kill -9 does, at the n-th step (from 1) of
// the transaction whose statement is the first to carry a text, an Idempotency-Key.
//
// A step is the moment before a statement is executed, River's too, and those before and
// after the COMMIT; on PostgreSQL also the one when the COMMIT has been sent and not been
// answered.
//
// A transaction with fewer steps says on stderr how many it had. The number of statements may differ from one process
// to the next; the steps of the COMMIT can be had from the end too: -1 is the moment after it, -2 the one before, which
// is on PostgreSQL the one when it has been sent and not been answered, and -3 the one before it there.
//
// It is called before a database is opened.
func At(text string, n int) { db.SetStepHooks(&countdown{texts: []string{text}, given: n, left: n}) }

// Through is At for a job of many transactions: the steps count of each that has a statement with one of some texts in
// its SQL, from that statement on, one transaction after the other. Each says on stderr how many there were so far.
func Through(texts []string, n int) {
	db.SetStepHooks(&countdown{texts: texts, through: true, given: n, left: n})
}

// countdown is how far the process is from its end. It is the db.StepHooks of the process.
type countdown struct {
	mu      sync.Mutex
	texts   []string
	through bool // texts are of SQL, and the count goes on after a COMMIT
	given   int
	left    int
	conn    any // whose steps count, nil until a text was seen

	released bool // of its transaction only the COMMIT is left
}

// reach is a step of a connection. The first one whose text is found counts from then on.
func (c *countdown) reach(conn any, found func(text string) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left == 0 {
		return
	}
	if c.conn == nil && slices.ContainsFunc(c.texts, found) {
		c.conn = conn
	}
	if c.conn != conn || c.left < 0 {
		return
	}
	if c.left--; c.left == 0 {
		die()
	}
}

// last is a step of the COMMIT, counted from the last one of its connection, -1.
func (c *countdown) last(conn any, n int) {
	c.reach(conn, nowhere)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == conn && conn != nil && c.left == n {
		die()
	}
}

// release notes the end of the savepoint that is counted.
func (c *countdown) release(conn any, query string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.released = c.released || c.conn == conn && query == "RELEASE member"
}

// rolledBack notes that what was counted is taken back. A write that runs anew, once a document has been
// rendered for it, is counted on in its next transaction.
func (c *countdown) rolledBack(conn any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == conn {
		c.conn = nil
	}
}

// over reports whether only the COMMIT is still to be counted.
func (c *countdown) over(conn any) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conn == conn && c.released
}

// survive ends the count: the transaction is over.
func (c *countdown) survive(conn any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == conn && conn != nil && c.left > 0 {
		fmt.Fprintf(os.Stderr, "crash: %d steps\n", c.given-c.left)
		if c.conn, c.released = nil, false; !c.through {
			c.left = 0
		}
	}
}

// die does not return, and nothing of this process runs after it.
func die() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Kill()
	}
	select {}
}

func nowhere(string) bool { return false }

// says reports whether a statement is one from which on steps count.
func (c *countdown) says(text, query string, args iter.Seq[any]) bool {
	if c.through {
		return strings.Contains(query, text)
	}
	for a := range args {
		if a == any(text) {
			return true
		}
	}
	return false
}

// Executing counts a statement of the writing connection. The steps of a member of a group end
// with its savepoint; what others do before the common COMMIT is none of them.
func (c *countdown) Executing(conn any, query string, args []driver.NamedValue) {
	if c.over(conn) {
		return
	}
	defer c.release(conn, query)
	c.reach(conn, func(text string) bool {
		return c.says(text, query, func(yield func(any) bool) {
			for _, a := range args {
				if !yield(a.Value) {
					return
				}
			}
		})
	})
	if rollsBack(query) {
		c.rolledBack(conn)
	}
}

func rollsBack(query string) bool { return strings.HasPrefix(strings.ToUpper(query), "ROLLBACK") }

// Committing counts the moment before a COMMIT.
func (c *countdown) Committing(conn any) { c.last(conn, -2) }

// Committed counts the moment after a COMMIT.
func (c *countdown) Committed(conn any) {
	c.last(conn, -1)
	c.survive(conn)
}

// Connecting has the statements sent to PostgreSQL counted, but for a connection with TLS:
// what passes there cannot be told apart.
func (c *countdown) Connecting(config *pgx.ConnConfig) {
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &wire{conn, c}, nil
	}
	config.Tracer = tracer{c}
}

// wire is a connection to PostgreSQL.
type wire struct {
	net.Conn
	count *countdown
}

// Write has sent a COMMIT when it returns, whose answer has not been read yet.
func (w *wire) Write(b []byte) (int, error) {
	n, err := w.Conn.Write(b)
	if bytes.HasSuffix(b, []byte("commit\x00")) {
		w.count.last(w, -2)
	}
	return n, err
}

// tracer hears of each statement, River's too.
type tracer struct{ count *countdown }

// TraceQueryStart is called before a statement is sent.
func (t tracer) TraceQueryStart(ctx context.Context, c *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	if q.SQL == "commit" {
		t.count.last(c.PgConn().Conn(), -3)
		return ctx
	}
	t.count.reach(c.PgConn().Conn(), func(text string) bool {
		return t.count.says(text, q.SQL, slices.Values(q.Args))
	})
	if rollsBack(q.SQL) {
		t.count.rolledBack(c.PgConn().Conn())
	}
	return ctx
}

// TraceBatchStart is called before statements are sent together, which is one step: they go in
// one message.
func (t tracer) TraceBatchStart(ctx context.Context, c *pgx.Conn, b pgx.TraceBatchStartData) context.Context {
	t.count.reach(c.PgConn().Conn(), func(text string) bool {
		return slices.ContainsFunc(b.Batch.QueuedQueries, func(q *pgx.QueuedQuery) bool {
			return t.count.says(text, q.SQL, slices.Values(q.Arguments))
		})
	})
	return ctx
}

// TraceBatchQuery is called when one of several statements has been answered.
func (tracer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd is called when all of them have been.
func (tracer) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// TraceQueryEnd is called when a statement has been answered.
func (t tracer) TraceQueryEnd(_ context.Context, c *pgx.Conn, q pgx.TraceQueryEndData) {
	if q.CommandTag.String() == "COMMIT" {
		t.count.last(c.PgConn().Conn(), -1)
		t.count.survive(c.PgConn().Conn())
	}
}
