package db

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Plan is how SQLite carries out each query that do runs with the context it is
// given: the lines of EXPLAIN QUERY PLAN.
func (d *DB) Plan(ctx context.Context, do func(context.Context) error) (queries [][]string, err error) {
	e := &explainer{d: d, explain: d.explainedBy("EXPLAIN QUERY PLAN "), line: func(s Scan) (step string, err error) {
		var id, parent, unused int
		return step, s(&id, &parent, &unused, &step)
	}}
	return e.explained(ctx, do)
}

const carriedOut = "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) "

// Carried is how PostgreSQL carried out each query that do ran with the context it was
// given, planned for its arguments: the lines of EXPLAIN ANALYZE.
func (d *DB) Carried(ctx context.Context, do func(context.Context) error) (queries [][]string, err error) {
	return (&explainer{d: d, explain: d.explainedBy(carriedOut), line: oneText}).explained(ctx, do)
}

// CarriedAsKept is Carried with the plans that fit any arguments. A connection keeps such a plan once it has run a
// statement five times, where it takes it to be no worse than those made for the arguments.
func (d *DB) CarriedAsKept(ctx context.Context, do func(context.Context) error) (queries [][]string, err error) {
	return (&explainer{d: d, explain: d.pg.explainAsKept, line: oneText}).explained(ctx, do)
}

func oneText(s Scan) (text string, err error) { return text, s(&text) }

// explainer is a querier that explains and then answers. It writes nothing.
type explainer struct {
	d       *DB
	explain func(ctx context.Context, query string, args []any, row func(Scan) error) error
	line    func(Scan) (string, error) // a line of an explanation
	queries [][]string
}

// explained is each explanation of what do runs.
func (e *explainer) explained(ctx context.Context, do func(context.Context) error) ([][]string, error) {
	err := do(context.WithValue(ctx, txKey{}, &tx{querier: e}))
	return e.queries, err
}

// explainedBy explains a statement by words before it.
func (d *DB) explainedBy(words string) func(context.Context, string, []any, func(Scan) error) error {
	return func(ctx context.Context, query string, args []any, row func(Scan) error) error {
		return d.engine.each(ctx, words+query, args, row)
	}
}

// explainAsKept explains a statement that was prepared and is planned once. EXPLAIN has no parameters of its
// own there, so the arguments stand in its text.
func (p *postgres) explainAsKept(ctx context.Context, query string, args []any, row func(Scan) error) error {
	marks := make([]string, len(args))
	for i := range args {
		marks[i] = fmt.Sprintf("$%d", i+1)
	}
	execution := "kept"
	if len(args) > 0 {
		execution += "(" + strings.Join(marks, ", ") + ")"
	}
	return pgx.BeginFunc(ctx, p.pool, func(t pgx.Tx) (err error) {
		for _, statement := range []string{planOnce, "PREPARE kept AS " + query} {
			if _, err = t.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol); err != nil {
				return err
			}
		}
		found, err := t.Query(ctx, carriedOut+"EXECUTE "+execution, slices.Concat(
			[]any{pgx.QueryExecModeSimpleProtocol}, args)...)
		for err == nil && found.Next() {
			err = row(found.Scan)
		}
		found.Close()
		_, after := t.Exec(ctx, "DEALLOCATE kept")
		return errors.Join(err, found.Err(), after)
	})
}

func (e *explainer) each(ctx context.Context, query string, args []any, row func(Scan) error) error {
	var steps []string
	err := e.explain(ctx, query, args, func(s Scan) error {
		step, err := e.line(s)
		steps = append(steps, step)
		return err
	})
	e.queries = append(e.queries, steps)
	return errors.Join(err, e.d.engine.each(ctx, query, args, row))
}

func (e *explainer) exec(ctx context.Context, query string, args ...any) (int64, error) {
	return 0, e.each(ctx, query, args, func(Scan) error { return nil })
}

func (e *explainer) all(ctx context.Context, statements []Statement) error {
	for _, s := range statements {
		row := s.Row
		if row == nil {
			row = func(Scan) error { return nil }
		}
		if err := e.each(ctx, s.Query, s.Args, row); err != nil {
			return err
		}
	}
	return nil
}

func (e *explainer) later(ctx context.Context, query string, args ...any) error {
	_, err := e.exec(ctx, query, args...)
	return err
}

func (e *explainer) flush(context.Context) error { return nil }
