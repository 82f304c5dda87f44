package dbtest_test

import (
	"context"
	"fmt"
	"strings"

	"portal/api/access"
	"portal/db"
	"portal/db/dbtest"
)

// aStatementThatLeavesItsTransactionByMistakePanics runs statements with the context from around
// a transaction instead of the one within it.
func aStatementThatLeavesItsTransactionByMistakePanics(r *fixture) {
	in := dbtest.NewHome(r, r.DB, "dana").Test
	around := r.Context()
	read := func(ctx context.Context) error {
		_, err := r.DB.One(ctx, "SELECT count(*) FROM users", nil, new(int))
		return err
	}
	for name, run := range map[string]func(do func(context.Context) error) error{
		"Atomically":  func(do func(context.Context) error) error { return r.DB.Atomically(around, do) },
		"Promptly":    func(do func(context.Context) error) error { return r.DB.Promptly(around, do) },
		"Exclusively": func(do func(context.Context) error) error { return r.DB.Exclusively(around, in, do) },
	} {
		for what, do := range map[string]func() error{
			"read":        func() error { return read(around) },
			"write":       func() error { _, err := r.DB.Exec(around, "UPDATE users SET email = email"); return err },
			"transaction": func() error { return r.DB.Atomically(around, read) },
			"change":      func() error { return r.DB.Exclusively(around, access.Portfolio{ID: in.ID}, read) },
		} {
			said := caught(func() { _ = run(func(context.Context) error { return do() }) })
			if !strings.Contains(said, "leaves its transaction") {
				r.Errorf("%s within %s: %q", what, name, said)
			}
		}
		if err := run(func(ctx context.Context) error { return read(db.Outside(ctx)) }); err != nil {
			r.Errorf("%s, with a read outside that is meant: %v", name, err)
		}
		if err := run(read); err != nil {
			r.Errorf("%s: %v", name, err)
		}
	}
	if err := read(around); err != nil {
		r.Errorf("after all of them: %v", err)
	}
}

// caught is what do panics with, "" where it does not.
func caught(do func()) (said string) {
	defer func() {
		if p := recover(); p != nil {
			said = fmt.Sprint(p)
		}
	}()
	do()
	return ""
}
