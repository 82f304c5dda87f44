package webhook

import (
	"context"
	"maps"
	"net/http"
	"time"

	"portal/api/clock"
)

// try is an attempt that runs.
type try struct {
	lane     *lane
	work     *Work
	url      string
	secrets  Secrets
	unsigned bool // the secret cannot be read
	fresh    bool // over a connection of its own
	failing  bool // the lane was failing when it began
	cancel   context.CancelFunc
	start    permit
	began    time.Time
	headers  http.Header
	answer   Answer
	stopping bool // it ended because the process stops
}

// run makes the attempt.
func (t *try) run(ctx context.Context, send *Sender, now clock.Clock) {
	defer t.cancel()
	defer t.start.over()
	t.began = now()
	t.headers = Headers(t.work.Type, t.work.ID)
	if t.unsigned {
		t.answer.Error = unreadable
		return
	}
	Sign(t.headers, t.work.EventID, t.began, t.work.Body, t.secrets)
	if t.unsent() {
		return
	}
	post := Post{URL: t.url, Header: t.headers, Body: t.work.Body, Fresh: t.fresh}
	t.answer = send.Send(ctx, post, &t.start)
	t.headers = maps.Clone(post.Header) // the rest of the request may still be on its way
}

// Headers are what every attempt has besides what signs it.
func Headers(kind Kind, delivery string) http.Header {
	return http.Header{
		"Content-Type":       jsonType,
		"X-Service-Event":    {string(kind)},
		"X-Service-Delivery": {delivery},
	}
}

// unreadable is what the record of an attempt says whose secret could not be opened.
const unreadable = "secret_unreadable: Nothing was sent, as the service cannot read the signing secret. Rotate the secret; if others are affected too, the service runs with another PORTAL_SECRET_KEY."

var jsonType = []string{"application/json"}

// unsent tells a try that was stopped before anything reached the receiver.
func (t *try) unsent() bool { return t.start.refused() }

// conclusion is what the end of a try means for its delivery.
func (t *try) conclusion(now time.Time) Conclusion {
	c := Conclusion{Work: t.work, Status: Pending, Unsent: t.unsent(), Attempt: t.attempt()}
	switch {
	case c.Unsent:
	case t.answer.Acknowledged():
		c.Status = Succeeded
	case t.stopping:
		c.Broken, c.Attempt.Error = true, new(interrupted)
	case t.answer.Repeat:
		c.Repeat = true
	default:
		next, again := nextTry(t.work.Try, t.work.Since.Std(), now, t.answer.RetryAfter, chance())
		if !again {
			c.Status = Failed
			break
		}
		c.Next = new(clock.At(next))
	}
	c.Broken = c.Broken || t.unsigned
	return c
}

// interrupted is what the record of an attempt says that ended with its process.
const interrupted = "interrupted: The service stopped before an answer came, so the receiver may have it or not. It is sent again at once."

// Interrupted is the record of an attempt whose process was gone before it could note one.
func Interrupted(number int, at clock.Time) Attempt {
	return Attempt{Number: number, At: at, Error: new(interrupted), Trigger: BySchedule}
}

// attempt is the record of a try.
func (t *try) attempt() Attempt {
	a := Attempt{Number: t.work.Attempt, At: clock.At(t.began), DurationMS: t.answer.Duration.Milliseconds(), Trigger: t.work.Trigger,
		RequestHeaders: t.headers}
	if t.answer.Error != "" {
		a.Error = &t.answer.Error
	}
	if t.answer.StatusCode != 0 {
		body := string(t.answer.Body)
		a.StatusCode, a.ResponseHeaders, a.ResponseBody = &t.answer.StatusCode, t.answer.Header, &body
	}
	return a
}
