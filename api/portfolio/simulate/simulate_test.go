package simulate_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf16"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/document/documenttest"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/records"
	"portal/api/portfolio/simulate"
	"portal/api/sampled"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/api/webhook"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
	"portal/db/webhookstore"
)

// fixture is an account whose demo portfolio is as on the first day, with a live one
// beside it and an endpoint that nobody reads.
type fixture struct {
	*testing.T
	*simulate.Simulator
	db       *db.DB
	home     dbtest.Home
	hooks    *webhook.Service
	endpoint string
}

// onEach runs a test on a store of each kind.
func onEach(t *testing.T, test func(*fixture)) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) { test(newFixture(t, d)) })
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	t.Helper()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return time.Now() }
	h := &fixture{
		T:     t,
		db:    d,
		home:  dbtest.NewHome(t, d, "dana"),
		hooks: webhook.New(webhookstore.New(d), box, now, false),
	}
	// The day of the account is that of the actors: elsewhere another one may have begun.
	dbtest.Exec(t, d, "UPDATE accounts SET time_zone = 'UTC'")
	post := mail.New(mail.Config{Store: mailstore.New(d), Box: box, Now: now})
	service := records.New(portfoliostore.New(d), now).Use(portfolio.Parts{
		BaseURL: "https://portal.example.com",
		Post:    post,
		Events:  h.hooks,
	})
	agreements := agreement.New(service, portfoliostore.New(d), box)
	agreements.Sealer, service.Documents = documenttest.Sealer(t), agreements
	signings := ceremony.New(service, agreements, portfoliostore.New(d), box)
	agreements.Offers = signings
	h.Simulator = &simulate.Simulator{
		Store:      portfoliostore.New(d),
		Portfolio:  service,
		Agreements: agreements,
		Signings:   signings,
		Tenants:    tenantportal.New(service, agreements, portfoliostore.New(d), box),
		Mail:       post,
		Payments:   simulated.Open(service.Common, service.Ledger, portfoliostore.New(d), nil),
		Trail:      audit.Log{Store: servicestore.NewTrail(d), Now: now},
	}
	h.ok(h.Reset(t.Context(), h.owner(h.home.Test)))
	dbtest.Analyze(t, d, "properties", "units", "tenants", "leases", "lease_signers", "payments", "tickets")
	made, err := h.hooks.CreateEndpoint(t.Context(), h.owner(h.home.Test), webhook.EndpointCreate{
		URL:    "https://hooks.example.com",
		Events: []webhook.Kind{webhook.EveryKind},
	})
	h.ok(err)
	h.endpoint = made.After.ID
	return h
}

func (h *fixture) ok(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

func (h *fixture) owner(in access.Portfolio) access.Actor {
	return access.Actor{
		Portfolio: in,
		AccountID: h.home.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write},
		Role:      access.Owner,
		Zone:      time.UTC, // that newFixture has given the account
	}
}

// everything makes something of each kind that a demo portfolio gathers.
func (h *fixture) everything() {
	h.Helper()
	ctx, by := h.Context(), h.owner(h.home.Test)
	for _, kind := range []string{
		event.LeaseSigned, event.PaymentSucceeded,
		event.MaintenanceCreated,
	} {
		_, err := h.Happen(ctx, by, kind)
		h.ok(err)
	}
	applications := application.New(h.Portfolio, portfoliostore.New(h.db))
	units, err := h.Portfolio.Properties.Properties(ctx, by, portfolio.PropertyFilter{Query: all})
	h.ok(err)
	home, err := h.Portfolio.Properties.Property(ctx, by, units.Data[0].ID)
	h.ok(err)
	made, err := applications.Invitations.InviteTenant(ctx, by, application.TenantInvite{
		UnitID: home.Units[0].ID,
		Email:  "sam@example.com",
	})
	h.ok(err)
	link := strings.TrimPrefix(*made.After.ApplyURL, "https://portal.example.com/apply/")
	h.ok(applications.Applications.Apply(ctx, link, application.Create{
		FirstName:     "Sam",
		LastName:      "Rivera",
		Email:         "sam@example.com",
		Phone:         "+15125550142",
		MoveInDate:    clock.DateOf(h.Portfolio.Now(by.Portfolio), time.UTC),
		Adults:        1,
		MonthlyIncome: money.Dollars(5000),
	}))
	h.ok(
		portfoliostore.New(
			h.db,
		).Unsubscribe(
			ctx,
			by.Portfolio,
			"robin@example.com",
			clock.At(h.Portfolio.Now(by.Portfolio)),
		),
	)
	h.exec(
		"INSERT INTO endpoint_hours (portfolio_id, endpoint_id, hour, attempts, failed, duration_ms, slowest_ms) "+
			"VALUES ($1, $2, 0, 1, 0, 1, 1)",
		by.Portfolio.ID,
		h.endpoint,
	)
	h.exec(
		"INSERT INTO delivery_attempts (portfolio_id, delivery_id, number, at, duration_ms, cause) SELECT "+
			"portfolio_id, id, 1, 0, 1, 'schedule' FROM deliveries WHERE portfolio_id = $1",
		by.Portfolio.ID,
	)
	h.exec(
		"INSERT INTO assistant_clients (portfolio_id, key_id, user_agent, name, version, protocol, first_seen_at, "+
			"last_seen_at) VALUES ($1, 'key', 'a', 'b', 'c', 'd', 0, 0)",
		by.Portfolio.ID,
	)
	h.exec(
		"INSERT INTO signing_codes (signer_id, portfolio_id, mac, expires_at, tries) VALUES ('sig', $1, 'm', 0, 5)",
		by.Portfolio.ID,
	)
	h.exec(
		"INSERT INTO lease_templates (portfolio_id, id, version, created_at, updated_at, name, name_key, terms) "+
			"VALUES ($1, 'tpl', 1, 0, 0, 'n', 'n', '{}')",
		by.Portfolio.ID,
	)
	h.exec(
		"INSERT INTO lease_template_attachments (portfolio_id, template_id, id, file_name, pages, size, sha256, "+
			"requires_initials, uploaded_at, content) VALUES ($1, 'tpl', 'att', 'f.pdf', 1, 1, 'h', FALSE, 0, $2)",
		by.Portfolio.ID,
		[]byte("c"),
	)
	h.exec(
		"INSERT INTO library_documents (portfolio_id, id, version, created_at, updated_at, title, kind, states, "+
			"disclosures, file_id, file_name, pages, size, sha256, requires_initials, uploaded_at, content) "+
			"VALUES ($1, 'lib', 1, 0, 0, 't', 'addendum', '[]', '[]', 'att', 'f.pdf', 1, 1, 'h', FALSE, 0, $2)",
		by.Portfolio.ID,
		[]byte("c"),
	)
	for _, table := range []string{
		"lease_scans (portfolio_id, lease_id, signer_id, created_at, signed_on, media_type, sha256, content) " +
			"SELECT portfolio_id, min(id), 'sig', 0, 0, 'image/png', 'h', $2",
		"lease_attachments (portfolio_id, lease_id, id, file_name, pages, size, sha256, requires_initials, uploaded_at, " +
			"content) SELECT portfolio_id, min(id), 'att', 'f.pdf', 1, 1, 'h', FALSE, 0, $2",
		"deposit_statements (portfolio_id, lease_id, created_at, ended_on, deadline, paid_on, held, refunded, content) " +
			"SELECT portfolio_id, min(id), 0, 0, 0, 0, 0, 0, '{}'",
		"condition_reports (portfolio_id, id, version, created_at, updated_at, lease_id, kind, areas, signatures) " +
			"SELECT portfolio_id, 'cond', 1, 0, 0, min(id), 'move_in', '[]', '[]'",
		"condition_photos (portfolio_id, id, report_id, item_id, side, uploaded_at, sha256, size, width, height, " +
			"content, thumbnail) SELECT portfolio_id, 'pho', 'cond', 'item', 'landlord', 0, 'h', 1, 1, 1, $2, $2",
		"lease_notices (portfolio_id, lease_id, id, created_at, kind, given_on, effective_on, content) " +
			"SELECT portfolio_id, min(id), 'ntc', 0, 'entry', 0, 0, '{}'",
		"lease_amendments (portfolio_id, id, version, created_at, updated_at, lease_id, status, effective_on, changes, " +
			"signatures, document) SELECT portfolio_id, 'amd', 1, 0, 0, min(id), 'in_effect', 0, '{}', '[]', $2",
		"lease_endings (portfolio_id, lease_id, number, created_at, ends_on, reason, status) " +
			"SELECT portfolio_id, min(id), 1, 0, 0, 'r', 'open'",
		"lease_ending_answers (portfolio_id, lease_id, number, signer_id, answered_at, agreed, reason) " +
			"SELECT portfolio_id, min(id), 1, 'sig', 0, 1, ''",
	} {
		args := []any{by.Portfolio.ID}
		if strings.Contains(table, "$2") {
			args = append(args, []byte("c"))
		}
		h.exec("INSERT INTO "+table+" FROM leases WHERE portfolio_id = $1 GROUP BY portfolio_id", args...)
	}
	for _, table := range []string{
		"ticket_activities (portfolio_id, ticket_id, id, created_at, kind, by_tenant, author, words, status) " +
			"SELECT portfolio_id, id, 'act', 0, 'comment', FALSE, 'a', 'w', ''",
		"ticket_notices (portfolio_id, ticket_id, recipient, sent_at) SELECT portfolio_id, id, 'tenant', 0",
		"ticket_photos (portfolio_id, ticket_id, id, created_at, tenant_id, width, height, content, thumbnail) " +
			"SELECT portfolio_id, id, 'pho', 0, tenant_id, 1, 1, $2, $2",
	} {
		args := []any{by.Portfolio.ID}
		if strings.Contains(table, "$2") {
			args = append(args, []byte("c"))
		}
		h.exec("INSERT INTO "+table+" FROM tickets WHERE portfolio_id = $1 AND tenant_id IS NOT NULL LIMIT 1", args...)
	}
	h.exec(
		"INSERT INTO payment_refunds (portfolio_id, id, created_at, attempt_id, payment_id, amount, status, reason) "+
			"SELECT portfolio_id, 'rfd', 0, attempt_id, payment_id, 1, 'failed', 'r' FROM payment_shares "+
			"WHERE portfolio_id = $1 LIMIT 1",
		by.Portfolio.ID,
	)
	h.exec(
		"INSERT INTO payment_autopays (portfolio_id, id, version, created_at, updated_at, lease_id, tenant_id, processor, "+
			"day, most, text, language, status) SELECT portfolio_id, 'aut', 1, 0, 0, lease_id, tenant_id, 'simulated', 1, 1, "+
			"'t', 'en', 'active' FROM payments WHERE portfolio_id = $1 LIMIT 1",
		by.Portfolio.ID,
	)
	h.exec(
		"INSERT INTO simulated_sources (portfolio_id, autopay_id, method, outcome) VALUES ($1, 'aut', 'card', 'succeeded')",
		by.Portfolio.ID,
	)
	h.exec(
		"INSERT INTO payouts (portfolio_id, reference, amount, status, created_at, arrives_on) VALUES ($1, 'po', 1, 'paid', 0, 0)",
		by.Portfolio.ID,
	)
	h.exec(
		"INSERT INTO payout_movements (portfolio_id, payout, position, reference, kind, amount, fee, moved_at) "+
			"VALUES ($1, 'po', 0, 'txn', 'other', 1, 0, 0)",
		by.Portfolio.ID,
	)
	h.exec(
		"INSERT INTO payment_accounts (portfolio_id, processor, reference, created_at) VALUES ($1, 'stripe', 'acct', 0)",
		by.Portfolio.ID,
	)
	h.exec(
		"INSERT INTO tenant_links (portfolio_id, id, created_at, tenant_id) SELECT portfolio_id, 'link', 0, id "+
			"FROM tenants WHERE portfolio_id = $1 LIMIT 1",
		by.Portfolio.ID,
	)
	h.exec(
		"INSERT INTO tenant_link_tokens (portfolio_id, link_id, hash, created_at) SELECT portfolio_id, id, $2, 0 "+
			"FROM tenant_links WHERE portfolio_id = $1 LIMIT 1",
		by.Portfolio.ID,
		[]byte("h"),
	)
	h.exec("INSERT INTO rent_notices (portfolio_id, tenant_id, day) SELECT portfolio_id, id, 0 "+
		"FROM tenants WHERE portfolio_id = $1 LIMIT 1", by.Portfolio.ID)
	h.exec(
		"INSERT INTO rent_news (portfolio_id, tenant_id, payment_id, position) SELECT portfolio_id, tenant_id, id, 0 "+
			"FROM payments WHERE portfolio_id = $1 LIMIT 1",
		by.Portfolio.ID,
	)
	h.exec("INSERT INTO lease_details (portfolio_id, version, updated_at) VALUES ($1, 1, 0)", by.Portfolio.ID)
	h.exec(
		"INSERT INTO imports (portfolio_id, id, created_at, user_id, name, size, status, records, written) VALUES "+
			"($1, 'imp', 0, 'u', 'n', 0, 'ready', 0, 0)",
		by.Portfolio.ID,
	)
	h.exec(
		"INSERT INTO verifications (portfolio_id, id, property_id, asked_at, asked_by, note, status) SELECT $1, "+
			"'ver', $2, 0, user_id, '', 'pending' FROM members LIMIT 1",
		by.Portfolio.ID,
		home.ID,
	)
	for _, in := range []access.Portfolio{h.home.Test, h.home.Live} {
		key := id.New(id.Key, h.Portfolio.Now(by.Portfolio))
		h.exec("INSERT INTO request_exchanges (id, portfolio_id, sealed) VALUES ($1, $2, $3)", key, in.ID, []byte("c"))
		h.exec(
			`INSERT INTO requests (id, at, portfolio_id, operation, method, path, query, status, duration_us, bytes,
				address, user_agent, replayed, dry_run)
			VALUES ($1, 0, $2, 'o', 'POST', '/', '', 200, 1, 1, '', '', $3, $3)`,
			key,
			in.ID,
			false,
		)
		h.exec(
			`INSERT INTO api_keys (id, account_id, portfolio_id, created_by, name, mode, hash, key_prefix, scopes,
				created_at)
			SELECT $1, account_id, $2, user_id, 'CI', $3, $4, 'sk', 'read', 0 FROM members`,
			key,
			in.ID,
			string(in.Mode),
			[]byte(key),
		)
		h.exec(
			"INSERT INTO idempotency_keys (key_id, idempotency_key, fingerprint, status, body, sealed, created_at) "+
				"VALUES ($1, 'k', $2, 200, $2, $3, 0)",
			key,
			[]byte{},
			true,
		)
	}
}

var all = list.Query{Limit: 10}

// exec runs a statement past the store's methods.
func (h *fixture) exec(query string, args ...any) {
	h.Helper()
	dbtest.Exec(h, h.db, query, args...)
}

// held is how many rows of each table a portfolio has, and of what belongs to its keys.
func (h *fixture) held(in access.Portfolio) map[string]string {
	h.Helper()
	held := map[string]string{}
	for _, table := range h.tables() {
		dbtest.Query(h.T, h.db, fmt.Sprintf("SELECT count(*) FROM %s WHERE portfolio_id = %d",
			table, in.ID), func(_ []string, values []any) { held[table] = fmt.Sprint(values[0]) })
	}
	dbtest.Query(h.T, h.db, fmt.Sprintf(
		"SELECT count(*) FROM idempotency_keys i JOIN api_keys k ON k.id = i.key_id WHERE k.portfolio_id = %d",
		in.ID), func(_ []string, values []any) { held["answers"] = fmt.Sprint(values[0]) })
	return held
}

// tables are those whose rows belong to a portfolio.
func (h *fixture) tables() (names []string) {
	h.Helper()
	statement := "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'portfolio_id' " +
		"WHERE m.type = 'table'"
	if h.db.Postgres() != nil {
		statement = "SELECT c.table_name FROM information_schema.columns c JOIN information_schema.tables t USING " +
			"(table_schema, table_name) WHERE t.table_type = 'BASE TABLE' AND table_schema = 'public' AND " +
			"column_name = 'portfolio_id'"
	}
	dbtest.Query(h.T, h.db, statement, func(_ []string, values []any) { names = append(names, fmt.Sprint(values[0])) })
	return names
}

// lasting is what a reset leaves: what those who build on the API made.
var lasting = []string{"webhook_endpoints", "api_keys", "requests", "request_hours"}

func TestResetRestoresOnlyItsDemoPortfolio(t *testing.T) {
	onEach(t, func(h *fixture) {
		first := h.held(h.home.Test)
		h.everything()
		for table, n := range h.held(h.home.Test) {
			if n == "0" && !slices.Contains(append(lasting, "tool_calls"), table) {
				h.Errorf("nothing was put into %s", table)
			}
		}
		live := dbtest.Dump(h.T, h.db, nil)
		h.ok(h.Reset(h.Context(), h.owner(h.home.Test)))
		for table, n := range h.held(h.home.Test) {
			if n != first[table] && !slices.Contains(lasting, table) {
				h.Errorf("%s has %s rows, at first %s", table, n, first[table])
			}
		}
		now := dbtest.Dump(h.T, h.db, nil)
		foreign := fmt.Sprintf("portfolio_id=%d ", h.home.Live.ID)
		for table, rows := range live {
			for _, row := range rows {
				if (strings.Contains(row, foreign) || slices.Contains(lasting, table)) &&
					!slices.Contains(now[table], row) {
					h.Errorf("%s has lost %s", table, row)
				}
			}
		}
		if got := h.held(h.home.Live)["answers"]; got != "1" {
			h.Errorf("%s recorded answers of the live key", got)
		}
		entries, err := servicestore.NewTrail(h.db).Audit(h.Context(), audit.Query{
			AccountID: h.home.AccountID,
			Action:    "demo.reset",
			Limit:     10,
		})
		if err != nil || len(entries) != 2 {
			h.Errorf("%d entries of the trail, %v", len(entries), err)
		}
	})
}

func TestEachLeaseIsSignedByAllParties(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	by := h.owner(h.home.Test)
	const signed = 12 // newcomers move in first, and then leases are renewed
	for range signed {
		leaseID, err := h.Happen(t.Context(), by, event.LeaseSigned)
		h.ok(err)
		l, err := h.Agreements.Lease(t.Context(), by, leaseID)
		h.ok(err)
		if l.Open() || l.DocumentSHA256 == nil {
			t.Fatalf("the lease %s is %s", l.ID, l.Status)
		}
		found, err := h.Agreements.Verify(t.Context(), *l.DocumentID)
		if err != nil || found != nil {
			t.Errorf("%v, %v", found, err)
		}
		inTestMode(t, h, *l.DocumentID)
	}
	if events := dbtest.Texts(t, h.db, "SELECT id FROM events"); len(events) != signed {
		t.Errorf("%d events about %d leases", len(events), signed)
	}
}

// What the library gives a lease asks for initials, which the parties type as they sign.
func TestPartiesTypeTheirInitials(t *testing.T) {
	onEach(t, func(h *fixture) {
		by := h.owner(h.home.Test)
		rules, err := h.Agreements.Clean(h.Context(), by, "a.pdf", documenttest.Pages("Quiet hours"))
		h.ok(err)
		_, err = h.Agreements.AddToLibrary(h.Context(), by, agreement.LibraryInput{
			Title: "House rules", Kind: agreement.HouseRules, RequiresInitials: new(true),
		}, rules)
		h.ok(err)
		leaseID, err := h.Happen(h.Context(), by, event.LeaseSigned)
		h.ok(err)
		l, err := h.Agreements.Lease(h.Context(), by, leaseID)
		h.ok(err)
		initialed := dbtest.Texts(h, h.db, "SELECT party FROM document_evidence WHERE kind = 'initialed'")
		if l.Open() || len(l.Attachments) != 1 || len(initialed) != len(l.Signers) {
			h.Errorf("the lease is %s, with %d initials of %d", l.Status, len(initialed), len(l.Signers))
		}
	})
}

// A lease that waits for its text, or for a statement about lead paint, keeps no other from being signed.
func TestLeaseThatNobodyCanSignYetIsPassedOver(t *testing.T) {
	onEach(t, func(h *fixture) {
		by := h.owner(h.home.Test)
		first, err := h.Happen(h.Context(), by, event.LeaseSigned)
		h.ok(err)
		l, err := h.Agreements.Lease(h.Context(), by, first)
		h.ok(err)
		made, err := h.Agreements.Generate(h.Context(), by, agreement.LeaseGenerate{
			PropertyID:    l.PropertyID,
			UnitID:        &l.UnitID,
			TenantID:      l.TenantIDs[0],
			Document:      new(terms.Own),
			StartDate:     clock.Day(2035, 1, 1),
			MonthlyRent:   money.Dollars(1500),
			LeaseType:     new(portfolio.Fixed),
			RentDueDay:    new(1),
			ExpiresInDays: 14,
		})
		h.ok(err)
		signed, err := h.Happen(h.Context(), by, event.LeaseSigned)
		h.ok(err)
		if signed == made.After.ID || len(made.After.BlockedBy) == 0 {
			h.Errorf("%s was signed, blocked by %v", signed, made.After.BlockedBy)
		}
	})
}

// inTestMode holds a signed lease to saying that it binds nobody, however it is looked at.
func inTestMode(t *testing.T, h *fixture, documentID string) {
	t.Helper()
	e, err := h.Agreements.Execution(t.Context(), documentID)
	h.ok(err)
	said := strings.Join(strings.Fields(documenttest.Tool(t, e.Content, "pdftotext", "-raw", "FILE", "-")), " ")
	for want, least := range map[string]int{
		"TEST MODE: Residential lease": 5, // on each page
		"nobody is bound":              2, // with the key terms, and in the certificate
		"Entered the code that test mode stored instead of sending it to": 2,
	} {
		if n := strings.Count(said, want); n < least {
			t.Errorf("the lease says %q %d times", want, n)
		}
	}
	if strings.Contains(said, "code that was sent to") {
		t.Error("the lease claims that a code was sent")
	}
	if !bytes.Contains(e.Content, []byte("/Reason <feff"+hex.EncodeToString(utf16BE("Made in test mode")))) {
		t.Error("the seal does not say that the lease was made in test mode")
	}
}

func utf16BE(text string) (b []byte) {
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u>>8), byte(u))
	}
	return b
}

func TestRefusedLeaseIsNotSigned(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	by := h.owner(h.home.Test)
	_, err := h.Agreements.UpdateDetails(t.Context(), by, change.Target{}, agreement.DetailsUpdate{
		Address: change.To[*string](nil),
	})
	h.ok(err)
	before := dbtest.Dump(t, h.db, nil)
	_, err = h.Happen(t.Context(), by, event.LeaseSigned)
	if !fault.Is(err, fault.InvalidTransition) || !strings.Contains(err.Error(), "address") {
		t.Errorf("without an address for notices: %v", err)
	}
	after := dbtest.Dump(t, h.db, nil)
	delete(before, "portfolios") // whose revision counts the roll-over of the day
	delete(after, "portfolios")
	dbtest.Unchanged(t, "a lease that was refused", before, after)
}

func TestPendingLeaseIsSignedBeforeGeneratingAnother(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	by := h.owner(h.home.Test)
	generated := func(lead *terms.LeadPaint) string {
		t.Helper()
		first, err := h.Happen(t.Context(), by, event.LeaseSigned)
		h.ok(err)
		l, err := h.Agreements.Lease(t.Context(), by, first)
		h.ok(err)
		h.exec("UPDATE properties SET year_built = 1950 WHERE id = $1", l.PropertyID)
		made, err := h.Agreements.Generate(t.Context(), by, agreement.LeaseGenerate{
			PropertyID:    l.PropertyID,
			UnitID:        &l.UnitID,
			TenantID:      l.TenantIDs[0],
			RenewsLeaseID: &l.ID,
			StartDate:     *l.EndDate + 1,
			MonthlyRent:   l.MonthlyRent,
			LeaseType:     new(portfolio.Fixed),
			RentDueDay:    new(1),
			ExpiresInDays: 14,
			LeadPaint:     lead,
		})
		h.ok(err)
		return made.After.ID
	}
	unanswered := generated(nil)
	answered := generated(&terms.LeadPaint{Hazards: terms.NoHazards, Records: terms.NoRecords})
	if leaseID, err := h.Happen(t.Context(), by, event.LeaseSigned); err != nil || leaseID != answered {
		t.Errorf("%s is signed, want %s: %v", leaseID, answered, err)
	}
	if l, err := h.Agreements.Lease(t.Context(), by, unanswered); err != nil || l.Status != portfolio.LeaseDraft {
		t.Errorf("%s, %v", l.Status, err)
	}
}

func TestOnlyOwnerCanResetAndOnlyDemoPortfolio(t *testing.T) {
	onEach(t, func(h *fixture) {
		before := dbtest.Dump(h.T, h.db, nil)
		manager := h.owner(h.home.Test)
		manager.Role = access.Manager
		if err := h.Reset(h.Context(), manager); !fault.Is(err, fault.OwnerRequired) {
			h.Errorf("a manager: %v", err)
		}
		if err := h.Reset(h.Context(), h.owner(h.home.Live)); !fault.Is(err, fault.NoRecord) {
			h.Errorf("the live portfolio: %v", err)
		}
		if err := h.db.Atomically(h.Context(), func(ctx context.Context) error {
			return portfoliostore.New(h.db).ClearDemo(ctx, access.Portfolio{ID: h.home.Live.ID, Mode: access.Test})
		}); !fault.Is(err, fault.NoRecord) {
			h.Errorf("the live portfolio by another mode: %v", err)
		}
		if _, err := h.Happen(
			h.Context(),
			h.owner(h.home.Live),
			event.LeaseSigned,
		); !fault.Is(err, fault.NoRecord) {
			h.Errorf("an event of the live portfolio: %v", err)
		}
		dbtest.Unchanged(h.T, "what was refused", before, dbtest.Dump(h.T, h.db, nil))
	})
}

// failingStore fails when the records are written anew.
type failingStore struct{ simulate.Store }

func (failingStore) Add(context.Context, access.Portfolio, *portfolio.Book) error {
	return errors.New("the disk is full")
}

// counting counts the tickets that are read.
type counting struct {
	simulate.Store
	tickets atomic.Int64
}

func (c *counting) Tickets(
	ctx context.Context, in access.Portfolio, f portfolio.TicketFilter,
) ([]portfolio.Ticket, error) {
	found, err := c.Store.Tickets(ctx, in, f)
	c.tickets.Add(int64(len(found)))
	return found, err
}

func TestTicketIsSubmittedWithoutReadingEarlierOnes(t *testing.T) {
	onEach(t, func(h *fixture) {
		c, told := &counting{Store: h.Simulator.Store}, map[string]bool{}
		h.Simulator.Store = c
		const events = 5
		for range events {
			ticket, err := h.Happen(h.Context(), h.owner(h.home.Test), event.MaintenanceCreated)
			h.ok(err)
			made, err := h.Portfolio.Tickets.Ticket(h.Context(), h.owner(h.home.Test), ticket)
			h.ok(err)
			told[made.Description] = true
		}
		if n := c.tickets.Load(); n > 2*events || len(told) != events {
			h.Errorf("%d tickets were read for %d events about %d things", n, events, len(told))
		}
	})
}

func TestFailedResetChangesNothing(t *testing.T) {
	onEach(t, func(h *fixture) {
		h.everything()
		before := dbtest.Dump(h.T, h.db, nil)
		h.Simulator.Store = failingStore{h.Simulator.Store}
		if err := h.Reset(h.Context(), h.owner(h.home.Test)); err == nil {
			h.Error("no error")
		}
		dbtest.Unchanged(h.T, "a reset that failed", before, dbtest.Dump(h.T, h.db, nil))
	})
}

func TestResetIsSafeDuringConcurrentChanges(t *testing.T) {
	onEach(t, func(h *fixture) {
		first, by := h.held(h.home.Test), h.owner(h.home.Test)
		var all sync.WaitGroup
		for i, kind := range []string{
			event.LeaseSigned, event.PaymentSucceeded,
			event.MaintenanceCreated, "reset", "reset", "send",
		} {
			rounds := 3
			if sampled.Whole {
				rounds = 20
			}
			if kind == event.LeaseSigned { // which takes as long as ten others
				rounds = (rounds + 1) / 2
			}
			all.Go(func() {
				for range rounds {
					err := h.one(kind)
					if err != nil && !fault.Is(err, fault.NoRecord) && !fault.Is(err, fault.InvalidTransition) {
						h.Errorf("%d %s: %v", i, kind, err)
					}
				}
			})
		}
		all.Wait()
		h.ok(h.Reset(h.Context(), by))
		for table, n := range h.held(h.home.Test) {
			if n != first[table] && !slices.Contains(lasting, table) {
				h.Errorf("%s has %s rows, at first %s", table, n, first[table])
			}
		}
	})
}

// one does one of several things beside each other: an event, a reset, or the sending of
// what is queued.
func (h *fixture) one(kind string) error {
	by := h.owner(h.home.Test)
	switch kind {
	case "reset":
		return h.Reset(h.Context(), by)
	case "send":
		at, now := webhook.EndpointRef{
			Portfolio: by.Portfolio,
			Endpoint:  h.endpoint,
		}, clock.At(
			h.Portfolio.Now(by.Portfolio),
		)
		c, err := webhookstore.New(h.db).Claim(h.Context(), at, webhook.Claim{
			By:       "test",
			At:       now,
			Until:    now + 60_000,
			Most:     10,
			InFlight: 100,
		})
		if err != nil || c == nil {
			return err
		}
		var ends []webhook.Conclusion
		for i := range c.Work {
			ends = append(ends, webhook.Conclusion{
				Work:    &c.Work[i],
				Status:  webhook.Succeeded,
				Attempt: webhook.Attempt{Number: c.Work[i].Attempt, At: now, Trigger: webhook.BySchedule},
			})
		}
		_, err = webhookstore.New(h.db).Conclude(h.Context(), at, "test", ends)
		return err
	}
	_, err := h.Happen(h.Context(), by, kind)
	return err
}

func TestPendingDeliveriesAreNotSentAfterReset(t *testing.T) {
	onEach(t, func(h *fixture) {
		_, err := h.Happen(h.Context(), h.owner(h.home.Test), event.MaintenanceCreated)
		h.ok(err)
		h.ok(h.Reset(h.Context(), h.owner(h.home.Test)))
		ready, err := webhookstore.New(
			h.db,
		).Ready(
			h.Context(),
			clock.At(h.Portfolio.Now(h.home.Test).Add(time.Hour)),
		)
		if err != nil || len(ready) != 0 {
			h.Errorf("%v would be sent, %v", ready, err)
		}
	})
}

func TestNobodyMovesIntoArchivedProperty(t *testing.T) {
	onEach(t, func(h *fixture) {
		by, began := h.owner(h.home.Test), clock.At(h.Portfolio.Now(h.home.Test))
		h.exec(
			"UPDATE properties SET status = 'archived' WHERE portfolio_id = $1 AND id IN (SELECT property_id FROM "+
				"units WHERE portfolio_id = $1 AND status = 'vacant')",
			by.Portfolio.ID,
		)
		for range 8 {
			lease, err := h.Happen(h.Context(), by, event.LeaseSigned)
			h.ok(err)
			l, err := portfoliostore.New(h.db).Lease(h.Context(), by.Portfolio, lease)
			h.ok(err)
			p, err := portfoliostore.New(h.db).Property(h.Context(), by.Portfolio, l.PropertyID)
			h.ok(err)
			// A lease that was drafted for a new tenant.
			if p.Status == portfolio.PropertyArchived && l.RenewedFromLeaseID == nil && l.CreatedAt >= began {
				h.Errorf("the lease %s of %s is signed", l.ID, l.RentalAddress)
			}
		}
	})
}
