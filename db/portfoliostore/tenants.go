package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/rows"
)

// SaveTenant writes a tenant that has changed.
func (s *Store) SaveTenant(ctx context.Context, in access.Portfolio, t *portfolio.Tenant) error {
	return tenantTable.Save(ctx, s.db, in, t)
}

// tenantTable has the columns of tenants, and where in a record their values are.
var tenantTable = rows.NewTable(
	"tenants",
	append(
		recordColumns(func(t *portfolio.Tenant) *portfolio.Record { return &t.Record }),
		rows.At("first_name", func(t *portfolio.Tenant) *string { return &t.FirstName }),
		rows.At("last_name", func(t *portfolio.Tenant) *string { return &t.LastName }),
		rows.At("email", func(t *portfolio.Tenant) **string { return &t.Email }),
		rows.At("phone", func(t *portfolio.Tenant) **string { return &t.Phone }),
		rows.At("alternate_email", func(t *portfolio.Tenant) **string { return &t.AlternateEmail }),
		rows.At("alternate_phone", func(t *portfolio.Tenant) **string { return &t.AlternatePhone }),
		rows.At(
			"preferred_contact_method",
			func(t *portfolio.Tenant) **portfolio.ContactMethod { return &t.PreferredContactMethod },
		),
		rows.JSONAt(
			"mailing_address",
			func(t *portfolio.Tenant) **portfolio.MailingAddress { return &t.MailingAddress },
		),
		rows.JSONAt(
			"emergency_contact",
			func(t *portfolio.Tenant) **portfolio.EmergencyContact { return &t.EmergencyContact },
		),
		rows.At("status", func(t *portfolio.Tenant) *portfolio.TenantStatus { return &t.Status }),
		rows.At("property_id", func(t *portfolio.Tenant) **string { return &t.PropertyID }),
		rows.At("unit_id", func(t *portfolio.Tenant) **string { return &t.UnitID }),
		rows.At("current_lease_id", func(t *portfolio.Tenant) **string { return &t.CurrentLeaseID }),
		rows.At("move_in_date", func(t *portfolio.Tenant) **clock.Date { return &t.MoveInDate }),
		rows.At("move_out_date", func(t *portfolio.Tenant) **clock.Date { return &t.MoveOutDate }),
		rows.Written("search_text", func(t *portfolio.Tenant) any { return string(t.SearchText()) }),
	)...)

func readTenant(mode access.Mode) func(db.Scan, *portfolio.Tenant) error {
	return func(scan db.Scan, t *portfolio.Tenant) error {
		err := tenantTable.Scan(scan, t)
		t.Object, t.Mode, t.Name = "tenant", mode, t.FirstName+" "+t.LastName
		return err
	}
}

// Tenants reads the tenants of a portfolio that pass the filter, one more than
// its limit.
func (s *Store) Tenants(
	ctx context.Context, in access.Portfolio, f portfolio.TenantFilter,
) ([]portfolio.Tenant, error) {
	if sort := forPeople(&f.Query, portfolio.TenantSorts()); sort && (f.Search == "" || f.Sort != "") {
		search, err := rows.Searched(ctx, s.db, in, tenantWords, f.Search)
		if err != nil {
			return nil, err
		}
		tenants, err := rows.ReadSorted(ctx, sortedTenants(s.db, in, f, search), readTenant(in.Mode))
		if err != nil {
			return nil, err
		}
		return tenants, s.leasesOf(ctx, in, tenants)
	}
	l := rows.Listed(s.db, tenantTable.Columns, "tenants", in, id.Tenant, f.Query)
	l.EqualFold("email", f.Email)
	l.Equal("unit_id", f.UnitID)
	l.Equal("property_id", f.PropertyID)
	l.Equal("status", string(f.Status))
	tenants, err := rows.Found(ctx, s.db, in, tenantWords, f.Search, l, readTenant(in.Mode))
	if err != nil {
		return nil, err
	}
	return tenants, s.leasesOf(ctx, in, tenants)
}

// Tenant reads one tenant, or fault.NotFound.
func (s *Store) Tenant(ctx context.Context, in access.Portfolio, id string) (portfolio.Tenant, error) {
	t, found, err := rows.Record(ctx, s.db, tenantTable.Columns, "tenants", in, id, readTenant(in.Mode))
	if err != nil {
		return t, err
	}
	if !found {
		return t, fault.NotFound("tenant")
	}
	one := []portfolio.Tenant{t}
	err = s.leasesOf(ctx, in, one)
	return one[0], err
}

// leasesOf fills the ids of the leases that name each tenant.
func (s *Store) leasesOf(ctx context.Context, in access.Portfolio, tenants []portfolio.Tenant) error {
	at := make(map[string]*portfolio.Tenant, len(tenants))
	args := []any{in.ID}
	for i := range tenants {
		tenants[i].LeaseIDs = []string{}
		at[tenants[i].ID] = &tenants[i]
		args = append(args, tenants[i].ID)
	}
	if len(tenants) == 0 {
		return nil
	}
	query := `SELECT tenant_id, lease_id
		FROM lease_signers
		WHERE portfolio_id = $1 AND tenant_id IN (` + db.Placeholders(1, len(tenants)) + `)
		ORDER BY tenant_id, lease_id`
	return s.db.EachPlanned(ctx, query, args, func(scan db.Scan) error {
		var tenant, lease string
		err := scan(&tenant, &lease)
		at[tenant].LeaseIDs = append(at[tenant].LeaseIDs, lease)
		return err
	})
}
