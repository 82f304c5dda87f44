package db

import (
	"context"
	"errors"
)

// Plan is how SQLite carries out each query that do runs with the context it is
// given: the lines of EXPLAIN QUERY PLAN.
func (d *DB) Plan(ctx context.Context, do func(context.Context) error) (queries [][]string, err error) {
	e := &explainer{d: d, by: "EXPLAIN QUERY PLAN ", line: func(s Scan) (step string, err error) {
		var id, parent, unused int
		return step, s(&id, &parent, &unused, &step)
	}}
	err = do(context.WithValue(ctx, txKey{}, &tx{querier: e}))
	return e.queries, err
}

// Carried is how PostgreSQL carried out each query that do ran with the context it was
// given: the lines of EXPLAIN ANALYZE.
func (d *DB) Carried(ctx context.Context, do func(context.Context) error) (queries [][]string, err error) {
	e := &explainer{
		d:  d,
		by: "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ",
		line: func(s Scan) (step string, err error) {
			return step, s(&step)
		},
	}
	err = do(context.WithValue(ctx, txKey{}, &tx{querier: e}))
	return e.queries, err
}

// explainer is a querier that explains and then answers. It writes nothing.
type explainer struct {
	d       *DB
	by      string                     // what makes a statement an explanation of itself
	line    func(Scan) (string, error) // a line of an explanation
	queries [][]string
}

func (e *explainer) each(ctx context.Context, query string, args []any, row func(Scan) error) error {
	var steps []string
	err := e.d.engine.each(ctx, e.by+query, args, func(s Scan) error {
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
