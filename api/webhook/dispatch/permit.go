package dispatch

import (
	"context"
	"sync"
	"time"

	"portal/api/webhook"
)

// permit is whether an attempt may start: as long as its claim is young, and until it is
// stopped. It implements Start.
type permit struct {
	renew  func(ctx context.Context) bool // asks the store whether the endpoint is enabled still
	cancel context.CancelFunc             // ends the attempt

	mu      sync.Mutex
	until   time.Time
	stopped bool
	writing bool            // the first bytes are being written
	sent    bool            // they have been
	begun   []chan struct{} // closed once they have been, or never will
}

// Connected asks anew for a permit that ran out while the connection was made.
func (p *permit) Connected(ctx context.Context) {
	asked := realNow()
	p.mu.Lock()
	valid := p.stopped || asked.Before(p.until)
	p.mu.Unlock()
	if valid || !p.renew(ctx) {
		return
	}
	p.mu.Lock()
	p.until = asked.Add(webhook.StartTime)
	p.mu.Unlock()
}

// Begin reports whether the first byte may be written now.
func (p *permit) Begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.writing || p.sent {
		return true
	}
	if p.stopped || !realNow().Before(p.until) {
		p.stopped = true
		p.cancel()
		return false
	}
	p.writing = true
	return true
}

// Begun notes that the first bytes have been written, or could not be.
func (p *permit) Begun(written bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writing, p.sent = false, p.sent || written
	if p.stopped && !p.sent {
		p.cancel()
	}
	p.release()
}

// over notes the end of the attempt.
func (p *permit) over() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writing = false
	p.release()
}

func (p *permit) release() {
	for _, c := range p.begun {
		close(c)
	}
	p.begun = nil
}

// stop keeps the attempt from starting, if it has not. Where its first bytes are just being
// written it returns what is closed once they have been.
func (p *permit) stop() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	if !p.writing {
		if !p.sent {
			p.cancel()
		}
		return nil
	}
	c := make(chan struct{})
	p.begun = append(p.begun, c)
	return c
}

// refused tells an attempt that was stopped before it started.
func (p *permit) refused() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stopped && !p.sent && !p.writing
}
