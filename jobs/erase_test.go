package jobs

import (
	"strings"
	"testing"
	"time"

	"portal/api/account"
	"portal/api/clock"
	"portal/api/portfolio/lease/application"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/retentionstore"
)

func TestClosedAccountIsErasedAfterMonthAndDeletedAfterSevenYears(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	dana, robin := dbtest.NewHome(t, d, "dana"), dbtest.NewHome(t, d, "robin")
	closed := dbtest.Noon()
	if done, err := retentionstore.New(d).CloseAccount(
		t.Context(),
		dana.AccountID,
		application.OpenInvitations(),
		closed,
	); err != nil ||
		!done {
		t.Fatal(done, err)
	}
	for _, c := range []struct {
		after       time.Duration
		known, kept bool
	}{
		{0, true, true},
		{account.EraseAfter, true, true},
		{account.EraseAfter + time.Millisecond, false, true},
		{account.DeleteAfter, false, true},
		{account.DeleteAfter + time.Millisecond, false, false},
		{2 * account.DeleteAfter, false, false},
	} {
		w := &eraseWorker{
			store: retentionstore.New(d),
			now:   func() time.Time { return closed.Std().Add(c.after) },
		}
		for range 2 { // the second time there is nothing to do
			if err := w.Work(t.Context(), nil); err != nil {
				t.Fatalf("after %s: %v", c.after, err)
			}
		}
		_, known, err := accountstore.New(d).PersonByEmail(t.Context(), dana.Email)
		if err != nil || known != c.known {
			t.Errorf("after %s dana is known: %v, %v", c.after, known, err)
		}
		units, err := portfoliostore.New(d).UnitCount(t.Context(), dana.Live)
		if err != nil || units == 1 != c.kept {
			t.Errorf("after %s there are %d units, %v", c.after, units, err)
		}
	}
	if _, known, err := accountstore.New(d).PersonByEmail(t.Context(), robin.Email); err != nil || !known {
		t.Errorf("robin is gone: %v", err)
	}
	if done, err := retentionstore.New(d).CloseAccount(
		t.Context(),
		dana.AccountID,
		application.OpenInvitations(),
		clock.At(closed.Std())+1,
	); err != nil ||
		done {
		t.Errorf("it is closed again: %v", err)
	}
}

// tenantTables are what tenants have and have written on their pages.
var tenantTables = []string{
	"ticket_photos", "ticket_activities", "ticket_notices", "tenant_link_tokens", "tenant_links", "tickets",
	"ticket_words", "tenant_words", "rent_notices", "rent_news",
}

// Scans of leases that bind somebody stay as long as the leases do, and no others.
func TestErasedAccountKeepsScansOfSignedLeasesAlone(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		dana := dbtest.NewHome(t, d, "dana")
		if err := portfoliostore.New(d).Add(t.Context(), dana.Live, dbtest.DemoBook()); err != nil {
			t.Fatal(err)
		}
		dbtest.Exec(t, d, `UPDATE leases SET status = 'voided', signed_at = NULL
			WHERE id = (SELECT min(id) FROM leases WHERE portfolio_id = $1)`, dana.Live.ID)
		dbtest.Exec(
			t,
			d,
			`UPDATE leases SET signed_at = 1 WHERE portfolio_id = $1 AND status <> 'voided'`,
			dana.Live.ID,
		)
		dbtest.Exec(t, d, `INSERT INTO lease_scans (portfolio_id, lease_id, signer_id, created_at, signed_on,
				media_type, sha256, content)
			SELECT portfolio_id, id, 'sig', 0, 0, 'image/png', 'hash', $2
			FROM leases
			WHERE portfolio_id = $1`, dana.Live.ID, []byte("c"))
		scans := func(where string) string {
			return dbtest.Texts(t, d, "SELECT CAST(count(*) AS TEXT) FROM lease_scans s JOIN leases l "+
				"ON l.portfolio_id = s.portfolio_id AND l.id = s.lease_id WHERE "+where)[0]
		}
		signed := scans("l.signed_at IS NOT NULL")
		if scans("l.signed_at IS NULL") == "0" || signed == "0" {
			t.Fatal("there are no scans of both")
		}
		if err := retentionstore.New(d).EraseAccount(t.Context(), dana.AccountID, dbtest.Noon()); err != nil {
			t.Fatal(err)
		}
		if n := scans("l.signed_at IS NULL"); n != "0" || scans("l.signed_at IS NOT NULL") != signed {
			t.Errorf("%s scans of unsigned leases, %s of signed ones", n, scans("l.signed_at IS NOT NULL"))
		}
		if err := retentionstore.New(d).DeleteAccount(t.Context(), dana.AccountID); err != nil {
			t.Fatal(err)
		}
		if n := scans("TRUE"); n != "0" {
			t.Errorf("%s scans of a deleted account", n)
		}
	})
}

func TestErasedAccountLeavesNoTenantContent(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		dana := dbtest.NewHome(t, d, "dana")
		if err := portfoliostore.New(d).Add(t.Context(), dana.Live, dbtest.DemoBook()); err != nil {
			t.Fatal(err)
		}
		for _, insert := range []string{
			`tenant_links (portfolio_id, id, created_at, tenant_id)
				SELECT portfolio_id, 'link', 0, id FROM tenants`,
			`tenant_link_tokens (portfolio_id, link_id, hash, created_at)
				SELECT portfolio_id, id, $2, 0 FROM tenant_links`,
			`ticket_photos (portfolio_id, ticket_id, id, created_at, tenant_id, width, height, content, thumbnail)
				SELECT portfolio_id, id, 'pho', 0, tenant_id, 1, 1, $2, $2 FROM tickets`,
			`ticket_activities (portfolio_id, ticket_id, id, created_at, kind, by_tenant, author, words, status)
				SELECT portfolio_id, id, 'act', 0, 'comment', FALSE, 'a', 'w', '' FROM tickets`,
			`ticket_notices (portfolio_id, ticket_id, recipient, sent_at)
				SELECT portfolio_id, id, 'tenant', 0 FROM tickets`,
			`rent_notices (portfolio_id, tenant_id, day)
				SELECT portfolio_id, id, 0 FROM tenants`,
			`rent_news (portfolio_id, tenant_id, payment_id, position)
				SELECT portfolio_id, tenant_id, id, 0 FROM payments`,
		} {
			args := []any{dana.Live.ID}
			if strings.Contains(insert, "$2") {
				args = append(args, []byte("c"))
			}
			where := " WHERE portfolio_id = $1"
			if strings.HasSuffix(insert, "FROM tickets") {
				where += " AND tenant_id IS NOT NULL"
			}
			dbtest.Exec(t, d, "INSERT INTO "+insert+where+" LIMIT 1", args...)
		}
		left := func() (n int) {
			for _, table := range tenantTables {
				var rows int
				if _, err := d.One(t.Context(), "SELECT count(*) FROM "+table, nil, &rows); err != nil {
					t.Fatal(err)
				}
				if rows > 0 {
					n++
				}
			}
			return n
		}
		if n := left(); n != len(tenantTables) {
			t.Fatalf("%d tables have rows", n)
		}
		if err := retentionstore.New(d).EraseAccount(t.Context(), dana.AccountID, dbtest.Noon()); err != nil {
			t.Fatal(err)
		}
		if n := left(); n != 0 {
			t.Errorf("%d tables have rows", n)
		}
	})
}
