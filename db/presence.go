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

// Present lets other processes know that this one is alive, until the context ends. A
// connection that breaks is replaced; meanwhile others may take this process for dead. It
// returns once the others know, or cannot be told for the time being. SQLite has one
// process that sends.
func (d *DB) Present(ctx context.Context, process string) {
	if d.pg == nil {
		return
	}
	told := make(chan struct{})
	go d.pg.present(ctx, process, told)
	select {
	case <-told:
	case <-time.After(presenceTime):
	case <-ctx.Done():
	}
}

func (p *postgres) present(ctx context.Context, process string, told chan struct{}) {
	again := time.NewTicker(presenceTime)
	defer again.Stop()
	for ctx.Err() == nil {
		if c, err := p.pool.Acquire(ctx); err == nil && p.holdPresence(ctx, c, process, told) {
			continue // it was held and has broken: at once another
		}
		select {
		case <-again.C:
		case <-ctx.Done():
		}
	}
}

// holdPresence holds the lock as long as its connection lasts, and tells whether it did.
func (p *postgres) holdPresence(ctx context.Context, c *pgxpool.Conn, process string, told chan struct{}) bool {
	conn := c.Hijack() // what holds a lock goes to nobody else
	defer func() {
		_ = conn.Close(context.WithoutCancel(ctx)) // broken already, or over
	}()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock"+presenceLock, process); err != nil {
		return false
	}
	select {
	case <-told:
	default:
		close(told)
	}
	for intact(ctx, conn) {
		continue
	}
	return true
}

// intact waits for a while and tells whether a connection has lasted. Nothing is sent on
// it, so that waiting ends at once when it breaks.
func intact(ctx context.Context, conn *pgx.Conn) bool {
	wait, cancel := context.WithTimeout(ctx, presenceTime)
	defer cancel()
	_, err := conn.WaitForNotification(wait)
	return ctx.Err() == nil && (err == nil || wait.Err() != nil) && conn.Ping(ctx) == nil
}

// gone are the processes that have claims and are not alive.
func (d *DB) gone(ctx context.Context) (processes []string, err error) {
	if d.pg == nil {
		return nil, nil
	}
	var claimants []string
	err = d.each(ctx, "SELECT DISTINCT claimed_by FROM deliveries WHERE claimed_by IS NOT NULL", nil, func(s scan) error {
		claimants = append(claimants, "")
		return s(&claimants[len(claimants)-1])
	})
	for _, c := range claimants {
		var free bool
		if _, err := d.one(ctx, "SELECT pg_try_advisory_xact_lock"+presenceLock, []any{c}, &free); err != nil {
			return nil, err
		}
		if free {
			processes = append(processes, c)
		}
	}
	return processes, err
}
