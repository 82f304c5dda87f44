package ratelimit

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// node is a limiter whose outages are timed by a clock that the test holds, and which
// counts what it asks of Redis.
type node struct {
	*Redis
	clock *testClock
	log   *logBuffer
	asked atomic.Int64
}

func newNode(t *testing.T, address string, wait time.Duration) *node {
	n := &node{clock: newClock(), log: &logBuffer{}}
	log := slog.New(slog.NewTextHandler(n.log, nil))
	r, err := newRedis(address, NewMemory(n.clock.now), log, wait)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	n.Redis = r
	r.client.AddHook(n)
	return n
}

func (n *node) DialHook(next redis.DialHook) redis.DialHook { return next }

func (n *node) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (n *node) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if cmd.Name() == "evalsha" {
			n.asked.Add(1)
		}
		return next(ctx, cmd)
	}
}

func (n *node) take(t *testing.T) Decision {
	return n.Take(context.Background(), t.Name(), starter, 1)
}

func TestNodeFallsBackToMemoryWithoutRedis(t *testing.T) {
	t.Parallel()
	for name, address := range map[string]string{"refused": refusing(t), "silent": silent(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNode(t, address, patience)
			for range 120 {
				if d := n.take(t); !d.Admitted {
					t.Fatalf("%+v", d)
				}
			}
			if d := n.take(t); d.Admitted || !n.Degraded() {
				t.Errorf("request 121: %+v, degraded %v", d, n.Degraded())
			}
			if d := n.Peek(context.Background(), t.Name(), starter); d.Admitted {
				t.Errorf("a look: %+v", d)
			}
			if n.asked.Load() != 1 || n.log.count("level=WARN") != 1 {
				t.Errorf("asked %d times, warned %d times", n.asked.Load(), n.log.count("level=WARN"))
			}
		})
	}
}

func TestOutageProbesRedisOncePerSecond(t *testing.T) {
	t.Parallel()
	n := newNode(t, refusing(t), patient)
	n.take(t)
	for range 5 {
		n.asked.Store(0)
		n.clock.add(time.Second)
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() { n.take(t) })
		}
		wg.Wait()
		if got := n.asked.Load(); got != 1 {
			t.Errorf("50 requests of a second asked %d times", got)
		}
	}
	if n.log.count("\n") != 1 {
		t.Errorf("%d lines about one outage", n.log.count("\n"))
	}
}

// A request's patience begins with its turn, so that a rush is not taken for an outage; and
// once there is one, nobody waits for a turn in vain.
func TestConcurrentRedisCallsAreLimitedToPoolSize(t *testing.T) {
	t.Parallel()
	n := newNode(t, silent(t)+"?pool_size=3", patience)
	if admitted := together(200, n); admitted != 120 {
		t.Errorf("%d of 200 were admitted, want 120", admitted)
	}
	if asked := n.asked.Load(); asked > 3 {
		t.Errorf("%d asked over 3 connections", asked)
	}
}

func TestClockStepBackDoesNotProlongOutage(t *testing.T) {
	t.Parallel()
	n := newNode(t, refusing(t), patient)
	n.take(t)
	n.clock.add(-time.Hour)
	n.take(t)
	if got := n.asked.Load(); got != 2 {
		t.Errorf("asked %d times, want again after the step", got)
	}
}

func TestCountsAreSharedAgainAfterRedisRecovers(t *testing.T) {
	t.Parallel()
	p := newProxy(t, redisURL(t))
	n := newNode(t, p.address, patient)
	subject := unique(t)
	take := func() Decision { return n.Take(context.Background(), subject, starter, 20) }
	for outages := 1; outages <= 2; outages++ {
		shared := take().Remaining
		p.down()
		if d := take(); !n.Degraded() || d.Remaining > 40 {
			t.Fatalf("while it is away: %+v, degraded %v", d, n.Degraded())
		}
		p.up()
		n.clock.add(time.Second)
		if d := take(); n.Degraded() || d.Remaining != max(0, shared-20) {
			t.Fatalf("when it is back: %+v, degraded %v", d, n.Degraded())
		}
		if n.log.count("level=WARN") != outages || n.log.count("level=INFO") != outages {
			t.Fatalf("%d outages were told as %s", outages, n.log.buf.String())
		}
	}
}

func TestRequestWithLostResponseIsNotResent(t *testing.T) {
	t.Parallel()
	direct, _ := overRedis(t, redisURL(t))
	p := newProxy(t, redisURL(t))
	n, ctx, subject := newNode(t, p.address, patient), context.Background(), unique(t)
	n.Take(ctx, subject, starter, 1)
	p.lose.Store(true)
	if n.Take(ctx, subject, starter, 1); !n.Degraded() {
		t.Error("a lost answer went unnoticed")
	}
	if d := direct.Peek(ctx, subject, starter); d.Remaining != 58 {
		t.Errorf("two requests, one of them unanswered: %+v", d)
	}
}

// refusing is an address where nobody listens.
func refusing(t *testing.T) string {
	l := listen(t)
	l.Close()
	return "redis://" + l.Addr().String()
}

// silent is an address where connections are taken and never answered.
func silent(t *testing.T) string {
	l := listen(t)
	return "redis://" + l.Addr().String()
}

func listen(t *testing.T) net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// proxy stands before a Redis. It can cut it off, and lose one answer.
type proxy struct {
	address, to string
	lose        atomic.Bool
	mu          sync.Mutex
	cut         bool
	open        []net.Conn
}

func newProxy(t *testing.T, to string) *proxy {
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	l := listen(t)
	p := &proxy{to: u.Host}
	u.Host = l.Addr().String()
	p.address = u.String()
	go p.serve(l)
	t.Cleanup(p.down)
	return p
}

func (p *proxy) serve(l net.Listener) {
	for {
		in, err := l.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", p.to)
		if err != nil || !p.keep(in, out) {
			in.Close()
			continue
		}
		go p.answers(in, out)
		go io.Copy(out, in)
	}
}

func (p *proxy) answers(in, out net.Conn) {
	defer in.Close()
	b := make([]byte, 4096)
	for {
		n, err := out.Read(b)
		if err != nil || p.lose.CompareAndSwap(true, false) {
			return
		}
		if _, err := in.Write(b[:n]); err != nil {
			return
		}
	}
}

func (p *proxy) keep(in, out net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut {
		out.Close()
		return false
	}
	p.open = append(p.open, in, out)
	return true
}

func (p *proxy) down() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
	for _, c := range p.open {
		c.Close()
	}
	p.open = nil
}

func (p *proxy) up() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = false
}
