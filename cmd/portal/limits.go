package main

import (
	"context"
	"log/slog"
	"maps"
	"time"

	"portal/api/clock"
	"portal/api/ratelimit"
	"portal/db"
	"portal/db/servicestore"
)

// saveEvery is how much of the limiter's state a kill forgets.
const saveEvery = time.Second

// limits is the limiter with its state kept over a restart: in this process's
// memory and the database, or in Redis where several nodes share it.
type limits struct {
	ratelimit.Limiter
	memory  *ratelimit.Memory
	redis   *ratelimit.Redis // nil without REDIS_URL
	DB      *db.DB
	log     *slog.Logger
	unsaved map[string][]byte // what the database has not taken yet
}

func newLimits(ctx context.Context, p *product, log *slog.Logger) (*limits, error) {
	l := &limits{
		memory:  ratelimit.NewMemory(time.Now),
		DB:      p.DB,
		log:     log,
		unsaved: map[string][]byte{},
	}
	l.Limiter = l.memory
	err := servicestore.NewLimits(p.DB).Limits(ctx, func(subject string, state []byte) error {
		if err := l.memory.Restore(subject, state); err != nil {
			log.Warn("state of the rate limiter not restored", "subject", subject, "error", err)
		}
		return nil
	})
	if err != nil || p.config.redisURL == "" {
		return l, err
	}
	l.redis, err = ratelimit.NewRedis(p.config.redisURL, l.memory, log)
	l.Limiter = l.redis
	return l, err
}

// run saves what has changed every second until the context ends, and then once
// more. The end interrupts no save.
func (l *limits) run(ctx context.Context) {
	tick, whole := time.NewTicker(saveEvery), context.WithoutCancel(ctx)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			l.save(whole)
		case <-ctx.Done():
			l.save(whole)
			return
		}
	}
}

// save writes what has changed; what could not be written comes along next time.
func (l *limits) save(ctx context.Context) {
	maps.Copy(l.unsaved, l.memory.Changed())
	if len(l.unsaved) == 0 {
		return
	}
	if err := servicestore.NewLimits(l.DB).SaveLimits(ctx, l.unsaved, clock.At(time.Now())); err != nil {
		l.log.Error("state of the rate limiter not saved yet", "error", err)
		return
	}
	clear(l.unsaved)
}

func (l *limits) close() error {
	if l.redis == nil {
		return nil
	}
	return l.redis.Close()
}
