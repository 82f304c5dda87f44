package db

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"portal/api/access"
)

// Statement is a statement, one of several that are sent together. row reads its rows; it is nil
// where there are none to read, and count, where that is not nil, is then set to how many rows
// the statement touched.
type Statement struct {
	Query string
	Args  []any
	Row   func(Scan) error
	Count *int64
}

// pgxTx is a transaction of PostgreSQL. What is to be run later goes along with the next
// statement, in one message, so that it costs no round trip of its own.
type pgxTx struct {
	pgx.Tx
	queued []Statement
	kept   map[keptKey]any // what was read of portfolios that it has locked; see Keep
}

// keptKey names what was read of a table in a portfolio.
type keptKey struct {
	portfolio int64
	table     string
}

// Keep keeps what was read of a table, while the transaction of the context has locked the
// portfolio that it belongs to and writes nothing to the table: changes that share the
// transaction read it once. The table may be changed by nobody who has not locked the portfolio.
// Elsewhere nothing is kept: on SQLite, where reading costs no round trip, and without the lock.
func (d *DB) Keep(ctx context.Context, in access.Portfolio, table string, v any) {
	t := lockedBy(ctx, in)
	if t == nil {
		return
	}
	if t.kept == nil {
		t.kept = map[keptKey]any{}
	}
	t.kept[keptKey{in.ID, table}] = v
}

// Kept is what Keep has kept, nil where there is nothing.
func (d *DB) Kept(ctx context.Context, in access.Portfolio, table string) any {
	if t := lockedBy(ctx, in); t != nil {
		return t.kept[keptKey{in.ID, table}]
	}
	return nil
}

// lockedBy is the transaction of PostgreSQL that a context is in, where it has locked a
// portfolio; nil otherwise.
func lockedBy(ctx context.Context, in access.Portfolio) *pgxTx {
	t, inside := ctx.Value(txKey{}).(*tx)
	if !inside || !t.locked[in.ID] {
		return nil
	}
	q, _ := t.querier.(*pgxTx)
	return q
}

// changes forgets what is kept where a statement may change it.
func (t *pgxTx) changes(query string) {
	if len(t.kept) == 0 || strings.HasPrefix(query, "SELECT") {
		return
	}
	for k := range t.kept {
		if strings.Contains(query, k.table) {
			delete(t.kept, k)
		}
	}
}

func (t *pgxTx) each(ctx context.Context, query string, args []any, row func(Scan) error) error {
	t.changes(query)
	if len(t.queued) > 0 {
		return t.all(ctx, []Statement{{Query: query, Args: args, Row: row}})
	}
	return pgxQuerier{t.Tx}.each(ctx, query, args, row)
}

func (t *pgxTx) exec(ctx context.Context, query string, args ...any) (int64, error) {
	t.changes(query)
	if len(t.queued) > 0 {
		var n int64
		err := t.all(ctx, []Statement{{Query: query, Args: args, Count: &n}})
		return n, err
	}
	return pgxQuerier{t.Tx}.exec(ctx, query, args...)
}

func (t *pgxTx) later(_ context.Context, query string, args ...any) error {
	t.changes(query)
	t.queued = append(t.queued, Statement{Query: query, Args: args})
	return nil
}

// flush runs what was left for later.
func (t *pgxTx) flush(ctx context.Context) error { return t.all(ctx, nil) }

// all sends statements together, behind those that were left for later, and reads what they
// answer in their order. The first that fails is the error; those behind it do not happen.
func (t *pgxTx) all(ctx context.Context, statements []Statement) (err error) {
	for _, s := range statements { // those that were left for later have forgotten what they change
		t.changes(s.Query)
	}
	statements, t.queued = append(t.queued, statements...), nil
	if len(statements) == 0 {
		return nil
	}
	var batch pgx.Batch
	for _, s := range statements {
		batch.Queue(s.Query, s.Args...)
	}
	answers := t.SendBatch(ctx, &batch)
	for i := 0; i < len(statements) && err == nil; i++ {
		err = statements[i].read(answers)
	}
	if closed := answers.Close(); err == nil {
		err = closed
	}
	return err
}

// read takes the answer of a statement, the next one that comes.
func (s *Statement) read(answers pgx.BatchResults) error {
	if s.Row == nil {
		tag, err := answers.Exec()
		if s.Count != nil {
			*s.Count = tag.RowsAffected()
		}
		return err
	}
	rows, err := answers.Query()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := s.Row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// all runs statements one after the other.
func (t sqlTx) all(ctx context.Context, statements []Statement) error {
	for _, s := range statements {
		var err error
		if s.Row == nil {
			var n int64
			n, err = t.exec(ctx, s.Query, s.Args...)
			if s.Count != nil {
				*s.Count = n
			}
		} else {
			err = t.each(ctx, s.Query, s.Args, s.Row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t sqlTx) flush(context.Context) error { return nil }

func (t sqlTx) later(ctx context.Context, query string, args ...any) error {
	_, err := t.exec(ctx, query, args...)
	return err
}
