package listen

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"

	"portal/api/id"
	"portal/api/webhook"
)

// How a stream is heard.
const (
	silence      = 45 * time.Second // three of the server's signs of life; then the connection is given up
	longestLine  = 8 << 20
	startOverlap = 5 * time.Second // how far back a stream begins anew: two nodes may commit out of order
)

// RetryAfter is how long the service asked to wait before the call of err is made again, 0
// where it did not say.
func RetryAfter(err error) time.Duration {
	var l later
	errors.As(err, &l)
	return l.after
}

// connect opens a stream and forwards what comes until it ends. It reports whether there
// was one.
func (l *Listener) connect(ctx context.Context) (heard bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alive := time.AfterFunc(silence, func() { cancel(fmt.Errorf("no data for %s", silence)) })
	defer alive.Stop()
	response, err := l.open(ctx)
	if err != nil {
		return false, err
	}
	defer response.Body.Close() //nolint:errcheck // only read
	fmt.Fprintf(l.Err, "portal listen: connected to %s\n", l.Remote.Base)
	err = l.readStream(ctx, response.Body, func() { alive.Reset(silence) })
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return true, err
}

func (l *Listener) open(ctx context.Context) (*http.Response, error) {
	request, err := l.Remote.request(ctx, http.MethodGet, "/events/stream", nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "text/event-stream")
	if from := l.from(); from != "" {
		request.Header.Set("Last-Event-ID", from)
	}
	response, err := l.Remote.client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusOK && mediaType(response) == "text/event-stream" {
		return response, nil
	}
	defer response.Body.Close() //nolint:errcheck // only read
	return nil, l.Remote.unwelcome(response)
}

// from is the position behind which the next stream begins: a little before the last
// event, but never before the first stream did. What was told already is skipped.
func (l *Listener) from() string {
	at, ok := id.Time(l.last)
	if !ok {
		return l.first
	}
	return max(l.first, id.After(id.Event, at.Add(-startOverlap)))
}

// readStream reads a stream (Server-Sent Events) to its end.
func (l *Listener) readStream(ctx context.Context, body io.Reader, alive func()) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, longestLine)
	var e webhook.Event
	ending := errors.New("the connection has ended")
	for lines.Scan() {
		alive()
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case lines.Text() == "":
			if err := l.take(ctx, &e); err != nil {
				return err
			}
			e = webhook.Event{}
		case name == "id":
			e.ID = value
		case name == "event":
			e.Type = webhook.Kind(value)
		case name == "data":
			e.Body = []byte(value)
		case name == "" && strings.HasPrefix(value, "ended: "):
			ending = errors.New(value[len("ended: "):])
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return ending
}

// take forwards an event that was not told before, and notes how far it has come. A
// piece without a body is a position alone.
func (l *Listener) take(ctx context.Context, e *webhook.Event) error {
	if e.ID == "" {
		return nil
	}
	if l.first == "" {
		l.first = e.ID
	}
	if e.Body == nil {
		return nil
	}
	if _, told := l.told[e.ID]; !told && l.wants(e.Type) {
		if err := l.pass(ctx, e); err != nil {
			return err
		}
	}
	l.last = max(l.last, e.ID)
	l.told[e.ID] = struct{}{}
	from := l.from()
	maps.DeleteFunc(l.told, func(one string, _ struct{}) bool { return one <= from })
	return nil
}
