package portfoliostore

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/ledger/report"
	"portal/db"
	"portal/db/rows"
)

// SaveLease writes a lease that has changed, but neither its parties nor its terms.
func (s *Store) SaveLease(ctx context.Context, in access.Portfolio, l *portfolio.Lease) error {
	return leaseTable.Save(ctx, s.db, in, l)
}

var leaseTable = rows.NewTable(
	"leases",
	append(recordColumns(func(l *portfolio.Lease) *portfolio.Record { return &l.Record }),
		rows.At("status", func(l *portfolio.Lease) *portfolio.LeaseStatus { return &l.Status }),
		rows.At("property_id", func(l *portfolio.Lease) *string { return &l.PropertyID }),
		rows.At("unit_id", func(l *portfolio.Lease) *string { return &l.UnitID }),
		rows.At("rental_address", func(l *portfolio.Lease) *string { return &l.RentalAddress }),
		rows.At("lease_type", func(l *portfolio.Lease) *portfolio.LeaseType { return &l.LeaseType }),
		rows.At("start_date", func(l *portfolio.Lease) *clock.Date { return &l.StartDate }),
		rows.At("end_date", func(l *portfolio.Lease) **clock.Date { return &l.EndDate }),
		rows.At("monthly_rent", func(l *portfolio.Lease) *money.Cents { return &l.MonthlyRent }),
		rows.At("security_deposit", func(l *portfolio.Lease) *money.Cents { return &l.SecurityDeposit }),
		rows.At("rent_due_day", func(l *portfolio.Lease) *int { return &l.RentDueDay }),
		rows.At("late_fee_amount", func(l *portfolio.Lease) **money.Cents { return &l.LateFeeAmount }),
		rows.At("late_fee_grace_days", func(l *portfolio.Lease) **int { return &l.LateFeeGraceDays }),
		rows.At("move_in_date", func(l *portfolio.Lease) **clock.Date { return &l.MoveInDate }),
		rows.At("move_out_date", func(l *portfolio.Lease) **clock.Date { return &l.MoveOutDate }),
		rows.At("notice_given_date", func(l *portfolio.Lease) **clock.Date { return &l.NoticeGivenDate }),
		rows.At("terminated_on", func(l *portfolio.Lease) **clock.Date { return &l.TerminatedOn }),
		rows.At("termination_reason", func(l *portfolio.Lease) **string { return &l.TerminationReason }),
		rows.At("renewed_from_lease_id", func(l *portfolio.Lease) **string { return &l.RenewedFromLeaseID }),
		rows.At("renewed_to_lease_id", func(l *portfolio.Lease) **string { return &l.RenewedToLeaseID }),
		rows.At("document_id", func(l *portfolio.Lease) **string { return &l.DocumentID }),
		rows.At("esign_url", func(l *portfolio.Lease) **string { return &l.EsignURL }),
		rows.At("expires_at", func(l *portfolio.Lease) **clock.Time { return &l.ExpiresAt }),
		rows.At("signed_at", func(l *portfolio.Lease) **clock.Time { return &l.SignedAt }),
		rows.At("document_sha256", func(l *portfolio.Lease) **string { return &l.DocumentSHA256 }),
	)...).Completed(func(l *portfolio.Lease, mode access.Mode) {
	l.Object, l.Mode, l.Currency = "lease", mode, portfolio.Currency
})

// fullLeaseTable is leaseTable with the terms.
var fullLeaseTable = leaseTable.And(rows.Column[portfolio.Lease]{
	Name:   "terms",
	Target: func(l *portfolio.Lease) any { return (*storedTerms)(&l.Terms) },
})

type storedTerms terms.Terms

// Scan is sql.Scanner.
func (t *storedTerms) Scan(src any) error {
	text, err := rows.Text(src)
	if err == nil {
		*(*terms.Terms)(t), err = terms.Decode(text)
	}
	return err
}

// AddLease writes a new lease with its parties and terms.
func (s *Store) AddLease(ctx context.Context, in access.Portfolio, l *portfolio.Lease) error {
	if err := s.AddPeople(ctx, in, &portfolio.Book{Tenants: l.Joining, Leases: []portfolio.Lease{*l}}); err != nil {
		return err
	}
	return s.SaveLeaseTerms(ctx, in, l)
}

// SaveLeaseTerms writes the terms of a lease.
func (s *Store) SaveLeaseTerms(ctx context.Context, in access.Portfolio, l *portfolio.Lease) error {
	return rows.Save(ctx, s.db, in, "leases", "id, terms", []any{l.ID, l.Terms.Encode()})
}

// SaveParties writes the guarantors and co-owners of a draft that nobody was sent, in place of those that it had, with
// the tenants who join. The landlord signs behind them. Ids and names of the signers come with the document.
func (s *Store) SaveParties(ctx context.Context, in access.Portfolio, l *portfolio.Lease) error {
	if err := tenantTable.Insert(ctx, s.db, in, l.Joining); err != nil {
		return err
	}
	query := "DELETE FROM lease_signers WHERE portfolio_id = $1 AND lease_id = $2 AND (tenant_id IS NULL OR " +
		rows.Is("role", portfolio.PartyGuarantor) + ")"
	if _, err := s.db.Exec(ctx, query, in.ID, l.ID); err != nil {
		return err
	}
	return partyTable.Insert(ctx, s.db, in, partiesFrom(l, len(l.Renters())))
}

// Leases reads the leases of a portfolio that pass the filter, one more than its
// limit.
func (s *Store) Leases(ctx context.Context, in access.Portfolio, f portfolio.LeaseFilter) ([]portfolio.Lease, error) {
	if forPeople(&f.Query, portfolio.LeaseSorts()) {
		leases, err := rows.ReadSorted(ctx, sortedLeases(s.db, in, f), leaseTable.Read(in))
		if err != nil {
			return nil, err
		}
		return leases, s.complete(ctx, in, leases)
	}
	l := rows.Listed(s.db, leaseTable.Columns, "leases", in, id.Lease, f.Query)
	l.Equal("unit_id", f.UnitID)
	l.Equal("property_id", f.PropertyID)
	if f.TenantID != "" {
		l.Found(ofTenant, f.TenantID)
	}
	leaseNames(l, &f)
	l.Equal("status", string(f.Status))
	l.Before("end_date", f.EndingBefore)
	l.After("end_date", f.EndingAfter)
	leaseNamers.narrow(l, f.Named)
	leases, err := rows.Rows(ctx, s.db, l, leaseTable.Read(in))
	if err != nil {
		return nil, err
	}
	return leases, s.complete(ctx, in, leases)
}

// Lease reads one lease with its terms, or fault.NotFound.
func (s *Store) Lease(ctx context.Context, in access.Portfolio, id string) (portfolio.Lease, error) {
	l, err := fullLeaseTable.Record(ctx, s.db, "lease", in, id)
	if err != nil {
		return l, err
	}
	one := []portfolio.Lease{l}
	err = s.complete(ctx, in, one)
	return one[0], err
}

// leases reads leases with their parties. rest is what stands behind the name of the table in the query.
func (s *Store) leases(
	ctx context.Context, in access.Portfolio, t *rows.Table[portfolio.Lease], rest string, args ...any,
) ([]portfolio.Lease, error) {
	leases, err := t.In(ctx, s.db, in, rest, args...)
	if err != nil {
		return nil, err
	}
	return leases, s.partiesOf(ctx, in, leases)
}

// complete fills what of leases is not in their rows: the parties, and whether their ledger charges by itself.
func (s *Store) complete(ctx context.Context, in access.Portfolio, leases []portfolio.Lease) error {
	if len(leases) == 0 {
		return nil
	}
	charges, err := s.AutoCharges(ctx, in)
	if err != nil {
		return err
	}
	for i := range leases {
		leases[i].AutoCharge = charges
	}
	return s.partiesOf(ctx, in, leases)
}

// partiesOf fills the parties of each lease, the primary tenant first.
func (s *Store) partiesOf(ctx context.Context, in access.Portfolio, leases []portfolio.Lease) error {
	at := make(map[string]*portfolio.Lease, len(leases))
	ids := make([]string, len(leases))
	for i := range leases {
		leases[i].TenantIDs, leases[i].Tenants = []string{}, []portfolio.Party{}
		ids[i], at[leases[i].ID] = leases[i].ID, &leases[i]
	}
	if len(leases) == 0 {
		return nil
	}
	these, args := s.db.Among([]any{in.ID}, ids)
	query := `SELECT p.lease_id, COALESCE(p.tenant_id, ''), COALESCE(t.first_name || ' ' || t.last_name, ''),
		p.role, p.signed_at,
			t.email IS NOT NULL
		FROM lease_signers p
		LEFT JOIN tenants t ON t.portfolio_id = p.portfolio_id AND t.id = p.tenant_id
		WHERE p.portfolio_id = $1 AND p.lease_id` + these + `
		ORDER BY p.lease_id, p.position`
	var emailed bool // the primary tenant of the lease that is read has an address
	return s.db.EachPlanned(ctx, query, args, func(scan db.Scan) error {
		var lease string
		var p portfolio.Party
		var email bool
		err := scan(&lease, &p.ID, &p.Name, &p.Role, &p.SignedAt, &email)
		l := at[lease]
		if len(l.Tenants) == 0 {
			emailed = email
		}
		if p.ID == "" {
			if l.Landlord == nil {
				l.Landlord = &portfolio.LandlordSignature{TenantEmail: emailed}
			}
			if p.Role == agreement.CoOwnerRole {
				l.Landlord.CoOwners = append(l.Landlord.CoOwners, p.SignedAt)
			} else {
				l.Landlord.SignedAt = p.SignedAt
			}
			return err
		}
		l.TenantIDs, l.Tenants = append(l.TenantIDs, p.ID), append(l.Tenants, p)
		return err
	})
}

// Residents names the primary tenant of each active lease, in ascending id of the leases.
func (s *Store) Residents(ctx context.Context, in access.Portfolio) ([]string, error) {
	return rows.All(ctx, s.db, `SELECT (
			SELECT p.tenant_id
			FROM lease_signers p
			WHERE p.portfolio_id = l.portfolio_id AND p.lease_id = l.id AND p.tenant_id IS NOT NULL
			ORDER BY p.position
			LIMIT 1)
		FROM leases l
		WHERE l.portfolio_id = $1 AND `+rows.Is("l.status", portfolio.LeaseActive)+`
		ORDER BY l.id`, []any{in.ID}, rows.Value[string])
}

// Parties reads the parties of leases, by the lease's id, the primary tenant first.
func (s *Store) Parties(
	ctx context.Context, in access.Portfolio, leaseIDs []string,
) (map[string][]portfolio.Party, error) {
	leases, parties := make([]portfolio.Lease, len(leaseIDs)), make(map[string][]portfolio.Party, len(leaseIDs))
	for i, id := range leaseIDs {
		leases[i].ID = id
	}
	err := s.partiesOf(ctx, in, leases)
	for i := range leases {
		parties[leases[i].ID] = leases[i].Tenants
	}
	return parties, err
}

// SaveSignature notes when a party signed a lease, and what. A signature that is there is not written
// again.
func (s *Store) SaveSignature(
	ctx context.Context, in access.Portfolio, leaseID string, g lease.Signature, at clock.Time,
) error {
	query, args := `UPDATE lease_signers
		SET signed_at = $3, signed_version = $4, signed_name = $5
		WHERE portfolio_id = $1 AND lease_id = $2 AND signed_at IS NULL AND tenant_id`, []any{
		in.ID, leaseID, at, rows.Null(int64(g.Version)), rows.Null(g.Name),
	}
	switch {
	case g.TenantID != "":
		query, args = query+" = $6", append(args, g.TenantID)
	case g.CoOwner > 0: // those behind the tenants, in their order
		query += ` IS NULL AND position = $6 + (
			SELECT count(*)
			FROM lease_signers t
			WHERE t.portfolio_id = $1 AND t.lease_id = $2 AND t.tenant_id IS NOT NULL)`
		args = append(args, int64(g.CoOwner-1))
	default:
		query += " IS NULL AND " + rows.Is("role", landlordRole)
	}
	n, err := s.db.Exec(ctx, query, args...)
	if err == nil && n != 1 {
		err = fmt.Errorf("the lease %s has %d parties %s %d that have yet to sign", leaseID, n, g.TenantID, g.CoOwner)
	}
	return err
}

// ExpiringLeases reads active leases behind a position in the order of their last day
// and their id, one more than the limit. Those of a portfolio stand in the index
// leases_ending in this order; those of a property are few, and are sorted.
func (s *Store) ExpiringLeases(ctx context.Context, in access.Portfolio, e report.Ends) ([]portfolio.Lease, error) {
	l := rows.NewListing(s.db, e.Limit, in.ID, int64(e.After.Day), e.After.LeaseID, int64(e.Through))
	active := rows.Is("status", portfolio.LeaseActive)
	if e.PropertyID != "" {
		active = l.Plus + active
	}
	l.SQL.WriteString(
		"SELECT " + leaseTable.Columns + " FROM leases WHERE portfolio_id = $1 AND " + active +
			" AND (end_date, id) > ($2, $3) AND end_date <= $4",
	)
	l.Equal("property_id", e.PropertyID)
	leases, err := rows.Ordered(ctx, s.db, l, "end_date, id", leaseTable.Read(in))
	if err != nil {
		return nil, err
	}
	return leases, s.partiesOf(ctx, in, leases)
}
