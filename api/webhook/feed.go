package webhook

import (
	"context"
	"fmt"
	"sync"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
)

// How a feed reads. The clocks of two nodes may differ and a transaction may take a
// while, so an event can commit behind one with a higher id: what happened within
// feedOverlap is looked at again.
const (
	feedOverlap = 5 * time.Second
	feedPage    = 100
)

// Feed is what happens in a portfolio from a position on, for one reader who calls Next
// by and by.
type Feed struct {
	s        *Service
	in       access.Portfolio
	woken    chan struct{}
	position string              // the highest that was told, or where the feed begins
	told     map[string]struct{} // of the last feedOverlap
	noted    bool                // it is kept that an event was streamed
}

// Feed begins behind an event, or with what commits from now on where after is "". The
// reader closes it.
func (s *Service) Feed(ctx context.Context, by access.Actor, after string) (*Feed, error) {
	f := &Feed{
		s:        s,
		in:       by.Portfolio,
		woken:    make(chan struct{}, 1),
		position: after,
		told:     map[string]struct{}{},
	}
	s.readers.add(f)
	f.wake() // a reader looks at once
	if err := f.begin(ctx); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// begin takes the events as told that lie before the beginning.
func (f *Feed) begin(ctx context.Context) error {
	after, from := f.position, f.horizon()
	if after == "" {
		f.position = from
	}
	for {
		events, err := f.events(ctx, from)
		if err != nil {
			return err
		}
		for i := range events {
			from = events[i].ID
			if after != "" && from > after {
				return nil
			}
			f.told[from] = struct{}{}
			if after == "" {
				f.position = from
			}
		}
		if len(events) < feedPage {
			return nil
		}
	}
}

// Position is the one to begin behind in order to go on where this feed is.
func (f *Feed) Position() string { return f.position }

// Woken has something when Next may have news: at once when this process has committed
// an event. What others commit is seen by those who call Next without being woken.
func (f *Feed) Woken() <-chan struct{} { return f.woken }

// Next tells what is new, in ascending id; what is late, if it is to look for that too,
// comes when it is found. It tells one page and wakes the reader for the rest.
func (f *Feed) Next(ctx context.Context, late bool, tell func(*Event) error) error {
	from, horizon := f.position, f.horizon()
	if late {
		from = min(from, horizon)
		f.forget(horizon)
	}
	for {
		events, err := f.events(ctx, from)
		if err != nil {
			return err
		}
		fresh, err := f.tell(ctx, events, horizon, tell)
		if err != nil || len(events) < feedPage {
			return err
		}
		if fresh {
			f.wake()
			return nil
		}
		from = events[len(events)-1].ID
	}
}

// tell tells those that were not told before, but for those whose bytes are forgotten.
func (f *Feed) tell(
	ctx context.Context, events []Event, horizon string, tell func(*Event) error,
) (fresh bool, err error) {
	for i := range events {
		e := &events[i]
		if _, told := f.told[e.ID]; told {
			continue
		}
		if e.Body != nil {
			if err := tell(e); err != nil {
				return fresh, err
			}
			f.note(ctx)
		}
		fresh, f.position = true, max(f.position, e.ID)
		if e.ID > horizon {
			f.told[e.ID] = struct{}{}
		}
	}
	return fresh, nil
}

// note keeps that an event was streamed. A database that takes nothing is no reason to end a stream: the next
// event tries again.
func (f *Feed) note(ctx context.Context) {
	if !f.noted {
		f.noted = f.s.store.NoteStreamed(ctx, f.in, clock.At(f.s.now())) == nil
	}
}

func (f *Feed) events(ctx context.Context, after string) ([]Event, error) {
	events, err := f.s.store.EventsAfter(ctx, f.in, after, feedPage)
	if err != nil {
		return nil, fmt.Errorf("read the events: %w", err)
	}
	return events, nil
}

// horizon is the position before which nothing is late any more.
func (f *Feed) horizon() string { return id.After(id.Event, f.s.now().Add(-feedOverlap)) }

// forget lets go of what lies before the horizon.
func (f *Feed) forget(horizon string) {
	for one := range f.told {
		if one <= horizon {
			delete(f.told, one)
		}
	}
}

func (f *Feed) wake() {
	select {
	case f.woken <- struct{}{}:
	default:
	}
}

// Close ends the feed.
func (f *Feed) Close() { f.s.readers.remove(f) }

// readers are the feeds of this process, by the number of their portfolio.
type readers struct {
	mu  sync.Mutex
	all map[int64]map[*Feed]struct{}
}

func (r *readers) add(f *Feed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = map[int64]map[*Feed]struct{}{}
	}
	if r.all[f.in.ID] == nil {
		r.all[f.in.ID] = map[*Feed]struct{}{}
	}
	r.all[f.in.ID][f] = struct{}{}
}

func (r *readers) remove(f *Feed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all[f.in.ID], f)
	if len(r.all[f.in.ID]) == 0 {
		delete(r.all, f.in.ID)
	}
}

// wake tells the readers of a portfolio that an event has become durable there.
func (r *readers) wake(in access.Portfolio) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for f := range r.all[in.ID] {
		f.wake()
	}
}
