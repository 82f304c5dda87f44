package rest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/webhook"
)

// streamFrom is where a stream begins; the header, which a reader sends that connects
// again, goes before the parameter.
type streamFrom struct {
	// Id of the event behind which the stream begins; without it, with what happens from now on.
	After string `in:"query" name:"after" maxlen:"100"`
	// The last id that a stream before had.
	Last string `in:"header" name:"Last-Event-ID" maxlen:"100"`
}

// serveStream answers with the events of a test portfolio as they happen (Server-Sent
// Events), until the reader goes, the key changes or the server stops.
func (a *API) serveStream(c echo.Context) error {
	return a.request(c, a.streams.op, (*request).stream)
}

func (x *request) stream() error {
	after, err := x.admitReader()
	if err != nil {
		return err
	}
	leave, err := x.streams.enter(x.Caller.Key.ID)
	if err != nil {
		return err
	}
	defer leave()
	feed, err := x.Webhook.Feed(x.HTTP.Context(), *x.Caller.Actor(), after)
	if err != nil {
		return err
	}
	defer feed.Close()
	s := &stream{request: x, Feed: feed, control: http.NewResponseController(x.Writer)}
	if err := s.begin(); err != nil || x.HTTP.Method == http.MethodHead {
		return err
	}
	s.run()
	return nil
}

// admitReader makes the checks of every request, and finds where the stream begins.
func (x *request) admitReader() (after string, err error) {
	if err := x.Admit(); err != nil {
		return "", err
	}
	if err := x.Caller.Actor().Need(x.op.Scope); err != nil {
		return "", err
	}
	if x.Caller.Portfolio.Mode != access.Test {
		return "", fault.New(
			fault.TestKeyRequired,
			"Only a test key can stream events. Use a test key, or create a webhook endpoint for the events of live mode.",
		)
	}
	from, err := x.request()
	if err != nil {
		return "", err
	}
	d, err := x.op.Decode(from)
	if err != nil {
		return "", err
	}
	return d.Input.(*streamFrom).position()
}

func (f *streamFrom) position() (string, error) {
	for _, from := range []struct{ name, value string }{{"Last-Event-ID", f.Last}, {"after", f.After}} {
		if from.value == "" {
			continue
		}
		if !id.Valid(id.Event, from.value) {
			return "", fault.New(
				fault.InvalidCursor,
				"%s is not the id of an event; send the id that came last, or leave it out to begin with what happens from now on.",
				from.name,
			).At(from.name)
		}
		return from.value, nil
	}
	return "", nil
}

// stream is a feed on its way to the client that asked for it.
type stream struct {
	*request
	*webhook.Feed
	control *http.ResponseController
}

// begin sends the header and the position from which a reader goes on that is cut off
// before the first event.
func (s *stream) begin() error {
	if err := s.control.SetReadDeadline(time.Time{}); err != nil { // the server's holds for requests that end
		return fmt.Errorf("open a stream: %w", err)
	}
	h := s.Writer.Header()
	h["Content-Type"] = []string{"text/event-stream"}
	h["X-Accel-Buffering"] = []string{"no"} // nginx would hold it back
	s.Status, s.First = http.StatusOK, s.Now().Sub(s.Began)
	s.Writer.WriteHeader(s.Status)
	if s.HTTP.Method == http.MethodHead {
		return nil
	}
	_ = s.write("retry: 1000\nid: " + s.Position() + "\n\n") // who is gone already is noticed by run
	return nil
}

// run goes on until the reader is gone or there is a reason to end, which it is told.
func (s *stream) run() {
	look, beat := time.NewTicker(s.streams.look), time.NewTicker(s.streams.beat)
	defer look.Stop()
	defer beat.Stop()
	for {
		var err error
		select {
		case <-s.HTTP.Context().Done():
			return
		case <-s.streams.ended:
			err = errStopping
		case <-beat.C:
			err = s.write(": still here\n\n")
		case <-s.Woken():
			err = s.next(false)
		case <-look.C:
			if err = s.recheck(); err == nil {
				err = s.next(true)
			}
		}
		if err != nil {
			s.close(err)
			return
		}
	}
}

// errGone tells that the reader is.
var errGone = errors.New("the reader is gone")

var errStopping = fault.New(fault.Unavailable, "The server stops. Connect again.")

func (s *stream) next(late bool) error {
	return s.Next(s.HTTP.Context(), late, func(e *webhook.Event) error {
		return s.write("id: " + e.ID + "\nevent: " + string(e.Type) + "\ndata: " + string(e.Body) + "\n\n")
	})
}

// write sends a piece. A reader who does not take it in time is dropped.
func (s *stream) write(piece string) error {
	until := time.Now().Add(s.streams.patience) //nolint:forbidigo // the connection's own time
	if s.control.SetWriteDeadline(until) != nil {
		return errGone
	}
	n, err := s.Writer.Write([]byte(piece))
	s.Bytes += n
	if err != nil || s.control.Flush() != nil {
		return errGone
	}
	return nil
}

// recheck asks again who the key belongs to; what a key may do must not outlive it.
func (s *stream) recheck() error {
	r := s.HTTP
	now, err := s.Developer.Authenticate(r.Context(), r.Header.Get("Authorization"))
	if err != nil {
		return err
	}
	was := s.Caller
	if now.Role != was.Role || !slices.Equal(now.Key.Scopes, was.Key.Scopes) ||
		now.Plan.Tier != was.Plan.Tier || now.Plan.Limits() != was.Plan.Limits() {
		return fault.New(fault.Unavailable, "The key's rights or its plan have changed. Connect again.")
	}
	return nil
}

// close tells the reader why the stream ends.
func (s *stream) close(why error) {
	if errors.Is(why, errGone) || s.HTTP.Context().Err() != nil {
		return
	}
	f := fault.From(why)
	if f.Code == fault.Internal {
		s.Log.Error("stream broke", "request_id", s.ID, "error", why)
	}
	_ = s.write(": ended: " + f.Message + "\n\n")
}
