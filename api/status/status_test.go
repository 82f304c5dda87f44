package status_test

import (
	"context"
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/status"
)

// outbox answers with what it holds.
type outbox status.Outbox

func (o outbox) Outbox(context.Context) (status.Outbox, error) { return status.Outbox(o), nil }

func (outbox) Deliveries(context.Context, clock.Time) (status.Deliveries, error) {
	return status.Deliveries{Waiting: 3}, nil
}

var fine = status.Checks{Database: true, Migrated: true, Writes: true, Jobs: true}

func monitor(c status.Checks, o status.Outbox) *status.Monitor {
	return &status.Monitor{
		Check: func(context.Context) status.Checks { return c },
		Store: outbox(o),
		Now:   func() time.Time { return time.UnixMilli(3_600_000) },
	}
}

func TestServiceStatusIsThatOfItsWorstComponent(t *testing.T) {
	t.Parallel()
	changed := func(change func(*status.Checks)) status.Checks {
		c := fine
		change(&c)
		return c
	}
	for name, x := range map[string]struct {
		checks                    status.Checks
		box                       status.Outbox
		all, api, webhooks, email status.State
	}{
		"fine": {fine, status.Outbox{}, "operational", "operational", "operational", "operational"},
		"no database": {
			changed(func(c *status.Checks) { c.Database = false }), status.Outbox{}, "down", "down", "down", "down",
		},
		"full disk": {
			changed(func(c *status.Checks) { c.Writes = false }), status.Outbox{},
			"degraded", "degraded", "degraded", "degraded",
		},
		"no jobs": {
			changed(func(c *status.Checks) { c.Jobs = false }), status.Outbox{},
			"degraded", "operational", "degraded", "degraded",
		},
		"late mail": {
			fine, status.Outbox{Oldest: new(clock.Time(1))}, "degraded", "operational", "operational", "degraded",
		},
		"one recipient refuses": {
			fine, status.Outbox{Oldest: new(clock.Time(1)), LastSent: new(clock.Time(2))},
			"operational", "operational", "operational", "operational",
		},
	} {
		r := monitor(x.checks, x.box).Report(t.Context())
		got := [4]status.State{r.State, r.Parts[0].State, r.Parts[2].State, r.Parts[3].State}
		if got != [4]status.State{x.all, x.api, x.webhooks, x.email} {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestFrequentStatusRequestsAreCached(t *testing.T) {
	t.Parallel()
	looks, now := 0, time.UnixMilli(3_600_000)
	m := monitor(fine, status.Outbox{})
	m.Now = func() time.Time { return now }
	m.Check = func(context.Context) status.Checks {
		looks++
		return fine
	}
	for range 100 {
		m.Report(t.Context())
	}
	now = now.Add(10 * time.Second)
	m.Report(t.Context())
	if looks != 2 {
		t.Errorf("it was looked %d times", looks)
	}
}

func TestStaffFiguresAreEmptyWithoutDatabase(t *testing.T) {
	t.Parallel()
	f, err := monitor(fine, status.Outbox{Queued: 2}).Figures(t.Context())
	if err != nil || f.Outbox.Queued != 2 || f.Deliveries.Waiting != 3 {
		t.Errorf("%+v %v", f, err)
	}
	f, err = monitor(status.Checks{}, status.Outbox{Queued: 2}).Figures(t.Context())
	if err != nil || f.Outbox.Queued != 0 || f.Deliveries.Waiting != 0 {
		t.Errorf("%+v %v", f, err)
	}
}
