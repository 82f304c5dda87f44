package ratelimit

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestTwoNodesShareOneBurst(t *testing.T) {
	t.Parallel()
	url, prefix := redisURL(t), unique(t)
	one, _ := overRedis(t, url)
	two, _ := overRedis(t, url)
	if n := together(500, prefixed{one, prefix}, prefixed{two, prefix}); n != 120 {
		t.Errorf("%d of 500 were admitted, want 120", n)
	}
	if one.Degraded() || two.Degraded() {
		t.Error("Redis was away during the test")
	}
}

func TestRedisUsesItsOwnClock(t *testing.T) {
	t.Parallel()
	r, _ := overRedis(t, redisURL(t))
	ctx, subject := context.Background(), unique(t)
	before, err := r.client.Time(ctx).Result()
	if err != nil {
		t.Fatal(err)
	}
	d := r.Take(ctx, subject, starter, 1)
	after := r.client.Time(ctx).Val()
	if d.Reset < before.Unix()+60 || d.Reset > after.Unix()+61 {
		t.Errorf("reset %d, asked between %d and %d", d.Reset, before.Unix(), after.Unix())
	}
}

func TestIdleRedisSubjectExpires(t *testing.T) {
	t.Parallel()
	r, _ := overRedis(t, redisURL(t))
	ctx, subject := context.Background(), unique(t)
	ttl := func() time.Duration { return r.client.PTTL(ctx, keyPrefix+subject).Val() }
	r.Peek(ctx, subject, starter)
	if r.client.Exists(ctx, keyPrefix+subject).Val() != 0 {
		t.Error("a look left a key")
	}
	r.Take(ctx, subject, starter, 1)
	if d := ttl(); d < time.Minute || d > 61*time.Second {
		t.Errorf("after one request it lives %v", d)
	}
	r.Take(ctx, subject, starter, 119)
	if d := ttl(); d < 2*time.Minute-time.Second || d > 121*time.Second {
		t.Errorf("with an empty bucket it lives %v", d)
	}
}

// It runs alone: the scripts it flushes are those of every test over this Redis, and an
// answer that another loses on purpose must not be the one that asks for the script.
func TestFlushedRedisScriptIsReloaded(t *testing.T) {
	r, _ := overRedis(t, redisURL(t))
	ctx, subject := context.Background(), unique(t)
	for want := 59; want > 50; want-- {
		if err := r.client.ScriptFlush(ctx).Err(); err != nil {
			t.Fatal(err)
		}
		if d := r.Take(ctx, subject, starter, 1); d.Remaining != want || r.Degraded() {
			t.Fatalf("%+v, want %d remaining", d, want)
		}
	}
}

func TestClientDisconnectIsNotAnOutage(t *testing.T) {
	t.Parallel()
	r, j := overRedis(t, redisURL(t))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if d := r.Take(ctx, unique(t), starter, 1); !d.Admitted || r.Degraded() || j.count("\n") > 0 {
		t.Errorf("%+v, degraded %v", d, r.Degraded())
	}
}

func TestBadRedisURLErrorOmitsPassword(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"", "localhost:6379", "http://:hunter2@host", "redis://:hunter2@host:6379x/",
		"redis://host/hunter2", "redis://host?pool_size=-1",
	} {
		_, err := NewRedis(address, NewMemory(time.Now), slog.Default())
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
