package main

import (
	"context"
	"strings"
	"testing"
)

// began is a command that runs in this process until it ends or the test does.
type began struct {
	out, err words
	stop     context.CancelFunc
	over     chan struct{}
	code     int // once it is over
}

// beginInside starts a command in this process, which costs none of its own.
func (h home) beginInside(t *testing.T, args ...string) *began {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	b := &began{stop: stop, over: make(chan struct{})}
	go func() {
		defer close(b.over)
		b.code = run(ctx, func() {}, args, h.getenv, strings.NewReader(""), &b.out, &b.err)
	}()
	t.Cleanup(func() {
		stop()
		<-b.over
	})
	return b
}

// until waits until the command has said something, on either of its outputs.
func (b *began) until(t *testing.T, said string) {
	t.Helper()
	eventually(t, "it says "+said, func() bool {
		there := func() bool { return strings.Contains(b.out.String()+b.err.String(), said) }
		select {
		case <-b.over:
			if !there() {
				t.Fatalf("it ended with %d: %s%s", b.code, &b.out, &b.err)
			}
		default:
		}
		return there()
	})
}

// end stops the command and gives its exit code.
func (b *began) end() int {
	b.stop()
	<-b.over
	return b.code
}

// servedInside is a server that runs in this process, and the variables that its demo
// printed.
type servedInside struct {
	*began
	home
	vars map[string]string
}

// serveInside serves in this process, with the demo.
func (h home) serveInside(t *testing.T) *servedInside {
	t.Helper()
	h.withDemo(t)
	s := &servedInside{h.beginInside(t, "serve", "--demo"), h, map[string]string{}}
	s.until(t, "PORTAL_LIVE_KEY=")
	s.until(t, `"msg":"serving"`)
	for line := range strings.Lines(s.out.String()) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		s.vars[name] = value
	}
	return s
}
