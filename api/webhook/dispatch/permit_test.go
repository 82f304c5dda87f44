package dispatch

import (
	"context"
	"testing"
	"time"
)

// permitted is a permit that lasts so long, and whose attempt may be ended.
func permitted(t *testing.T, lasts time.Duration, renews bool) (*permit, context.Context) {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return &permit{
		until:  realNow().Add(lasts),
		cancel: cancel,
		renew:  func(context.Context) bool { return renews },
	}, ctx
}

func TestAttemptStartsWhilePermitIsValid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		lasts  time.Duration
		renews bool
		want   bool
	}{
		{"at once", time.Minute, false, true},
		{"late, with the endpoint enabled still", -time.Second, true, true},
		{"late, with the endpoint disabled", -time.Second, false, false},
	} {
		p, ctx := permitted(t, c.lasts, c.renews)
		p.Connected(ctx)
		if got := p.Begin(); got != c.want || (ctx.Err() != nil) == c.want || p.refused() == c.want {
			t.Errorf("%s: it starts: %t", c.name, got)
		}
	}
}

func TestPermitExpiringBeforeFirstByteIsVoid(t *testing.T) {
	t.Parallel()
	p, ctx := permitted(t, time.Minute, true)
	p.Connected(ctx)
	p.until = realNow()
	if p.Begin() || !p.refused() {
		t.Error("it starts")
	}
}

func TestStopWaitsForFirstBytesInFlight(t *testing.T) {
	t.Parallel()
	p, ctx := permitted(t, time.Minute, true)
	p.Connected(ctx)
	if !p.Begin() {
		t.Fatal("it does not start")
	}
	begun := p.stop()
	select {
	case <-begun:
		t.Error("nothing is written yet")
	default:
	}
	p.Begun(true)
	<-begun
	if ctx.Err() != nil || p.refused() {
		t.Error("what was sent is ended")
	}
	if p.stop() != nil {
		t.Error("there is nothing to wait for")
	}
}

func TestAttemptStoppedBeforeFirstByteNeverStarts(t *testing.T) {
	t.Parallel()
	p, ctx := permitted(t, time.Minute, true)
	if p.stop() != nil || ctx.Err() == nil || p.Begin() || !p.refused() {
		t.Error("it starts")
	}
	p, ctx = permitted(t, time.Minute, true)
	p.Begin()
	begun := p.stop()
	p.Begun(false) // the connection was over: the request may go over another one
	<-begun
	if ctx.Err() == nil || p.Begin() || !p.refused() {
		t.Error("it starts over another connection")
	}
}
