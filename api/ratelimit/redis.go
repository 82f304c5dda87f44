package ratelimit

import (
	"context"
	_ "embed"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

//go:embed take.lua
var takeLua string

// keyPrefix names the subject's key; its figure is the version of what the key holds.
const keyPrefix = "portal:rate:1:"

// patience is how long a request waits for Redis to answer.
const patience = 150 * time.Millisecond

// Redis is the limiter of several nodes, which share their counts in a Redis (6 or later)
// or Valkey: the same rule as Memory in one round trip, by the clock of Redis. A subject is
// one key, which expires when nothing is left to remember.
//
// If Redis is away, fails, or takes longer than 150 ms, each node decides by its own Memory,
// which begins empty, and one request a second asks Redis again. What was admitted
// meanwhile is not told to Redis.
type Redis struct {
	client   redis.UniversalClient
	script   *redis.Script
	wait     time.Duration
	fallback *Memory
	outage   outage
	turns    chan struct{} // a place for each connection
}

// NewRedis makes a limiter over the Redis at redis://, rediss:// or unix://…; it does not
// connect yet. The fallback is this node's own and lends its clock, which times the outages.
// An address of another form is an error, which does not repeat it: it may hold a password.
func NewRedis(address string, fallback *Memory, log *slog.Logger) (*Redis, error) {
	return newRedis(address, fallback, log, patience)
}

func newRedis(address string, fallback *Memory, log *slog.Logger, wait time.Duration) (*Redis, error) {
	o, err := redis.ParseURL(address)
	if err != nil || o.PoolSize < 0 {
		return nil, errors.New("not the address of a Redis: want redis://, rediss:// or unix://")
	}
	// The client fails rather than wait or try again: a script that was sent twice would count twice.
	o.Protocol = 2
	o.DisableIdentity = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	o.MaxRetries = -1
	o.DialerRetries = 1
	o.ContextTimeoutEnabled = true
	o.DialTimeout, o.PoolTimeout = wait, wait
	o.ReadTimeout, o.WriteTimeout = wait, wait
	client := redis.NewClient(o)
	return &Redis{
		client:   client,
		script:   redis.NewScript(takeLua),
		wait:     wait,
		fallback: fallback,
		outage:   outage{now: fallback.micros, log: log},
		turns:    make(chan struct{}, client.Options().PoolSize),
	}, nil
}

// Take implements Limiter.
func (r *Redis) Take(ctx context.Context, subject string, l Limit, cost int) Decision {
	if d, ok := r.ask(ctx, subject, l.bounded(), max(cost, 1)); ok {
		return d
	}
	return r.fallback.Take(ctx, subject, l, cost)
}

// Peek implements Limiter.
func (r *Redis) Peek(ctx context.Context, subject string, l Limit) Decision {
	if d, ok := r.ask(ctx, subject, l.bounded(), 0); ok {
		return d
	}
	return r.fallback.Peek(ctx, subject, l)
}

// Degraded reports whether Redis was away when it was last asked, so that this node decides
// by itself.
func (r *Redis) Degraded() bool { return r.outage.is() }

// Close closes the connections.
func (r *Redis) Close() error { return r.client.Close() }

// ask lets Redis decide; false where it is away. A request waits for its turn before its
// patience begins, so that a rush is not taken for an outage; in an outage the turns come
// at once.
func (r *Redis) ask(ctx context.Context, subject string, l Limit, cost int) (Decision, bool) {
	r.turns <- struct{}{}
	defer func() { <-r.turns }()
	asked, probe := r.outage.admits()
	if !asked {
		return Decision{}, false
	}
	d, err := r.run(ctx, subject, l, cost)
	switch {
	case err != nil:
		r.outage.begin(err)
	case probe:
		r.outage.end()
	}
	return d, err == nil
}

// run does not end with the caller's context: a client that hangs up says nothing about Redis.
func (r *Redis) run(ctx context.Context, subject string, l Limit, cost int) (Decision, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.wait)
	defer cancel()
	keys := []string{keyPrefix + subject}
	v, err := r.script.Run(ctx, r.client, keys, l.Sustained, l.Burst, cost).Int64Slice()
	if err != nil {
		return Decision{}, err
	}
	if len(v) != 4 {
		return Decision{}, errors.New("the rate limit's script gave no decision")
	}
	return Decision{
		Admitted:   v[0] == 1,
		Limit:      l.Sustained,
		Remaining:  max(0, l.Sustained-int(v[1])),
		Reset:      v[2],
		RetryAfter: int(v[3]),
	}, nil
}

// init silences the client, which would write lines of its own form to standard error. What
// there is to say of an outage is said once, by us.
func init() { redis.SetLogger(discardLogger{}) }

type discardLogger struct{}

func (discardLogger) Printf(context.Context, string, ...any) {}

const askAgainEvery = second

// outage remembers whether Redis is away, so that requests do not wait for it: while it is,
// one request a second asks. It speaks once at the beginning and once at the end.
type outage struct {
	now   func() int64 // microseconds
	log   *slog.Logger
	again atomic.Int64 // microseconds: when Redis is asked next; 0 while it answers
}

// admits reports whether a request may ask Redis, and whether it does so as the probe of an
// outage.
func (o *outage) admits() (asked, probe bool) {
	again := o.again.Load()
	if again == 0 {
		return true, false
	}
	t := o.now()
	if early := again - t; 0 < early && early <= askAgainEvery { // more: the clock stepped back
		return false, false
	}
	probe = o.again.CompareAndSwap(again, t+askAgainEvery)
	return probe, probe
}

func (o *outage) begin(cause error) {
	if o.again.CompareAndSwap(0, o.now()+askAgainEvery) {
		o.log.Warn("Redis is away: this node limits rates by its own memory", "error", cause)
	}
}

// end is the probe's to call. An answer to a request from before the outage ends nothing.
func (o *outage) end() {
	if o.again.Swap(0) != 0 {
		o.log.Info("Redis answers again: rate limits are shared")
	}
}

func (o *outage) is() bool { return o.again.Load() != 0 }
