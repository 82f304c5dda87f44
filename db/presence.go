package db

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// presenceTime is how often a process looks whether its presence is still known.
const presenceTime = 5 * time.Second

// presenceLock is the advisory lock that a process holds while it lives. PostgreSQL lets
// go of it when the connection ends, so that no clock is asked who is alive.
const presenceLock = "(hashtextextended('portal dispatcher ' || $1, 0))"

// channel is what processes tell each other on.
const channel = "portal_dispatchers"

// Present lets other processes know that this one is alive, until the context ends, and has
// it hear what they tell. A connection that breaks is replaced; meanwhile others may take
// this process for dead, and it hears nothing. Present returns once the others know, or
// cannot be told for the time being. SQLite has one process that sends.
func (d *DB) Present(ctx context.Context, process string, heard func(message string)) {
	if d.pg == nil {
		return
	}
	told := make(chan struct{})
	go d.pg.present(ctx, &presence{process, heard, told})
	select {
	case <-told:
	case <-time.After(presenceTime):
	case <-ctx.Done():
	}
}

// Tell tells all processes that are present, this one too. It is not part of the context's
// transaction, and no promise: one whose connection is just being replaced does not hear it.
func (d *DB) Tell(ctx context.Context, message string) error {
	if d.pg == nil {
		return nil
	}
	return classify(d.pg.each(ctx, "SELECT pg_notify('"+channel+"', $1)", []any{
		message,
	}, func(Scan) error { return nil }))
}

// presence is a process that others are to know of.
type presence struct {
	process string
	heard   func(message string)
	told    chan struct{} // closed once they know
}

func (p *postgres) present(ctx context.Context, who *presence) {
	again := time.NewTicker(presenceTime)
	defer again.Stop()
	for ctx.Err() == nil {
		if c, err := p.pool.Acquire(ctx); err == nil && who.keepLock(ctx, c) {
			continue // it was held and has broken: at once another
		}
		select {
		case <-again.C:
		case <-ctx.Done():
		}
	}
}

// keepLock keeps the lock as long as its connection lasts, and reports whether it did.
func (p *presence) keepLock(ctx context.Context, c *pgxpool.Conn) bool {
	conn := c.Hijack() // what holds a lock goes to nobody else
	defer func() {
		_ = conn.Close(context.WithoutCancel(ctx)) // broken already, or over
	}()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock"+presenceLock, p.process); err != nil {
		return false
	}
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return false
	}
	select {
	case <-p.told:
	default:
		close(p.told)
	}
	for p.listen(ctx, conn) {
		continue
	}
	return true
}

// listen waits for a while and reports whether a connection has lasted. Nothing is sent on it
// meanwhile, so that waiting ends at once when it breaks, or when there is something to hear.
func (p *presence) listen(ctx context.Context, conn *pgx.Conn) bool {
	wait, cancel := context.WithTimeout(ctx, presenceTime)
	defer cancel()
	n, err := conn.WaitForNotification(wait)
	if err == nil {
		p.heard(n.Payload)
		return true
	}
	return ctx.Err() == nil && wait.Err() != nil && conn.Ping(ctx) == nil
}

// Gone are those of some processes that are not alive. Nobody knows of one on SQLite.
func (d *DB) Gone(ctx context.Context, processes []string) (gone []string, err error) {
	if d.pg == nil {
		return nil, nil
	}
	for _, p := range processes {
		var free bool
		if _, err := d.One(ctx, "SELECT pg_try_advisory_xact_lock"+presenceLock, []any{p}, &free); err != nil {
			return nil, err
		}
		if free {
			gone = append(gone, p)
		}
	}
	return gone, nil
}
