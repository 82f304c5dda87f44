package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"portal/db"
)

// Queue puts jobs into the transaction of a context: they are worked on if and only
// if it commits, by whichever process works.
type Queue struct {
	db   *db.DB
	lite *river.Client[*sql.Tx]
	pg   *river.Client[pgx.Tx]
}

// NewQueue makes the queue over a store whose migrations have run.
func NewQueue(d *db.DB) (*Queue, error) {
	q := &Queue{db: d}
	config := &river.Config{Logger: slog.New(slog.DiscardHandler)} // what fails is returned too
	var err error
	if pool := d.Postgres(); pool != nil {
		q.pg, err = river.NewClient(riverpgxv5.New(pool), config)
	} else {
		q.lite, err = river.NewClient(riversqlite.New(d.SQLite()), config)
	}
	return q, err
}

// Deliver has a mail delivered.
func (q *Queue) Deliver(ctx context.Context, id string) error { return q.insert(ctx, mailArgs{id}) }

var errNoTransaction = errors.New("a job goes along with a transaction, and there is none")

func (q *Queue) insert(ctx context.Context, args river.JobArgs) error {
	return q.insertAt(ctx, args, nil)
}

// insertAt puts a job with options of its own.
func (q *Queue) insertAt(ctx context.Context, args river.JobArgs, opts *river.InsertOpts) error {
	err := errNoTransaction
	if tx, inside := q.db.SQLiteTx(ctx); inside {
		_, err = q.lite.InsertTx(ctx, tx, args, opts)
	} else if tx, inside, flushed := q.db.PostgresTx(ctx); flushed != nil {
		err = flushed
	} else if inside {
		_, err = q.pg.InsertTx(ctx, tx, args, opts)
	}
	if err != nil {
		return fmt.Errorf("enqueue the job %s: %w", args.Kind(), err)
	}
	return nil
}
