// Package portfoliostore keeps the records of portfolios: properties, units, tenants, leases and their documents,
// tickets, payments, invitations, applications, verifications and uploads, in the database of
// package db.
//
// It knows no rules and no HTTP.
package portfoliostore

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/property/verification"
	"portal/api/portfolio/records"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/simulate"
	"portal/api/portfolio/upload"
	"portal/api/searchtext"
	"portal/api/tenantportal"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/retentionstore"
	"portal/db/rows"
	"portal/db/servicestore"
)

var (
	_ agreement.Store    = (*Store)(nil)
	_ application.Store  = (*Store)(nil)
	_ ceremony.Store     = (*Store)(nil)
	_ evidence.HeadStore = (*Store)(nil)
	_ payment.Store      = (*Store)(nil)
	_ records.Store      = (*Store)(nil)
	_ simulated.Store    = (*Store)(nil)
	_ simulate.Store     = (*Store)(nil)
	_ tenantportal.Store = (*Store)(nil)
	_ upload.Store       = (*Store)(nil)
	_ verification.Store = (*Store)(nil)
)

// Store keeps the records of portfolios.
type Store struct {
	db                  *db.DB
	*accountstore.Store // knows who takes part in an account
	servicestore.Demos  // limits demo portfolios
}

// New is the store over a database.
func New(d *db.DB) *Store { return &Store{d, accountstore.New(d), servicestore.NewDemos(d)} }

// recordColumns are the columns that every record has.
func recordColumns[T any](of func(*T) *portfolio.Record) []rows.Column[T] {
	return []rows.Column[T]{
		rows.At("id", func(r *T) *string { return &of(r).ID }),
		rows.At("version", func(r *T) *int64 { return &of(r).Version }),
		rows.At("created_at", func(r *T) *clock.Time { return &of(r).CreatedAt }),
		rows.At("updated_at", func(r *T) *clock.Time { return &of(r).UpdatedAt }),
	}
}

// Add writes a whole book into a portfolio, all of it or nothing.
func (s *Store) Add(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, in); err != nil {
			return err
		}
		if err := s.AddProperties(ctx, in, b); err != nil {
			return err
		}
		if err := s.AddPeople(ctx, in, b); err != nil {
			return err
		}
		if err := s.addWork(ctx, in, b); err != nil || in.Mode != access.Test {
			return err
		}
		if err := s.addPast(ctx, in, b.Payments); err != nil {
			return err
		}
		// What is written from now on counts against the limit of a demo portfolio.
		return s.db.Run(ctx, `INSERT INTO demo_usage (portfolio_id, records, bytes)
			VALUES ($1, 0, 0)
			ON CONFLICT (portfolio_id) DO NOTHING`, in.ID)
	})
}

// AddProperties writes the properties and units of a book. It is portfolio.ErrDuplicate where a property has a unit of
// that number.
func (s *Store) AddProperties(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	err := propertyTable.Insert(ctx, s.db, in, b.Properties)
	if err != nil {
		return err
	}
	if err = unitTable.Insert(ctx, s.db, in, b.Units); db.IsDuplicate(err) {
		err = fmt.Errorf("%w: %w", portfolio.ErrDuplicate, err)
	}
	return err
}

// AddPeople writes the tenants and leases of a book, whose places are written.
func (s *Store) AddPeople(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	if err := tenantTable.Insert(ctx, s.db, in, b.Tenants); err != nil {
		return err
	}
	if err := leaseTable.Insert(ctx, s.db, in, b.Leases); err != nil {
		return err
	}
	var parties []party
	for i := range b.Leases {
		parties = append(parties, partiesFrom(&b.Leases[i], 0)...)
		if reflect.DeepEqual(b.Leases[i].Terms, terms.Terms{}) {
			continue
		}
		if err := s.SaveLeaseTerms(ctx, in, &b.Leases[i]); err != nil {
			return err
		}
	}
	return partyTable.Insert(ctx, s.db, in, parties)
}

// partiesFrom are the parties of a lease from a position of its tenants on, co-owners behind them and the landlord
// last.
func partiesFrom(l *portfolio.Lease, first int) (parties []party) {
	for n := first; n < len(l.Tenants); n++ {
		p := &l.Tenants[n]
		parties = append(parties, party{l.ID, n, &p.ID, string(p.Role), p.SignedAt})
	}
	if l.Landlord != nil {
		owners := l.Landlord.CoOwners
		for n, signed := range owners {
			parties = append(parties, party{l.ID, len(l.Tenants) + n, nil, agreement.CoOwnerRole, signed})
		}
		parties = append(parties, party{l.ID, len(l.Tenants) + len(owners), nil, landlordRole, l.Landlord.SignedAt})
	}
	return parties
}

// addWork writes the tickets and ledger rows of a book, whose people are written.
func (s *Store) addWork(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	if err := ticketTable.Insert(ctx, s.db, in, b.Tickets); err != nil {
		return err
	}
	if err := paymentTable.Insert(ctx, s.db, in, b.Payments); err != nil {
		return err
	}
	return s.db.Run(ctx, `UPDATE portfolios
		SET next_ticket_number = (SELECT COALESCE(max(number), 1000) + 1 FROM tickets WHERE portfolio_id = $1)
		WHERE id = $1`, in.ID)
}

// Addresses calls back with the address, type, year and status of each property
// of a portfolio, and then with the number of each unit.
func (s *Store) Addresses(
	ctx context.Context,
	in access.Portfolio,
	property func(*portfolio.Property),
	unit func(*portfolio.Unit),
) error {
	err := propertyTable.Each(ctx, s.db, func(p *portfolio.Property) error {
		propertyTable.Complete(p, in.Mode)
		property(p)
		return nil
	}, "WHERE portfolio_id = $1 ORDER BY id", in.ID)
	if err != nil {
		return err
	}
	return unitTable.Each(ctx, s.db, func(u *portfolio.Unit) error {
		unit(u)
		return nil
	}, "WHERE portfolio_id = $1 ORDER BY id", in.ID)
}

// Tenancies calls back with each lease of a portfolio that runs, will run or has run, and then with each tenant of a
// lease, in the order of the lease.
func (s *Store) Tenancies(
	ctx context.Context, in access.Portfolio, lease func(*rentroll.HeldLease),
	tenant func(leaseID string, t *rentroll.HeldTenant),
) error {
	err := s.db.Each(
		ctx,
		`SELECT id, unit_id, version, status, lease_type, start_date, coalesce(terminated_on, end_date),
			monthly_rent, security_deposit, rent_due_day, late_fee_amount, late_fee_grace_days, move_in_date,
			move_out_date, renewed_to_lease_id
		FROM leases
		WHERE portfolio_id = $1 AND `+rows.OneOf("status", portfolio.BoundLeases())+`
		ORDER BY id`,
		[]any{in.ID},
		func(scan db.Scan) error {
			l := &rentroll.HeldLease{}
			err := scan(
				&l.ID, &l.UnitID, &l.Version, &l.Status, &l.Type, &l.Start, &l.End, &l.Rent, &l.Deposit, &l.DueDay,
				&l.LateFee, &l.GraceDays, &l.MoveIn, &l.MoveOut, &l.RenewedTo,
			)
			lease(l)
			return err
		},
	)
	if err != nil {
		return err
	}
	return s.db.Each(ctx, `SELECT p.lease_id, t.id, t.version, t.first_name, t.last_name, t.email, t.phone
		FROM lease_signers p
		JOIN tenants t ON t.portfolio_id = p.portfolio_id AND t.id = p.tenant_id
		WHERE p.portfolio_id = $1
		ORDER BY p.lease_id, p.position`, []any{in.ID}, func(scan db.Scan) error {
		var id string
		t := &rentroll.HeldTenant{}
		err := scan(&id, &t.ID, &t.Version, &t.First, &t.Last, &t.Email, &t.Phone)
		tenant(id, t)
		return err
	})
}

// Standing tells how the records stand on which a part of an import builds.
func (s *Store) Standing(ctx context.Context, in access.Portfolio, of rentroll.Basis) (rentroll.Standing, error) {
	now := rentroll.Standing{Versions: map[string]int64{}}
	for _, kind := range []struct{ table, prefix string }{
		{"units", id.Unit}, {"leases", id.Lease}, {"tenants", id.Tenant},
	} {
		var ids []string
		for _, record := range of.Changed {
			if strings.HasPrefix(record, kind.prefix+"_") {
				ids = append(ids, record)
			}
		}
		if err := s.versions(ctx, in, kind.table, "id", "", ids, func(id string, version int64) {
			now.Versions[id] = version
		}); err != nil {
			return now, err
		}
	}
	if err := s.versions(ctx, in, "leases", "unit_id", " AND "+rows.OneOf("status", portfolio.AgreedLeases()), of.Units,
		func(id string, version int64) {
			now.Versions[id] = version
			now.Leases = append(now.Leases, id)
		}); err != nil {
		return now, err
	}
	archived := " AND " + rows.Is("status", portfolio.PropertyArchived)
	if err := s.versions(ctx, in, "properties", "id", archived, of.Properties, func(string, int64) {
		now.Archived++
	}); err != nil || of.Since == "" {
		return now, err
	}
	newer, err := rows.All(ctx, s.db, `SELECT id FROM properties WHERE portfolio_id = $1 AND id > $2 AND id < $3
		UNION ALL
		SELECT id FROM properties WHERE portfolio_id = $1 AND id > $4`,
		[]any{in.ID, of.Since, of.Own[0], of.Own[1]}, rows.Value[string])
	if now.Newer = newer; err != nil {
		return now, err
	}
	_, err = s.db.One(ctx, "SELECT count(*) FROM properties WHERE portfolio_id = $1 AND id >= $2 AND id <= $3",
		[]any{in.ID, of.Own[0], of.Own[1]}, &now.Between)
	return now, err
}

// versions calls back with the version of each record whose column is one of the keys.
func (s *Store) versions(
	ctx context.Context, in access.Portfolio, table, column, also string, keys []string, each func(string, int64),
) error {
	for part := range slices.Chunk(keys, rows.MostIDs) {
		these, args := s.db.Among([]any{in.ID}, part)
		err := s.db.Each(ctx, "SELECT id, version FROM "+table+`
			WHERE portfolio_id = $1 AND `+column+these+also, args, func(scan db.Scan) error {
			var id string
			var version int64
			err := scan(&id, &version)
			each(id, version)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// GrowProperty counts the units of a property anew after some were added, fills
// what was not known of it, and raises its version. A search finds the postal code at once.
func (s *Store) GrowProperty(
	ctx context.Context, in access.Portfolio, id string, postalCode *string, yearBuilt *int, at clock.Time,
) error {
	words := (&portfolio.Property{PostalCode: postalCode}).SearchText()
	return s.db.Run(ctx, `UPDATE properties
		SET version = version + 1,
			updated_at = $3,
			postal_code = COALESCE(postal_code, $4),
			search_text = CASE WHEN postal_code IS NULL AND $4 IS NOT NULL THEN search_text || $6 ELSE search_text END,
			year_built = COALESCE(year_built, $5),
			unit_count = (SELECT count(*) FROM units WHERE portfolio_id = $1 AND property_id = $2),
			occupied_unit_count = (SELECT count(*) FROM units WHERE portfolio_id = $1 AND property_id = $2
				AND `+rows.OneOf("status", portfolio.OccupiedUnits())+`)
		WHERE portfolio_id = $1 AND id = $2`, in.ID, id, at, postalCode, yearBuilt, string(words))
}

// landlordRole is the role of the landlord's row among the signers of a lease.
const landlordRole = string(agreement.LandlordSigner)

// party is a row of lease_signers.
type party struct {
	lease    string
	position int
	tenant   *string // nil for the landlord
	role     string
	signedAt *clock.Time
}

var partyTable = rows.NewTable(
	"lease_signers",
	rows.At("lease_id", func(p *party) *string { return &p.lease }),
	rows.At("position", func(p *party) *int { return &p.position }),
	rows.At("tenant_id", func(p *party) **string { return &p.tenant }),
	rows.At("role", func(p *party) *string { return &p.role }),
	rows.At("signed_at", func(p *party) **clock.Time { return &p.signedAt }),
)

// UnitCount counts the units of a portfolio, with those that imports under way have still to bring. Those of archived
// properties are not in use and count against no ceiling; in test mode, where none holds, all are counted.
func (s *Store) UnitCount(ctx context.Context, in access.Portfolio) (n int, err error) {
	query := "SELECT COALESCE(sum(unit_count), 0) FROM properties WHERE portfolio_id = $1"
	if in.Mode == access.Live {
		query += " AND " + rows.IsNot("status", portfolio.PropertyArchived)
	}
	_, err = s.db.One(ctx, "SELECT ("+query+`) + COALESCE(sum(units_left), 0)
		FROM imports
		WHERE portfolio_id = $1 AND units_left > 0`, []any{in.ID}, &n)
	return n, err
}

// Importing reports whether an import that was sent after a moment is adding units to a portfolio.
func (s *Store) Importing(ctx context.Context, in access.Portfolio, after clock.Time) (is bool, err error) {
	_, err = s.db.One(ctx, `SELECT EXISTS (SELECT 1
		FROM imports
		WHERE portfolio_id = $1 AND units_left > 0 AND created_at > $2)`, []any{in.ID, after}, &is)
	return is, err
}

// leasesToRollOver are the queries of the leases of a portfolio, $1, whose status a day, $2, or a moment, $3, changes.
var leasesToRollOver = []string{
	`SELECT id
		FROM leases
		WHERE portfolio_id = $1 AND ` + rows.Is("status", portfolio.LeaseSigned) + ` AND start_date <= $2`,
	`SELECT id
		FROM leases
		WHERE portfolio_id = $1 AND ` + rows.Is("status", portfolio.LeaseActive) + ` AND end_date < $2`,
	`SELECT l.id
		FROM leases l
		JOIN leases r ON r.portfolio_id = l.portfolio_id AND r.id = l.renewed_to_lease_id
		WHERE l.portfolio_id = $1 AND ` + rows.Is("l.status", portfolio.LeaseActive) + `
			AND l.renewed_to_lease_id IS NOT NULL
			AND ` + rows.OneOf("r.status", portfolio.AgreedLeases()) + ` AND r.start_date <= $2`,
	`SELECT id
		FROM leases
		WHERE portfolio_id = $1 AND ` + rows.OneOf("status", portfolio.OfferedLeases()) + ` AND expires_at <= $3`,
}

// DueWork tells with one statement what a day and a moment bring to a portfolio, so that nothing else is asked on a day
// that brings nothing.
func (s *Store) DueWork(
	ctx context.Context, in access.Portfolio, today clock.Date, now clock.Time,
) (w lease.DueWork, err error) {
	index := s.db.IndexedBy
	agreed := rows.OneOf("status", portfolio.AgreedLeases())
	some := func(queries ...string) string { return "EXISTS (" + strings.Join(queries, ") OR EXISTS (") + ")" }
	_, err = s.db.One(ctx, "SELECT "+some(leasesToRollOver...)+", "+some(
		"SELECT 1 FROM invitations WHERE portfolio_id = $1 AND "+open+" AND expires_at <= $3",
	)+", "+some("SELECT 1"+dueAmendments)+", "+some(
		`SELECT 1 FROM payments`+index("payments_status_due")+` WHERE portfolio_id = $1
			AND `+rows.Is("status", portfolio.PaymentScheduled)+` AND due_date <= $2 AND id >= ''`,
	)+", "+some(
		"SELECT 1 FROM leases"+index("leases_deposit_awaited")+" WHERE portfolio_id = $1 AND "+unawaited,
		"SELECT 1 FROM leases"+index("leases_deposit_reminder")+` WHERE portfolio_id = $1
			AND deposit_reminder_on IS NOT NULL AND deposit_reminder_on <= $2`,
	)+", "+some(
		"SELECT 1 FROM simulated_payments WHERE portfolio_id = $1 AND next_on <= $2",
		"SELECT 1 FROM payment_autopays WHERE portfolio_id = $1 AND act_on <= $2",
	)+", p.auto_charge_since IS NULL OR "+some(
		"SELECT 1 FROM leases"+index("leases_charge")+" WHERE portfolio_id = $1 AND "+agreed+" AND charge_on <= $2",
		"SELECT 1 FROM payments"+index("payments_credit")+" WHERE portfolio_id = $1 AND "+CreditLeft,
		"SELECT 1 FROM payments"+index("payments_late_fee")+" WHERE portfolio_id = $1 AND "+late,
	)+" FROM portfolios p WHERE p.id = $1", []any{in.ID, int64(today), int64(now)},
		&w.RollOver, &w.Expire, &w.Amend, &w.FallDue, &w.Deposits, &w.Payments, &w.Charges)
	return w, err
}

// LeasesToRollOver reads leases whose status a day or a moment changes, in ascending
// id and at most so many. What becomes of each is up to the calendar.
func (s *Store) LeasesToRollOver(
	ctx context.Context, in access.Portfolio, today clock.Date, now clock.Time, most int,
) ([]portfolio.Lease, error) {
	ids, err := rows.All(ctx, s.db, strings.Join(leasesToRollOver, " UNION ")+`
		ORDER BY id
		LIMIT $4`, []any{in.ID, int64(today), int64(now), int64(most)}, rows.Value[string])
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	leases, err := leaseTable.With(ctx, s.db, in, "", "id", ids, "ORDER BY id")
	if err != nil {
		return nil, err
	}
	for part := range slices.Chunk(leases, rows.Bulk) {
		if err := s.partiesOf(ctx, in, part); err != nil {
			return nil, err
		}
	}
	return leases, nil
}

// place is a portfolio and the time zone of its account.
type place struct {
	access.Portfolio
	zone string
}

// places reads portfolios of open accounts in the order of their ids.
func (s *Store) places(ctx context.Context, which string) ([]place, error) {
	return rows.All(ctx, s.db, `SELECT p.id, p.mode, p.ahead_days, a.time_zone
		FROM portfolios p
		JOIN accounts a ON a.id = p.account_id
		WHERE a.closed_at IS NULL`+which+`
		ORDER BY p.id`, nil, func(scan db.Scan, p *place) error {
		return scan(&p.ID, &p.Mode, &p.Ahead, &p.zone)
	})
}

// Portfolios calls back with every portfolio of an open account and the time zone.
func (s *Store) Portfolios(ctx context.Context, each func(in access.Portfolio, zone string) error) error {
	all, err := s.places(ctx, "")
	if err != nil {
		return err
	}
	for _, p := range all {
		if err := each(p.Portfolio, p.zone); err != nil {
			return err
		}
	}
	return nil
}

// cleared are the tables of what belongs to a demo portfolio, in the order of the foreign
// keys. Those of what its developers made are not among them: api_keys, webhook_endpoints,
// requests. Its usage goes first, so that what is deleted counts no more. The days of rent, which ledger rows are
// counted in, go behind those; what was sent with those requests goes last.
var cleared = slices.Concat([]string{
	"demo_growth", "demo_usage", "lease_details",
	"delivery_attempts", "deliveries", "events", "endpoint_hours",
	"applications", "invitations", "mail_suppressions", "mails", "imports", "tool_calls", "assistant_clients",
	"verifications", "signing_codes", "tenant_link_tokens", "tenant_links",
	"lease_template_attachments", "lease_templates", "library_documents",
}, retentionstore.Books, []string{"rent_days"})

// ClearDemo deletes all that belongs to a demo portfolio, whose transaction holds it. Its
// endpoints are locked first, as by all that changes deliveries, so that no attempt starts
// and no delivery is queued meanwhile.
func (s *Store) ClearDemo(ctx context.Context, in access.Portfolio) error {
	query := "SELECT id FROM portfolios WHERE id = $1 AND mode = 'test'"
	demo, err := rows.Only(ctx, s.db, "demo portfolio", query, []any{in.ID}, rows.Value[int64])
	if err != nil {
		return err
	}
	var endpoint string
	lock := "SELECT id FROM webhook_endpoints WHERE portfolio_id = $1 ORDER BY id" + s.db.Locking(" FOR UPDATE")
	if err := s.db.Each(ctx, lock, []any{demo}, func(scan db.Scan) error { return scan(&endpoint) }); err != nil {
		return err
	}
	if err := s.forgetAnswersOf(ctx, demo); err != nil {
		return err
	}
	for _, table := range cleared {
		if err := s.db.Run(ctx, "DELETE FROM "+table+" WHERE portfolio_id = $1", demo); err != nil {
			return err
		}
	}
	if err := s.SetTestClock(ctx, in, portfolio.TestClock{}); err != nil {
		return err
	}
	return s.db.Run(ctx, `DELETE FROM request_exchanges
		WHERE portfolio_id = $1 AND id IN (SELECT id FROM requests WHERE portfolio_id = $1)`, demo)
}

// forgetAnswersOf deletes the recorded answers of a portfolio's keys. One that is being
// recorded waits for the portfolio, and is not waited for. A claim without an answer is of a
// request that resets the portfolio in this transaction: its answer is yet to come.
func (s *Store) forgetAnswersOf(ctx context.Context, portfolio int64) error {
	return s.db.Run(ctx, `DELETE FROM idempotency_keys
		WHERE (key_id, idempotency_key) IN (
			SELECT i.key_id, i.idempotency_key
			FROM idempotency_keys i
			JOIN api_keys k ON k.id = i.key_id
			WHERE k.portfolio_id = $1
				AND i.status <> 0`+s.db.Locking(" FOR UPDATE OF i SKIP LOCKED")+`)`, portfolio)
}

// unsearched is how many rows one transaction gives their search_text.
const unsearched = 200

// FillSearch gives their search_text to rows that were written before there was one, of all
// portfolios: SQL alone cannot fold accents alike in both databases. It goes on where
// another process has stopped, and finds nothing at all later starts.
func FillSearch(ctx context.Context, d *db.DB) error {
	err := fill(ctx, d, propertyTable, propertyText)
	if err == nil {
		err = fill(ctx, d, tenantTable, tenantText)
	}
	if err == nil {
		err = fill(ctx, d, ticketTable, ticketText)
	}
	if err != nil {
		return fmt.Errorf("fill what searches look at: %w", err)
	}
	return nil
}

func propertyText(p *portfolio.Property) (string, searchtext.Text) { return p.ID, p.SearchText() }

func tenantText(t *portfolio.Tenant) (string, searchtext.Text) { return t.ID, t.SearchText() }

func ticketText(t *portfolio.Ticket) (string, searchtext.Text) { return t.ID, t.SearchText() }

func fill[T any](
	ctx context.Context, d *db.DB, t *rows.Table[T], text func(*T) (string, searchtext.Text),
) error {
	for {
		updates, err := unfilled(ctx, d, t, text)
		if err != nil || len(updates) == 0 {
			return err
		}
		err = d.Atomically(ctx, func(ctx context.Context) error {
			for _, args := range updates {
				query := "UPDATE " + t.Name +
					" SET search_text = $3 WHERE portfolio_id = $1 AND id = $2 AND search_text = ''"
				if _, err := d.Exec(ctx, query, args...); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// unfilled are the next rows without a search_text: portfolio, id and what it becomes.
func unfilled[T any](
	ctx context.Context, d *db.DB, t *rows.Table[T], text func(*T) (string, searchtext.Text),
) (updates [][]any, err error) {
	query := "SELECT portfolio_id, " + t.Columns + `
		FROM ` + t.Name + `
		WHERE search_text = ''
		ORDER BY portfolio_id, id
		LIMIT $1`
	err = d.Each(ctx, query, []any{int64(unsearched)}, func(scan db.Scan) error {
		var row T
		var in int64
		err := scan(append([]any{&in}, t.Targets(&row)...)...)
		t.Complete(&row, access.Live)
		id, words := text(&row)
		updates = append(updates, []any{in, id, string(words)})
		return err
	})
	return updates, err
}
