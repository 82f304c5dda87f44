package rest

import (
	"context"
	"net/http"
	"sync"
	"time"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/operation"
)

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
			Description: "Streams the events of the demo portfolio as they happen, as Server-Sent Events, until you disconnect. It needs a test key; live events go to webhook endpoints. " +
				"If you reconnect with Last-Event-ID, as browsers do, you miss no events.",
			Scope:  access.Read,
			Status: http.StatusOK,
			Media:  "text/event-stream",
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
