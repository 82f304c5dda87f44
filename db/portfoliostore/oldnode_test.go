package portfoliostore_test

import (
	"testing"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// addOldLease inserts the row of a lease as a node of an earlier version does.
func addOldLease(t *testing.T, d *db.DB, home *dbtest.Home, lease, document string) {
	t.Helper()
	u := home.Unit[access.Live]
	dbtest.Exec(
		t,
		d,
		`INSERT INTO leases (portfolio_id, id, version, created_at, updated_at, status, property_id, unit_id,
			rental_address,
			lease_type, start_date, monthly_rent, security_deposit, rent_due_day, document_url)
		VALUES ($1, $2, 1, 0, 0, 'draft', $3, $4, 'a', 'month_to_month', 0, 1, 0, 1, $5)`,
		home.Live.ID,
		lease,
		u.PropertyID,
		u.ID,
		document,
	)
}

// While nodes are replaced one after the other, those of the version before write document_url and
// documents.clauses, which are document_id and terms now.
func TestLeaseFromPreviousVersionKeepsDocumentAndClauses(t *testing.T) {
	t.Parallel()
	d := dbtest.OnPostgres(t)
	home := dbtest.NewHome(t, d, "dana")
	lease, document := id.New(id.Lease, dbtest.Now), id.New(id.Document, dbtest.Now)
	addOldLease(t, d, &home, lease, document)
	dbtest.Exec(
		t,
		d,
		`INSERT INTO documents (portfolio_id, id, created_at, lease_id, media_type, sha256, content, clauses)
		VALUES ($1, $2, 0, $3, 'application/pdf', 'h', $4, '{"pets":"One cat."}')`,
		home.Live.ID,
		document,
		lease,
		[]byte("c"),
	)
	l, err := portfoliostore.New(d).Lease(t.Context(), home.Live, lease)
	if err != nil || l.DocumentID == nil || *l.DocumentID != document || l.Terms.Clauses.Pets == nil ||
		*l.Terms.Clauses.Pets != "One cat." {
		t.Errorf("%+v: %v", l, err)
	}
	l.ID, l.DocumentID = id.New(id.Lease, dbtest.Now), new(id.New(id.Document, dbtest.Now))
	if err := portfoliostore.New(d).AddLease(t.Context(), home.Live, &l); err != nil {
		t.Fatal(err)
	}
	seen := dbtest.Texts(t, d, "SELECT document_url FROM leases WHERE id = '"+l.ID+"'")
	if len(seen) != 1 || seen[0] != *l.DocumentID {
		t.Errorf("the node of the version before sees %q of a %s", seen, portfolio.LeaseDraft)
	}
}

// A node of the version before emails the links when it makes a lease, and knows nothing of sending as a step.
func TestLeaseFromPreviousVersionIsSent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, open func(testing.TB) *db.DB) {
		d := open(t)
		home := dbtest.NewHome(t, d, "dana")
		lease, document := id.New(id.Lease, dbtest.Now), id.New(id.Document, dbtest.Now)
		addOldLease(t, d, &home, lease, document)
		dbtest.Exec(
			t,
			d,
			`INSERT INTO documents (portfolio_id, id, created_at, lease_id, media_type, sha256, content)
			VALUES ($1, $2, 5, $3, 'application/pdf', 'h', $4)`,
			home.Live.ID,
			document,
			lease,
			[]byte("c"),
		)
		store := portfoliostore.New(d)
		sending, err := store.Sending(t.Context(), home.Live, document)
		if err != nil || sending.RequestedAt == nil || sending.SentAt == nil || *sending.SentAt != 5 {
			t.Errorf("%+v: %v", sending, err)
		}
		if err := store.SaveSending(t.Context(), home.Live, document, agreement.Sending{}); err != nil {
			t.Fatal(err)
		}
		sending, err = store.Sending(t.Context(), home.Live, document)
		if err != nil || sending.RequestedAt != nil || sending.SentAt != nil {
			t.Errorf("saved as not sent, it is %+v: %v", sending, err)
		}
	})
}
