// Package status says whether the service works, part by part: in words for everybody, and in
// figures for its staff.
//
// It knows nothing of HTTP, SQL or how a part does its work.
package status

import (
	"context"
	"sync"
	"time"

	"portal/api/clock"
)

// State is how well a part of the service works.
type State string

// The states, from good to bad.
const (
	Operational State = "operational"
	Degraded    State = "degraded"
	Down        State = "down"
)

// rank orders states from good to bad.
var rank = map[State]int{Operational: 0, Degraded: 1, Down: 2}

// Part is a part of the service as its users see it.
type Part struct {
	Name  string `json:"name"`
	State State  `json:"status"`
	Words string `json:"description"` // a sentence
}

// Report is how the service works at a moment.
type Report struct {
	State     State      `json:"status"` // the worst of its parts
	Parts     []Part     `json:"components"`
	CheckedAt clock.Time `json:"checked_at"`
}

// Checks is what the process has found out about itself.
type Checks struct {
	Database bool          // it answers
	Migrated bool          // its schema is what the process needs
	Writes   bool          // they succeed
	Jobs     bool          // background jobs are worked on
	Stopping bool          // the process is about to end
	Ping     time.Duration // how long the database took to answer
	Kind     string        // of the database, for people
	SendsNo  bool          // mail is kept instead of sent
}

// Outbox is what is known of email that the service sends.
type Outbox struct {
	Queued     int         // at most MostCounted
	Oldest     *clock.Time // when the oldest one that is queued was written, nil for none
	LastSent   *clock.Time // nil for none
	LastFailed *clock.Time // when the last one that failed was written, nil for none
	LastError  string      // of that one
}

// Deliveries is what is known of webhook deliveries of all accounts.
type Deliveries struct {
	Waiting  int         // at most MostCounted
	Oldest   *clock.Time // since when the longest due one waits for its attempt, nil for none
	Attempts int         // of the last hour, at most MostCounted
	Failed   int         // of these
}

// MostCounted is how many of a thing are counted.
const MostCounted = 1000

// Store is what the database knows.
type Store interface {
	Outbox(ctx context.Context) (Outbox, error)
	Deliveries(ctx context.Context, now clock.Time) (Deliveries, error)
}

// Monitor looks after the service. Its answers are kept for a while, so that nobody can load the
// database by asking.
type Monitor struct {
	Check func(ctx context.Context) Checks
	Store Store
	Now   clock.Clock

	mu     sync.Mutex
	last   Report
	looked time.Time
}

// keptFor is for how long a report is given to all who ask, and lookTime how long one look may take.
const (
	keptFor  = 10 * time.Second
	lookTime = 2 * time.Second
)

// lateMail is how long mail may be queued before it counts as late.
const lateMail = 15 * time.Minute

// Report is how the service works, as of the last ten seconds. Who asks while another looks waits
// for what that one sees.
func (m *Monitor) Report(ctx context.Context) Report {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.Now()
	if age := now.Sub(m.looked); m.last.State != "" && age >= 0 && age < keptFor {
		return m.last
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTime)
	defer cancel()
	checks := m.Check(ctx)
	var box Outbox
	if checks.Database {
		box, _ = m.Store.Outbox(ctx) // what cannot be read here, the checks tell
	}
	m.last, m.looked = report(checks, box, clock.At(now)), now
	return m.last
}

// report says in words what was found.
func report(c Checks, box Outbox, at clock.Time) Report {
	r := Report{State: Operational, CheckedAt: at, Parts: []Part{
		surface(c, Part{"API", Operational, "Requests work."}),
		surface(c, Part{"Dashboard", Operational, "Pages load."}),
		background(c, Part{"Webhooks", Operational, "Events are delivered."}),
		email(c, box, at),
	}}
	for _, p := range r.Parts {
		if rank[p.State] > rank[r.State] {
			r.State = p.State
		}
	}
	return r
}

// surface is a part that answers requests.
func surface(c Checks, fine Part) Part {
	switch {
	case !c.Database || !c.Migrated:
		return Part{fine.Name, Down, "The database doesn’t answer. Try again in a minute."}
	case !c.Writes:
		return Part{fine.Name, Degraded, "You can read everything. Changes fail right now and aren’t saved."}
	case c.Stopping:
		return Part{fine.Name, Degraded, "This server is about to restart."}
	}
	return fine
}

// background is a part that works after requests were answered.
func background(c Checks, fine Part) Part {
	if p := surface(c, fine); p.State == Down {
		return p
	}
	if !c.Jobs || !c.Writes {
		return Part{fine.Name, Degraded, "Everything is sent late. None of it is lost."}
	}
	return fine
}

// email is late where mail waits and none has left since it was written: one recipient whose server
// refuses mail says nothing of the others.
func email(c Checks, box Outbox, at clock.Time) Part {
	p := background(c, Part{"Email", Operational, "Email is sent."})
	if p.State != Operational {
		return p
	}
	if c.SendsNo {
		p.Words = "This server stores email instead of sending it."
		return p
	}
	late := box.Oldest != nil && at.Std().Sub(box.Oldest.Std()) > lateMail
	if late && (box.LastSent == nil || *box.LastSent < *box.Oldest) {
		return Part{p.Name, Degraded, "Email is sent late. None of it is lost."}
	}
	return p
}

// Figures is what the staff sees, as of now.
type Figures struct {
	Checks     Checks
	Outbox     Outbox
	Deliveries Deliveries
}

// Figures looks anew. What a database that is away cannot tell is empty.
func (m *Monitor) Figures(ctx context.Context) (f Figures, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	if f.Checks = m.Check(ctx); !f.Checks.Database {
		return f, nil
	}
	if f.Outbox, err = m.Store.Outbox(ctx); err != nil {
		return f, err
	}
	f.Deliveries, err = m.Store.Deliveries(ctx, clock.At(m.Now()))
	return f, err
}
