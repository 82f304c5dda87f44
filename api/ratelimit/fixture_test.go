package ratelimit

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

const epoch = 1_790_000_000_123_456 // a moment within a second, in microseconds

var (
	starter = Limit{60, 120}
	pro     = Limit{600, 1200}
	prime   = Limit{3000, 6000}
)

// testClock is a clock that stands until a test moves it.
type testClock struct {
	us    atomic.Int64
	moved func(us int64)
}

func newClock() *testClock {
	c := &testClock{moved: func(int64) {}}
	c.us.Store(epoch)
	return c
}

func (c *testClock) now() time.Time { return time.UnixMicro(c.us.Load()) }

func (c *testClock) add(d time.Duration) { c.set(c.us.Load() + d.Microseconds()) }

func (c *testClock) set(us int64) {
	c.us.Store(us)
	c.moved(us)
}

// fixture is a limiter over a clock that the test holds.
type fixture struct {
	Limiter
	clock *testClock
}

func (r fixture) take(subject string, l Limit, cost int) Decision {
	return r.Take(context.Background(), subject, l, cost)
}

// both runs a promise of the limiter against each way of keeping it.
func both(t *testing.T, promise func(t *testing.T, r fixture)) {
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		c := newClock()
		promise(t, fixture{NewMemory(c.now), c})
	})
	t.Run("redis", func(t *testing.T) {
		t.Parallel()
		promise(t, redisFixture(t))
	})
}

// redisFixture is a real Redis running our script, whose reading of TIME alone is replaced by
// a reading of a key that the test's clock writes.
func redisFixture(t testing.TB) fixture {
	r, _ := overRedis(t, redisURL(t))
	c, key := newClock(), "portal:test:"+unique(t)
	r.script = redis.NewScript(replaceOnce(t, takeLua,
		"redis.call('TIME')", "redis.call('HMGET', '"+key+"', 's', 'us')"))
	c.moved = func(us int64) {
		err := r.client.HSet(context.Background(), key, "s", us/second, "us", us%second).Err()
		if err != nil {
			t.Error(err)
		}
	}
	c.set(epoch)
	t.Cleanup(func() {
		r.client.Del(context.Background(), key)
		if r.Degraded() {
			t.Error("Redis was away during the test")
		}
	})
	return fixture{prefixed{r, unique(t)}, c}
}

func replaceOnce(t testing.TB, s, what, by string) string {
	if strings.Count(s, what) != 1 {
		t.Fatalf("the script says %s %d times, not once", what, strings.Count(s, what))
	}
	return strings.Replace(s, what, by, 1)
}

// prefixed keeps the subjects of tests, and of their runs, apart.
type prefixed struct {
	*Redis
	prefix string
}

func (p prefixed) Take(ctx context.Context, subject string, l Limit, cost int) Decision {
	return p.Redis.Take(ctx, p.prefix+subject, l, cost)
}

func (p prefixed) Peek(ctx context.Context, subject string, l Limit) Decision {
	return p.Redis.Peek(ctx, p.prefix+subject, l)
}

func unique(t testing.TB) string {
	return fmt.Sprintf("%s:%d:", t.Name(), time.Now().UnixNano())
}

func redisURL(t testing.TB) string {
	url := os.Getenv("PORTAL_TEST_REDIS_URL")
	if url == "" {
		t.Skip("PORTAL_TEST_REDIS_URL is not set: there is no Redis to test against")
	}
	return url
}

// patient is how long a test waits for Redis that is not about waiting, on whatever machine.
const patient = time.Minute

// overRedis is a node over a Redis, and what it logs.
func overRedis(t testing.TB, url string) (*Redis, *logBuffer) {
	var j logBuffer
	r, err := newRedis(url, NewMemory(time.Now), slog.New(slog.NewTextHandler(&j, nil)), patient)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r, &j
}

// logBuffer is a log that a test reads while others write.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (j *logBuffer) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.Write(b)
}

func (j *logBuffer) count(what string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Count(j.buf.String(), what)
}
