package demo_test

import (
	"testing"

	"github.com/oklog/ulid/v2"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
)

func TestIDsAscendAndEncodeCreationTime(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		last, before := map[string]string{}, map[string]clock.Time{}
		s.records(func(kind string, _ int, r *portfolio.Record) {
			if r.ID <= last[kind] {
				t.Errorf("%s %s comes after %s", kind, r.ID, last[kind])
			}
			if r.CreatedAt <= before[kind] {
				t.Errorf("%s %s was created in the same millisecond as another", kind, r.ID)
			}
			last[kind], before[kind] = r.ID, r.CreatedAt
			u, err := ulid.ParseStrict(r.ID[len(r.ID)-ulid.EncodedSize:])
			if err != nil || clock.Time(u.Time()) != r.CreatedAt {
				t.Errorf("%s %s was created at %s", kind, r.ID, r.CreatedAt)
			}
		})
	})
}

func TestNoRecordIsCreatedOrUpdatedInFuture(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		s.records(func(kind string, _ int, r *portfolio.Record) {
			if r.CreatedAt > r.UpdatedAt || r.UpdatedAt > clock.At(s.now) {
				t.Errorf("%s %s: created %s, updated %s", kind, r.ID, r.CreatedAt, r.UpdatedAt)
			}
		})
	})
}

func TestOnlyChangedRecordsHaveHigherVersions(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		changed, unchanged := map[string]bool{}, map[string]bool{}
		s.records(func(kind string, _ int, r *portfolio.Record) {
			if r.Version < 1 || r.Version > 1 && r.UpdatedAt == r.CreatedAt ||
				r.Version == 1 && r.UpdatedAt > r.CreatedAt {
				t.Errorf("%s %s: version %d, created %s, updated %s", kind, r.ID, r.Version, r.CreatedAt, r.UpdatedAt)
			}
			changed[kind], unchanged[kind] = changed[kind] || r.Version > 1, unchanged[kind] || r.Version == 1
		})
		if len(changed) != 6 || len(unchanged) != 6 {
			t.Errorf("kinds with changed records: %v, with unchanged ones: %v", changed, unchanged)
		}
		for kind := range changed {
			if !changed[kind] || !unchanged[kind] {
				t.Errorf("%s: some changed %v, some unchanged %v", kind, changed[kind], unchanged[kind])
			}
		}
	})
}

func TestEveryRecordHasObjectAndMode(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		s.records(func(kind string, _ int, r *portfolio.Record) {
			if r.Object != kind || r.Mode != access.Test {
				t.Errorf("%s calls itself a %q of mode %q", r.ID, r.Object, r.Mode)
			}
		})
	})
}

func TestRecordsAreCreatedAfterTheirParents(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for _, u := range s.Units {
			inOrder(t, "property and unit", s.properties[u.PropertyID].CreatedAt, u.CreatedAt)
		}
		for _, l := range s.Leases {
			inOrder(t, "unit and lease", s.units[l.UnitID].CreatedAt, l.CreatedAt)
			for _, id := range l.TenantIDs {
				inOrder(t, "tenant and lease", s.tenants[id].CreatedAt, l.CreatedAt)
			}
		}
		for _, p := range s.Payments {
			inOrder(t, "lease and ledger row", s.leases[p.LeaseID].CreatedAt, p.CreatedAt)
		}
		for _, k := range s.Tickets {
			inOrder(t, "property and ticket", s.properties[k.PropertyID].CreatedAt, k.CreatedAt)
			if k.LeaseID != nil {
				inOrder(t, "lease and ticket", s.leases[*k.LeaseID].CreatedAt, k.CreatedAt)
			}
		}
	})
}

func inOrder(t *testing.T, what string, moments ...clock.Time) {
	t.Helper()
	for i := range moments[1:] {
		if moments[i] > moments[i+1] {
			t.Errorf("%s: %s comes before %s", what, moments[i], moments[i+1])
		}
	}
}
