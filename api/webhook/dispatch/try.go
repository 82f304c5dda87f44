package dispatch

import (
	"context"
	"maps"
	"net/http"
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
const unreadable = "secret_unreadable: Nothing was sent, as the service cannot read the signing secret. Rotate the secret; if others are affected too, the service runs with another PORTAL_SECRET_KEY."

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
