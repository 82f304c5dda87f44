package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/operation"
	"portal/api/webhook"
)

// eventStream is the media type of Server-Sent Events.
const eventStream = "text/event-stream"

// streamFrom is where a stream begins; the header, which a reader sends that connects
// again, goes before the parameter.
type streamFrom struct {
	// ID of an event: the stream starts with the next one. Without it, the stream starts with new
	// events.
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
	leave, err := x.api.streams.enter(x.req.Caller.Key.ID)
	if err != nil {
		return err
	}
	defer leave()
	feed, err := x.api.Webhook.Feed(x.req.HTTP.Context(), *x.req.Caller.Actor(), after)
	if err != nil {
		return err
	}
	defer feed.Close()
	s := &stream{request: x, Feed: feed, control: http.NewResponseController(x.req.Writer)}
	if err := s.begin(); err != nil || x.req.HTTP.Method == http.MethodHead {
		return err
	}
	s.run()
	return nil
}

// admitReader makes the checks of every request, and finds where the stream begins.
func (x *request) admitReader() (after string, err error) {
	if err := x.req.Admit(); err != nil {
		return "", err
	}
	if err := x.req.Caller.Actor().Need(x.op.Scope); err != nil {
		return "", err
	}
	if x.req.Caller.Portfolio.Mode != access.Test {
		return "", fault.New(
			fault.TestKeyRequired,
			"Only a test key can stream events. Use a test key, or create a webhook endpoint for the events of "+
				"live mode.",
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
				"%s is not the id of an event; send the id that came last, or leave it out to begin with what "+
					"happens from now on.",
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
	h := s.req.Writer.Header()
	h["Content-Type"] = []string{eventStream}
	h["X-Accel-Buffering"] = []string{"no"} // nginx would hold it back
	s.req.Status, s.req.First = http.StatusOK, s.req.Now().Sub(s.req.Began)
	s.req.Writer.WriteHeader(s.req.Status)
	if s.req.HTTP.Method == http.MethodHead {
		return nil
	}
	_ = s.write("retry: 1000\nid: " + s.Position() + "\n\n") // who is gone already is noticed by run
	return nil
}

// run goes on until the reader is gone or there is a reason to end, which it is told.
func (s *stream) run() {
	look, beat := time.NewTicker(s.api.streams.look), time.NewTicker(s.api.streams.beat)
	defer look.Stop()
	defer beat.Stop()
	for {
		var err error
		select {
		case <-s.req.HTTP.Context().Done():
			return
		case <-s.api.streams.ended:
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

var errStopping = fault.New(fault.Unavailable, "The server is stopping. Connect again.")

func (s *stream) next(late bool) error {
	return s.Next(s.req.HTTP.Context(), late, func(e *webhook.Event) error {
		return s.write("id: " + e.ID + "\nevent: " + string(e.Type) + "\ndata: " + string(e.Body) + "\n\n")
	})
}

// write sends a piece. A reader who does not take it in time is dropped.
func (s *stream) write(piece string) error {
	until := time.Now().Add(s.api.streams.patience) //nolint:forbidigo // the connection's own time
	if s.control.SetWriteDeadline(until) != nil {
		return errGone
	}
	n, err := s.req.Writer.Write([]byte(piece))
	s.req.Bytes += n
	if err != nil || s.control.Flush() != nil {
		return errGone
	}
	return nil
}

// recheck asks again who the key belongs to; what a key may do must not outlive it.
func (s *stream) recheck() error {
	r := s.req.HTTP
	now, err := s.req.Developer.Authenticate(r.Context(), r.Header.Get("Authorization"))
	if err != nil {
		return err
	}
	was := s.req.Caller
	if now.Role != was.Role || !slices.Equal(now.Key.Scopes, was.Key.Scopes) ||
		now.Plan.Tier != was.Plan.Tier || now.Plan.Limits() != was.Plan.Limits() {
		return fault.New(fault.Unavailable, "The scopes or the plan of the key changed. Connect again.")
	}
	return nil
}

// close tells the reader why the stream ends.
func (s *stream) close(why error) {
	if errors.Is(why, errGone) || s.req.HTTP.Context().Err() != nil {
		return
	}
	f := fault.From(why)
	if f.Code == fault.Internal {
		s.req.Log.Error("stream broke", "request_id", s.req.ID, "error", why)
	}
	_ = s.write(": ended: " + f.Message + "\n\n")
}

// streamsPerKey is how many streams of a key may be open in this process.
const streamsPerKey = 5

// pace is how a stream goes on.
type pace struct {
	look     time.Duration // between two looks at what other processes committed, and at the key
	beat     time.Duration // between two signs of life
	patience time.Duration // with a reader who takes nothing
}

// streams are those that are open.
type streams struct {
	pace
	op    *operation.Operation
	ended chan struct{} // closed when the server stops
	end   func()
	mu    sync.Mutex
	open  map[string]int // by key
}

func newStreams() streams {
	ended := make(chan struct{})
	return streams{
		pace: pace{look: 500 * time.Millisecond, beat: 15 * time.Second, patience: 5 * time.Second},
		op: operation.Define(operation.Spec{
			Name:    "stream_events",
			Method:  http.MethodGet,
			Path:    streamPath,
			Tag:     "Webhooks",
			Summary: "Stream events",
			Description: "Streams the events of the demo portfolio as they happen, as Server-Sent Events, until " +
				"you disconnect. It needs a test key; live events go to webhook endpoints. " +
				"If you reconnect with Last-Event-ID, as browsers do, you miss no events.",
			Scope:  access.Read,
			Status: http.StatusOK,
			Media:  []string{eventStream},
			Fails:  []fault.Code{fault.InvalidCursor, fault.TestKeyRequired},
		},
			func(context.Context, *streamFrom) (*operation.Nothing, error) { return nil, nil }), // never called
		ended: ended,
		end:   sync.OnceFunc(func() { close(ended) }),
		open:  map[string]int{},
	}
}

// Stop ends the streams that are open: a server that stops waits for no reader.
func (a *API) Stop() { a.streams.end() }

// enter admits one more stream of a key; the caller leaves when it ends.
func (s *streams) enter(key string) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[key] == streamsPerKey {
		f := fault.New(fault.RateLimited,
			"%d streams of this key are open already. End one before you open another.", streamsPerKey)
		f.Retry = int(s.patience.Seconds()) + 1
		return nil, f
	}
	s.open[key]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.open[key]--; s.open[key] == 0 {
			delete(s.open, key)
		}
	}, nil
}
