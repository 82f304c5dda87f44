package jobs

import (
	"slices"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

func TestUnsignedDraftDocumentsAreClearedAfter30Days(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		home := dbtest.NewHome(t, d, "dana")
		limit := clock.At(noon.Add(-30 * 24 * time.Hour))
		documents := portfoliostore.New(d)
		ended := func(status portfolio.LeaseStatus, at clock.Time, signed, partly bool) string {
			u := home.Unit[access.Live]
			tenant := portfolio.Tenant{
				Record:    dbtest.Record(id.Tenant, "tenant", access.Live, noon),
				FirstName: "Sam",
				LastName:  "Rivera",
				Status:    portfolio.TenantProspect,
			}
			l := portfolio.Lease{
				Record:      dbtest.Record(id.Lease, "lease", access.Live, noon),
				Status:      status,
				PropertyID:  u.PropertyID,
				UnitID:      u.ID,
				LeaseType:   portfolio.Fixed,
				StartDate:   clock.Day(2026, 1, 9),
				EndDate:     new(clock.Day(2027, 1, 8)),
				MonthlyRent: 1,
				RentDueDay:  1,
				Tenants:     []portfolio.Party{{ID: tenant.ID, Role: portfolio.PartyPrimary}},
			}
			l.UpdatedAt = at
			if status == portfolio.LeaseDraft {
				l.UpdatedAt, l.ExpiresAt = at-1, &at
			}
			if signed {
				l.SignedAt = new(at - 1)
			}
			if partly {
				l.Tenants[0].SignedAt = new(at - 1)
			}
			dbtest.OK(t, portfoliostore.New(d).AddPeople(t.Context(), home.Live, &portfolio.Book{
				Tenants: []portfolio.Tenant{tenant},
				Leases:  []portfolio.Lease{l},
			}))
			doc := agreement.Document{
				ID:      id.New(id.Document, noon),
				LeaseID: l.ID,
				Version: agreement.Version{
					Number:    1,
					CreatedAt: limit - 1000,
					Body:      "{}",
					SHA256:    "hash of " + l.ID,
					Content:   []byte("%PDF-"),
				},
			}
			dbtest.OK(t, documents.AddDocument(t.Context(), home.Live, &doc, nil))
			return doc.ID
		}
		emptied := []string{
			ended(portfolio.LeaseVoided, limit-1, false, false),
			ended(portfolio.LeaseDeclined, limit-1, false, false),
			ended(portfolio.LeaseDraft, limit-1, false, false),
		}
		kept := []string{
			ended(portfolio.LeaseVoided, limit, false, false),
			ended(portfolio.LeaseDraft, limit, false, false),
			ended(portfolio.LeaseVoided, limit-1, true, false),
			ended(portfolio.LeaseDeclined, limit-1, false, true),
			ended(portfolio.LeaseActive, limit-1, false, false),
			ended(portfolio.LeasePendingSignature, limit-1, false, false),
		}
		dbtest.OK(t, (&forgetWorker{all: forgettable(d), now: atNoon}).Work(t.Context(), nil))
		for _, documentID := range slices.Concat(emptied, kept) {
			in, doc, err := documents.Document(t.Context(), documentID)
			dbtest.OK(t, err)
			gone := slices.Contains(emptied, documentID)
			if in.ID != home.Live.ID || doc.SHA256 != "hash of "+doc.LeaseID || (len(doc.Content) == 0) != gone {
				t.Errorf("emptied %t: %+v", gone, doc)
			}
		}
	})
}
