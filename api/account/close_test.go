package account_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/agreement"
	"portal/api/agreement/document/documenttest"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/demo"
	"portal/api/portfolio/lease/application"
	"portal/api/webhook"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/retentionstore"
	"portal/db/webhookstore"
)

// furnished gives the portfolios of an account what a demo has, and a key of each mode.
func (r *fixture) furnished(v *account.Visitor) portfolio.Book {
	r.Helper()
	var live portfolio.Book
	for _, in := range []access.Portfolio{v.Account.Test, v.Account.Live} {
		live = demo.Book(r.now(), time.UTC)
		for i := range live.Tenants {
			live.Tenants[i].Email = new("tenant of " + v.Email)
			live.Tenants[i].AlternateEmail = new("another of " + v.Email)
		}
		r.ok(portfoliostore.New(r.db).Add(r.Context(), in, &live))
		r.applied(in, &live.Units[0], v.Email)
		for _, e := range webhook.Samples(r.now()) {
			r.ok(webhookstore.New(r.db).AddEndpoint(r.Context(), in, e, []byte("sealed")))
		}
	}
	dev := r.Developer
	_, err := dev.Reviews.Approve(r.Context(), v.Email, nil)
	r.ok(err)
	_, err = dev.AskForUnits(r.Context(), developer.Member{UserID: v.UserID, AccountID: v.Account.AccountID}, 300)
	r.ok(err)
	for _, mode := range []access.Mode{access.Test, access.Live} {
		_, err := dev.CreateKey(r.Context(), v.Email, developer.KeyCreate{Name: "Sync", Mode: mode})
		r.ok(err)
	}
	return live
}

// applied is an invitation to a unit, with an application.
func (r *fixture) applied(in access.Portfolio, u *portfolio.Unit, whose string) {
	r.Helper()
	at := clock.At(r.now())
	i := application.Invitation{
		Record: portfolio.Record{
			ID:        id.New(id.Invitation, r.now()),
			Object:    "tenant_invitation",
			Mode:      in.Mode,
			Version:   1,
			CreatedAt: at,
			UpdatedAt: at,
		},
		UnitID:      u.ID,
		PropertyID:  u.PropertyID,
		Email:       "applicant of " + whose,
		Status:      application.InvitationApplied,
		EmailStatus: "sent",
		ExpiresAt:   at + 1000,
	}
	r.ok(portfoliostore.New(r.db).AddInvitation(r.Context(), in, &i, application.Links{
		Apply:       []byte(i.ID),
		Unsubscribe: []byte(i.ID),
	}))
	r.ok(portfoliostore.New(r.db).AddApplication(r.Context(), in, i.ID, &application.Application{
		CreatedAt: at,
		FirstName: "Sam",
		LastName:  "Rivera",
		Email:     "applicant of " + whose,
		Phone:     "+15125550142",
	}))
}

// everything is what the database holds, as text, by table.
func (r *fixture) everything() map[string]string {
	r.Helper()
	all := map[string]string{}
	if pool := r.db.Postgres(); pool != nil {
		for _, table := range r.columns(
			"SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
		) {
			all[table] = strings.Join(r.columns("SELECT CAST(t AS TEXT) FROM "+table+" t"), "\n")
		}
		return all
	}
	for _, table := range r.columns("SELECT name FROM sqlite_master WHERE type = 'table'") {
		var parts []string
		for _, column := range r.columns("SELECT name FROM pragma_table_info('" + table + "')") {
			parts = append(parts, "COALESCE(CAST("+column+" AS TEXT), '')")
		}
		all[table] = strings.Join(r.columns("SELECT "+strings.Join(parts, " || ' ' || ")+" FROM "+table), "\n")
	}
	return all
}

// columns reads the texts of a query past the store.
func (r *fixture) columns(query string) (all []string) {
	r.Helper()
	return dbtest.Texts(r, r.db, query)
}

func TestClosingAccountRevokesAllAccess(t *testing.T) {
	both(t, func(r, other *fixture) {
		ada := r.signedUp("ada@example.com")
		bob, bobs := r.joined(ada, "bob@example.com", access.Manager)
		_, err := r.Invitations.Invite(r.Context(), ada, "carl@example.com", access.Manager, home())
		r.ok(err)
		link := r.token("carl@example.com", "/join/")
		r.furnished(ada)
		r.refused(r.Closing.Close(r.Context(), bob, right, home()), fault.OwnerRequired, "")
		r.refused(r.Closing.Close(r.Context(), ada, "wrong", home()), fault.InvalidField, "password")
		ada, adas := r.signedIn("ada@example.com")
		r.ok(r.Closing.Close(r.Context(), ada, right, home()))

		_, err = other.Sessions.Visitor(r.Context(), adas, home())
		r.refused(err, fault.NoRecord, "")
		r.want(other.seen(bobs).Account.AccountID != ada.Account.AccountID, "Bob is in a closed account")
		keys, err := r.Developer.KeysOf(r.Context(), ada.Account.AccountID)
		r.ok(err)
		for _, k := range keys {
			r.want(k.RevokedAt != nil, "the key %s works", k.ID)
		}
		for _, in := range []access.Portfolio{ada.Account.Live, ada.Account.Test} {
			enabled, err := webhookstore.New(r.db).EnabledEndpoints(r.Context(), in)
			r.ok(err)
			r.want(len(enabled) == 0, "%d endpoints are enabled", len(enabled))
		}
		_, err = r.Invitations.InvitationOf(r.Context(), link)
		r.refused(err, fault.NoRecord, "")
		_, _, err = r.Developer.Account(r.Context(), "ada@example.com")
		r.refused(err, fault.NoRecord, "")
		again, _ := r.signedIn("ada@example.com")
		r.want(again.Account == nil, "Ada is in %+v", again.Account)
		r.refused(r.Closing.Close(r.Context(), again, right, home()), fault.NoRecord, "")
		r.told("ada@example.com", "was closed by ada@example.com")
	})
}

func TestErasureRemovesPersonalDataAndKeepsBooks(t *testing.T) {
	both(t, func(r, _ *fixture) {
		eve := r.signedUp("eve@example.com")
		r.furnished(eve)
		ada := r.signedUp("ada@example.com")
		r.joined(ada, "bob@example.com", access.Manager)
		book := r.furnished(ada)
		ada, _ = r.signedIn("ada@example.com")
		r.ok(r.Closing.Close(r.Context(), ada, right, home()))
		due := func(after time.Duration) []string {
			ids, err := retentionstore.New(r.db).ToErase(r.Context(), clock.At(r.now().Add(after-account.EraseAfter)))
			r.ok(err)
			return ids
		}
		r.want(len(due(account.EraseAfter)) == 0, "it is erased too early")
		r.want(len(due(account.EraseAfter+time.Millisecond)) == 1, "it is not erased")
		r.add(account.EraseAfter + time.Millisecond)
		r.ok(retentionstore.New(r.db).EraseAccount(r.Context(), ada.Account.AccountID, clock.At(r.now())))
		r.want(len(due(0)) == 0, "it is erased again")

		all := r.everything()
		for table, text := range all {
			r.want(
				!strings.Contains(text, "of ada@example.com"),
				"%s holds what a tenant of Ada's is reached by",
				table,
			)
			r.want(!strings.Contains(text, "ada@example.com"), "%s holds Ada's address", table)
		}
		r.want(strings.Contains(all["users"], "bob@example.com"), "Bob, who has an account of his own, is gone")
		count := func(table string, in access.Portfolio) string {
			return r.columns(fmt.Sprintf("SELECT CAST(COUNT(*) AS TEXT) FROM %s WHERE portfolio_id = %d",
				table, in.ID))[0]
		}
		r.want(
			count("payments", ada.Account.Live) == fmt.Sprint(len(book.Payments)),
			"%s ledger rows are left of %d",
			count("payments", ada.Account.Live),
			len(book.Payments),
		)
		for _, table := range []string{"payments", "leases", "tenants", "units", "properties"} {
			r.want(count(table, ada.Account.Test) == "0", "the demo has %s %s", count(table, ada.Account.Test), table)
			r.want(count(table, eve.Account.Live) != "0" &&
				count(table, eve.Account.Test) != "0", "Eve has lost her %s", table)
		}

		r.ok(retentionstore.New(r.db).DeleteAccount(r.Context(), ada.Account.AccountID))
		r.want(count("payments", ada.Account.Live) == "0" &&
			count("payments", eve.Account.Live) != "0", "the books are not deleted, or Eve's are")
		left, err := retentionstore.New(r.db).ToDelete(r.Context(), clock.At(r.now())+1)
		r.ok(err)
		r.want(len(left) == 0, "%v are left", left)
		r.signedUp("ada@example.com") // as if she had never been here
	})
}

func TestExportContainsNoSigningLinks(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		ada, _ := r.signedIn("ada@example.com")
		book := r.furnished(ada)
		u, by := &book.Units[0], ada.Actor(access.Live)
		_, err := r.leases.UpdateDetails(r.Context(), by, change.Target{}, agreement.DetailsUpdate{
			Address: change.To(new("12 Harbor Lane, Austin, TX 78701")),
		})
		r.ok(err)
		made, err := r.leases.Generate(r.Context(), by, agreement.LeaseGenerate{
			PropertyID:    u.PropertyID,
			UnitID:        &u.ID,
			TenantID:      book.Tenants[0].ID,
			StartDate:     clock.Day(2030, 1, 1),
			MonthlyRent:   money.Dollars(1500),
			LeaseType:     new(portfolio.Fixed),
			RentDueDay:    new(1),
			ExpiresInDays: 14,
		})
		r.ok(err)
		r.want(made.After.EsignURL != nil && made.After.Signers[0].EsignURL != nil, "nobody can sign: %+v", made.After)
		var b bytes.Buffer
		r.ok(r.Closing.Export(r.Context(), ada, &b, home()))
		z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
		r.ok(err)
		found := false
		for _, f := range z.File {
			text := r.read(f)
			found = found || strings.Contains(text, made.After.Signers[0].ID)
			r.want(!strings.Contains(text, "/sign/"), "%s holds a link to sign with", f.Name)
		}
		r.want(found, "the lease is not in the export")
	})
}

func TestExportContainsEveryRecordOnce(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		ada, token := r.signedIn("ada@example.com")
		book := r.furnished(ada)
		dbtest.Exec(r, r.db, `INSERT INTO deposit_statements (portfolio_id, lease_id, created_at, ended_on, deadline,
				paid_on, held, refunded, content)
			SELECT portfolio_id, min(id), 0, 0, 0, 0, 100, 100, '{"home":"Unit 2B"}'
			FROM leases
			GROUP BY portfolio_id`)
		dbtest.Exec(r, r.db, `INSERT INTO lease_notices (portfolio_id, lease_id, id, created_at, kind, given_on,
				effective_on, content)
			SELECT portfolio_id, min(id), 'ntc_01KJMMA2G00400000000000002', 0, 'entry', 0, 1, '{"home":"Unit 2B"}'
			FROM leases
			GROUP BY portfolio_id`)
		dbtest.Exec(r, r.db, `INSERT INTO lease_amendments (portfolio_id, id, version, created_at, updated_at, lease_id,
				status, effective_on, changes, signatures)
			SELECT portfolio_id, 'amd_01KJMMA2G00400000000000002', 1, 0, 0, min(id), 'draft', 1,
				'{"clause":"No smoking."}', '[]'
			FROM leases
			GROUP BY portfolio_id`)
		dbtest.Exec(
			r,
			r.db,
			`INSERT INTO condition_reports (portfolio_id, id, version, created_at, updated_at, lease_id,
				kind, areas, signatures)
			SELECT portfolio_id, 'cond_01KJMMA2G00400000000000002', 1, 0, 0, min(id), 'move_in',
				'[{"id":"area_1","code":"kitchen","items":[{"id":"item_1","code":"stove"}]}]', '[]'
			FROM leases
			GROUP BY portfolio_id`,
		)
		dbtest.Exec(
			r,
			r.db,
			`INSERT INTO condition_photos (portfolio_id, id, report_id, item_id, side, uploaded_at, sha256,
				size, width, height, content, thumbnail)
			SELECT portfolio_id, 'pho_01KJMMA2G00400000000000002', id, 'item_1', 'landlord', 0, 'fingerprint', 1, 1, 1,
				$1, $1
			FROM condition_reports`,
			[]byte("c"),
		)
		_, err := r.leases.AddTemplate(r.Context(), ada.Actor(access.Live), agreement.TemplateInput{Name: "Standard"})
		r.ok(err)
		rules, err := r.leases.Clean(r.Context(), ada.Actor(access.Live), "a.pdf", documenttest.Pages("Quiet hours"))
		r.ok(err)
		_, err = r.leases.AddToLibrary(r.Context(), ada.Actor(access.Live), agreement.LibraryInput{
			Title: "House rules", Kind: agreement.HouseRules,
		}, rules)
		r.ok(err)
		_, err = r.leases.UpdateDetails(r.Context(), ada.Actor(access.Live), change.Target{}, agreement.DetailsUpdate{
			Address: change.To(new("12 Harbor Lane, Austin, TX 78701")),
		})
		r.ok(err)
		dbtest.Exec(r, r.db, "UPDATE lease_details SET lead_warning = 'Housing built before 1978'")
		var b bytes.Buffer
		r.ok(r.Closing.Export(r.Context(), ada, &b, home()))
		z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
		r.ok(err)
		lines := map[string]int{}
		for _, f := range z.File {
			text := r.read(f)
			ids := map[any]bool{}
			for line := range strings.Lines(text) {
				var record map[string]any
				r.ok(json.Unmarshal([]byte(line), &record))
				ids[fmt.Sprint(record["id"], record["user_id"], record["invitation"], record["lease_id"])] = true
				r.want(!strings.Contains(line, "whsec_") &&
					record["plaintext"] == nil, "%s holds a secret: %s", f.Name, line)
			}
			lines[f.Name] = len(ids)
			if f.Name == "live/lease_details.jsonl" {
				r.want(strings.Contains(text, "Housing built before 1978"), "no Lead Warning Statement: %s", text)
			}
			if f.Name == "live/condition_reports.jsonl" {
				r.want(strings.Contains(text, `"sha256":"fingerprint"`), "no photo of a condition report: %s", text)
			}
		}
		for name, want := range map[string]int{
			"account.jsonl":                 1,
			"members.jsonl":                 1,
			"keys.jsonl":                    2,
			"access_requests.jsonl":         1,
			"unit_requests.jsonl":           1,
			"live/applicants.jsonl":         1,
			"live/properties.jsonl":         len(book.Properties),
			"live/tenants.jsonl":            len(book.Tenants),
			"live/lease_details.jsonl":      1,
			"test/leases.jsonl":             len(book.Leases),
			"test/tickets.jsonl":            len(book.Tickets),
			"live/payments.jsonl":           len(book.Payments),
			"live/deposit_statements.jsonl": 1,
			"live/condition_reports.jsonl":  1,
			"live/lease_notices.jsonl":      1,
			"live/lease_amendments.jsonl":   1,
			"live/lease_templates.jsonl":    1,
			"live/library_documents.jsonl":  1,
			"live/webhook_endpoints.jsonl":  len(webhook.Samples(r.now())),
		} {
			r.want(lines[name] == want, "%s has %d records, not %d", name, lines[name], want)
		}
		r.want(len(z.File) == 34 && lines["audit.jsonl"] > 3, "the files are %v", lines)

		dbtest.Exec(
			r,
			r.db,
			"UPDATE leases SET document_id = 'doc_01KJMMA2G00400000000000002', terms = '{\"occupants\":[\"Ada "+
				"Reed\"]}' WHERE id IN (SELECT min(id) FROM leases)",
		)
		b.Reset()
		r.ok(r.Closing.Export(r.Context(), ada, &b, home()))
		z, err = zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
		r.ok(err)
		said := false
		for _, f := range z.File {
			said = said || strings.HasSuffix(f.Name, "/leases.jsonl") && strings.Contains(r.read(f), "Ada Reed")
		}
		r.want(said, "the terms of a lease are not exported")

		ctx, leave := context.WithCancel(r.Context())
		leave()
		r.want(r.Closing.Export(ctx, ada, io.Discard, home()) != nil, "an export goes on for nobody")
		r.add(time.Hour)
		r.want(
			account.IsStale(r.Closing.Export(r.Context(), r.seen(token), io.Discard, home())),
			"an old session exports",
		)
	})
}

func (r *fixture) read(f *zip.File) string {
	r.Helper()
	content, err := f.Open()
	r.ok(err)
	text, err := io.ReadAll(content)
	r.ok(err)
	return string(text)
}
