package dispatch

import (
	"context"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"portal/api/clock"
	"portal/api/webhook"
	"portal/api/webhook/send"
	"portal/api/webhook/signature"
)

// try is an attempt that runs.
type try struct {
	queue    *endpointQueue
	work     *webhook.Work
	url      string
	secrets  signature.Secrets
	unsigned bool // the secret cannot be read
	fresh    bool // over a connection of its own
	failing  bool // the endpoint queue was failing when it began
	cancel   context.CancelFunc
	start    permit
	began    time.Time
	headers  http.Header
	answer   send.Answer
	stopping bool // it ended because the process stops
}

// run makes the attempt.
func (t *try) run(ctx context.Context, sender *send.Sender, now clock.Clock) {
	defer t.cancel()
	defer t.start.over()
	t.began = now()
	t.headers = webhook.Headers(t.work.Type, t.work.ID)
	if t.unsigned {
		t.answer.Error = unreadable
		return
	}
	signature.Sign(t.headers, t.work.EventID, t.began, t.work.Body, t.secrets)
	if t.unsent() {
		return
	}
	post := send.Post{
		URL:    t.url,
		Header: t.headers,
		Body:   t.work.Body,
		Fresh:  t.fresh,
	}
	t.answer = sender.Send(ctx, post, &t.start)
	t.headers = maps.Clone(post.Header) // the rest of the request may still be on its way
}

// unreadable is what the record of an attempt says whose secret could not be opened.
const unreadable = "secret_unreadable: Nothing was sent, as the service cannot read the signing secret. Rotate the " +
	"secret; if others are affected too, the service runs with another PORTAL_SECRET_KEY."

// unsent tells a try that was stopped before anything reached the receiver.
func (t *try) unsent() bool { return t.start.refused() }

// conclusion is what the end of a try means for its delivery.
func (t *try) conclusion(now time.Time) webhook.Conclusion {
	c := webhook.Conclusion{
		Work:    t.work,
		Status:  webhook.Pending,
		Unsent:  t.unsent(),
		Attempt: t.attempt(),
	}
	switch {
	case c.Unsent:
	case t.answer.Acknowledged():
		c.Status = webhook.Succeeded
	case t.stopping:
		c.Broken, c.Attempt.Error = true, new(webhook.InterruptedError)
	case t.answer.Repeat:
		c.Repeat = true
	default:
		next, again := nextTry(t.work.Try, t.work.Since.Std(), now, t.answer.RetryAfter, chance())
		if !again {
			c.Status = webhook.Failed
			break
		}
		c.Next = new(clock.At(next))
	}
	c.Broken = c.Broken || t.unsigned
	return c
}

// attempt is the record of a try.
func (t *try) attempt() webhook.Attempt {
	a := webhook.Attempt{
		Number:         t.work.Attempt,
		At:             clock.At(t.began),
		DurationMS:     t.answer.Duration.Milliseconds(),
		Trigger:        t.work.Trigger,
		RequestHeaders: t.headers,
	}
	if t.answer.Error != "" {
		a.Error = &t.answer.Error
	}
	if t.answer.StatusCode != 0 {
		body := string(t.answer.Body)
		a.StatusCode, a.ResponseHeaders, a.ResponseBody = &t.answer.StatusCode, t.answer.Header, &body
	}
	return a
}

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

// endpointFailure is an endpoint of which nothing but failures has come for too long, with the last
// of them.
type endpointFailure struct {
	at   webhook.EndpointRef
	last *webhook.Attempt
}

// lastFailure is the last attempt that says something bad of its receiver, nil where none
// does.
func lastFailure(all []webhook.Conclusion) *webhook.Attempt {
	for i := range slices.Backward(all) {
		if c := &all[i]; c.Status != webhook.Succeeded && !c.Unsent && !c.Broken {
			return &c.Attempt
		}
	}
	return nil
}

// giveUpOn disables an endpoint of which nothing but failures has come for too long, and
// writes to its owners.
func (d *Dispatcher) giveUpOn(ctx context.Context, i endpointFailure) {
	if err := d.rules.GiveUpOn(ctx, i.at, i.last); err != nil {
		d.Log.Error(
			"webhooks: a failing endpoint is not disabled; its next failure tries again",
			"endpoint",
			i.at.Endpoint,
			"error",
			err,
		)
	}
}

// When attempts are made (docs/webhooks.md): at once, then firstPause after the one
// that failed, twice as long after each next one, until GiveUp after the first.
const (
	firstPause = 10 * time.Second
	jitter     = 0.1
)

// pause is the step after so many tries, at least one.
func pause(tries int) time.Duration {
	if tries > 20 { // far beyond GiveUp
		tries = 20
	}
	return firstPause << (tries - 1)
}

// nextTry is when a delivery is tried again that has failed now, for the so manyth time
// since its first attempt; false where it is given up. chance lies between 0 and 1. What a
// receiver asks for by Retry-After delays the attempt up to its next step. The last
// attempt falls within GiveUp of the first.
func nextTry(tries int, since, now time.Time, retryAfter time.Duration, chance float64) (time.Time, bool) {
	step := pause(tries)
	wait := time.Duration(float64(step) * (1 + jitter*(2*chance-1)))
	wait = max(wait, min(retryAfter, pause(tries+1)))
	left := since.Add(webhook.GiveUp).Sub(now)
	if left < step/2 {
		return time.Time{}, false
	}
	return now.Add(min(wait, left)), true
}

func chance() float64 { return rand.Float64() } //nolint:gosec // spreads load, guards nothing
