package demo_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/triage"
)

func TestTicketsAreNumberedInCreationOrder(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for i, k := range s.Tickets {
			if want := fmt.Sprintf("T-%d", 1001+i); k.Number != want {
				t.Errorf("ticket %d is %s, want %s", i, k.Number, want)
			}
		}
	})
}

func TestEndedTicketHasEndTime(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		reopened := 0
		for _, k := range s.Tickets {
			reopened += k.ReopenedCount
			completed, cancelled := k.Status == portfolio.TicketCompleted, k.Status == portfolio.TicketCancelled
			if completed != (k.CompletedAt != nil) || cancelled != (k.CancelledAt != nil) {
				t.Errorf("%s %q is %s: completed %v, cancelled %v", k.Number, k.Title, k.Status, k.CompletedAt,
					k.CancelledAt)
			}
			for _, end := range []*clock.Time{k.CompletedAt, k.CancelledAt} {
				if end != nil {
					inOrder(t, k.Title, k.CreatedAt, *end, k.UpdatedAt, clock.At(s.now))
				}
			}
			if k.ReopenedCount > 0 && k.Version < int64(2*k.ReopenedCount+1) {
				t.Errorf("%s %q was reopened %d times and has version %d", k.Number, k.Title, k.ReopenedCount,
					k.Version)
			}
		}
		if reopened < 2 {
			t.Errorf("%d reopenings", reopened)
		}
	})
}

func TestTicketVersionReflectsItsChanges(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for _, k := range s.Tickets {
			steps := int64(1)
			for _, taken := range []bool{k.Vendor != nil, k.ScheduledStart != nil, k.Status != portfolio.TicketOpen} {
				if taken {
					steps++
				}
			}
			if k.Version < steps {
				t.Errorf("%s %q, %s, has version %d after %d steps", k.Number, k.Title, k.Status, k.Version, steps)
			}
		}
	})
}

func TestVisitFallsWithinTicketLifetime(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for _, k := range s.Tickets {
			if k.Status == portfolio.TicketScheduled &&
				(k.ScheduledStart == nil || s.date(*k.ScheduledStart) <= s.today) {
				t.Errorf("%s %q is scheduled for %v", k.Number, k.Title, k.ScheduledStart)
			}
			if k.ScheduledStart == nil {
				continue
			}
			way := []clock.Time{k.CreatedAt, *k.ScheduledStart}
			if k.ScheduledEnd != nil {
				way = append(way, *k.ScheduledEnd)
			}
			if k.CompletedAt != nil {
				way = append(way, *k.CompletedAt)
			}
			inOrder(t, k.Title, way...)
		}
	})
}

func TestTriageQuotesTicketText(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		without, overruled := 0, 0
		for _, k := range s.Tickets {
			if k.Triage == nil {
				without++
				continue
			}
			if k.Triage.Category != k.Category || k.Triage.Priority != k.Priority {
				overruled++
			}
			if len(k.Triage.Reasons) == 0 || k.Triage.SafetyFlags == nil || k.Triage.Source != "built_in" ||
				k.Triage.ModelVersion == "" {
				t.Errorf("%s %q: %+v", k.Number, k.Title, k.Triage)
			}
			if k.Triage.NeedsReview != (k.Triage.Confidence < triage.ReviewBelow) {
				t.Errorf("%s %q: needs review is %v at confidence %v", k.Number, k.Title, k.Triage.NeedsReview,
					k.Triage.Confidence)
			}
			inOrder(t, k.Title, k.CreatedAt, k.Triage.TriagedAt, clock.At(s.now))
			for _, r := range k.Triage.Reasons {
				if r.Rule == "" || r.Matched == "" || !strings.Contains(k.Description, r.Matched) {
					t.Errorf("%s %q does not say %q", k.Number, k.Title, r.Matched)
				}
			}
		}
		within(t, "tickets without triage", without, 3, 20)
		within(t, "tickets of which a person knew better", overruled, 2, 15)
	})
}

// The rubric of triage: what endangers somebody is an emergency, or at least high.
func TestSafetyFlagsImplyHighPriority(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		flagged := 0
		for _, k := range s.Tickets {
			if k.Triage == nil || len(k.Triage.SafetyFlags) == 0 {
				continue
			}
			flagged++
			if k.Triage.Priority != portfolio.PriorityHigh && k.Triage.Priority != portfolio.PriorityEmergency {
				t.Errorf("%s %q is %s with %v", k.Number, k.Title, k.Triage.Priority, k.Triage.SafetyFlags)
			}
		}
		within(t, "tickets with safety flags", flagged, 8, 30)
	})
}

func TestDemoHasOpenEmergency(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		if !slices.ContainsFunc(s.Tickets, func(k portfolio.Ticket) bool {
			return k.Status == portfolio.TicketOpen && k.Priority == portfolio.PriorityEmergency
		}) {
			t.Error("no open emergency")
		}
	})
}

func TestTicketTextsAreVaried(t *testing.T) {
	s := shelves()[0]
	long, spanish := 0, 0
	texts, units := map[string]bool{}, map[string]int{}
	for _, k := range s.Tickets {
		if len([]rune(k.Description)) > 300 {
			long++
		}
		if strings.ContainsAny(k.Description, "¿áéíóúñ") {
			spanish++
		}
		if k.UnitID != nil {
			units[*k.UnitID]++
		}
		texts[k.Description] = true
	}
	most := 0
	for _, n := range units {
		most = max(most, n)
	}
	if long < 12 || spanish < 4 || len(texts) != len(s.Tickets) || most < 5 {
		t.Errorf("%d long texts, %d Spanish ones, %d different ones, %d of one unit", long, spanish, len(texts), most)
	}
}
