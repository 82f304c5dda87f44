package db

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"portal/api/webhook"
)

// stmt is a statement, one of several that are sent together. row reads its rows; it is nil
// where there are none to read, and count, where that is not nil, is then set to how many rows
// the statement touched.
type stmt struct {
	query string
	args  []any
	row   func(scan) error
	count *int64
}

// pgxTx is a transaction of PostgreSQL. What is to be run later goes along with the next
// statement, in one message, so that it costs no round trip of its own.
type pgxTx struct {
	pgx.Tx
	queued  []stmt
	enabled map[int64][]webhook.Endpoint // of portfolios that it has locked, since it has changed none
}

// enabledIn are the enabled endpoints of a portfolio, where they have been read.
func (t *pgxTx) enabledIn(portfolio int64) ([]webhook.Endpoint, bool) {
	all, known := t.enabled[portfolio]
	return slices.Clone(all), known
}

// keepEnabled keeps the enabled endpoints of a portfolio that this transaction has locked.
func (t *pgxTx) keepEnabled(portfolio int64, all []webhook.Endpoint) {
	if t.enabled == nil {
		t.enabled = map[int64][]webhook.Endpoint{}
	}
	t.enabled[portfolio] = slices.Clone(all)
}

// changes forgets what is kept where a statement may change it.
func (t *pgxTx) changes(query string) {
	if t.enabled != nil && strings.Contains(query, "webhook_endpoints") && !strings.HasPrefix(query, "SELECT") {
		t.enabled = nil
	}
}

func (t *pgxTx) each(ctx context.Context, query string, args []any, row func(scan) error) error {
	t.changes(query)
	if len(t.queued) > 0 {
		return t.all(ctx, []stmt{{query: query, args: args, row: row}})
	}
	return pgxQuerier{t.Tx}.each(ctx, query, args, row)
}

func (t *pgxTx) exec(ctx context.Context, query string, args ...any) (int64, error) {
	t.changes(query)
	if len(t.queued) > 0 {
		var n int64
		err := t.all(ctx, []stmt{{query: query, args: args, count: &n}})
		return n, err
	}
	return pgxQuerier{t.Tx}.exec(ctx, query, args...)
}

func (t *pgxTx) later(_ context.Context, query string, args ...any) error {
	t.changes(query)
	t.queued = append(t.queued, stmt{query: query, args: args})
	return nil
}

// flush runs what was left for later.
func (t *pgxTx) flush(ctx context.Context) error { return t.all(ctx, nil) }

// all sends statements together, behind those that were left for later, and reads what they
// answer in their order. The first that fails is the error; those behind it do not happen.
func (t *pgxTx) all(ctx context.Context, statements []stmt) (err error) {
	statements, t.queued = append(t.queued, statements...), nil
	if len(statements) == 0 {
		return nil
	}
	var batch pgx.Batch
	for _, s := range statements {
		t.changes(s.query)
		batch.Queue(s.query, s.args...)
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
func (s *stmt) read(answers pgx.BatchResults) error {
	if s.row == nil {
		tag, err := answers.Exec()
		if s.count != nil {
			*s.count = tag.RowsAffected()
		}
		return err
	}
	rows, err := answers.Query()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := s.row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// all runs statements one after the other.
func (t sqlTx) all(ctx context.Context, statements []stmt) error {
	for _, s := range statements {
		var err error
		if s.row == nil {
			var n int64
			n, err = t.exec(ctx, s.query, s.args...)
			if s.count != nil {
				*s.count = n
			}
		} else {
			err = t.each(ctx, s.query, s.args, s.row)
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
