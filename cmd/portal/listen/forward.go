package listen

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"time"

	"portal/api/clock"
	"portal/api/id"
	"portal/api/webhook"
	"portal/api/webhook/signature"
)

// How an event is forwarded: a receiver that cannot be reached is tried three times.
const (
	forwardTime  = 10 * time.Second
	forwardTries = 3
	forwardPause = 250 * time.Millisecond // doubles
)

// Forwarded is how an event has fared.
type Forwarded struct {
	At         clock.Time   `json:"at"`
	Type       webhook.Kind `json:"type"`
	ID         string       `json:"id"`
	StatusCode *int         `json:"status_code"` // null where no answer came
	DurationMS int64        `json:"duration_ms"` // of the last try
	Tries      int          `json:"tries"`
	Error      *string      `json:"error"` // null where an answer came
}

// pass forwards an event and prints how it fared. An answer of any status is the
// receiver's own and is not asked for again.
func (l *Listener) pass(ctx context.Context, e *webhook.Event) error {
	f := Forwarded{Type: e.Type, ID: e.ID}
	delivery := id.New(id.Delivery, time.Now())
	for pause := forwardPause; ; pause *= 2 {
		f.Tries++
		began := time.Now()
		status, err := l.post(ctx, e, delivery)
		f.At, f.DurationMS = clock.At(began), time.Since(began).Milliseconds()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			f.StatusCode = &status
			break
		}
		if f.Tries == forwardTries {
			f.Error = new(err.Error())
			break
		}
		if !Sleep(ctx, pause) {
			return ctx.Err()
		}
	}
	l.tell(&f)
	return nil
}

// post sends an event once, with the headers of a delivery.
func (l *Listener) post(ctx context.Context, e *webhook.Event, delivery string) (status int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.Forward, bytes.NewReader(e.Body))
	if err != nil {
		return 0, err
	}
	request.Header = l.Extra.Clone()
	request.Host = request.Header.Get("Host")
	request.Header.Del("Host")
	maps.Copy(request.Header, webhook.Headers(e.Type, delivery))
	if request.Header.Get("User-Agent") == "" {
		request.Header.Set("User-Agent", l.Agent)
	}
	signature.Sign(request.Header, e.ID, time.Now(), e.Body, signature.Secrets{Present: l.secret})
	response, err := l.local.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()                                       //nolint:errcheck // only read
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)) // the status tells already
	return response.StatusCode, nil
}

// tell prints the line of an event.
func (l *Listener) tell(f *Forwarded) {
	if l.AsJSON {
		l.line(f)
		return
	}
	outcome := "failed"
	if f.StatusCode != nil {
		outcome = strconv.Itoa(*f.StatusCode)
	}
	fmt.Fprintf(l.Out, "%s  %s  %s  %s  %d ms", f.At, f.Type, f.ID, outcome, f.DurationMS)
	if f.Error != nil {
		fmt.Fprintf(l.Out, "  after %d tries: %s", f.Tries, *f.Error)
	}
	fmt.Fprintln(l.Out)
}
