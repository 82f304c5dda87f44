package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/rows"
)

// SaveTenant writes a tenant that has changed.
func (s Tenants) SaveTenant(ctx context.Context, in access.Portfolio, t *portfolio.Tenant) error {
	return rows.Save(ctx, s.db, in, "tenants", tenantWrites, tenantValues(t))
}

const tenantColumns = `id, version, created_at, updated_at, first_name, last_name, email, phone, alternate_email, alternate_phone,
	preferred_contact_method, mailing_address, emergency_contact, status, property_id, unit_id, current_lease_id,
	move_in_date, move_out_date`

func readTenant(mode access.Mode) func(db.Scan, *portfolio.Tenant) error {
	return func(scan db.Scan, t *portfolio.Tenant) error {
		err := scan(
			&t.ID,
			&t.Version,
			&t.CreatedAt,
			&t.UpdatedAt,
			&t.FirstName,
			&t.LastName,
			&t.Email,
			&t.Phone,
			&t.AlternateEmail,
			&t.AlternatePhone,
			&t.PreferredContactMethod,
			rows.JSONInto(&t.MailingAddress),
			rows.JSONInto(&t.EmergencyContact),
			&t.Status,
			&t.PropertyID,
			&t.UnitID,
			&t.CurrentLeaseID,
			&t.MoveInDate,
			&t.MoveOutDate,
		)
		t.Object, t.Mode, t.Name = "tenant", mode, t.FirstName+" "+t.LastName
		return err
	}
}

// tenantWrites are the columns that are written, tenantValues their values.
const tenantWrites = tenantColumns + ", search_text"

func tenantValues(t *portfolio.Tenant) []any {
	return []any{
		t.ID,
		t.Version,
		t.CreatedAt,
		t.UpdatedAt,
		t.FirstName,
		t.LastName,
		t.Email,
		t.Phone,
		t.AlternateEmail,
		t.AlternatePhone,
		t.PreferredContactMethod,
		rows.JSONOf(t.MailingAddress),
		rows.JSONOf(t.EmergencyContact),
		t.Status,
		t.PropertyID,
		t.UnitID,
		t.CurrentLeaseID,
		t.MoveInDate,
		t.MoveOutDate,
		string(t.SearchText()),
	}
}

// Tenants reads the tenants of a portfolio that pass the filter, one more than
// its limit.
func (s Tenants) Tenants(
	ctx context.Context, in access.Portfolio, f portfolio.TenantFilter,
) ([]portfolio.Tenant, error) {
	l := rows.Listed(s.db, tenantColumns, "tenants", in, id.Tenant, f.Query)
	l.EqualFold("email", f.Email)
	l.Equal("unit_id", f.UnitID)
	l.Equal("property_id", f.PropertyID)
	l.Equal("status", string(f.Status))
	tenants, err := found(ctx, s.db, in, tenantWords, f.Search, l, readTenant(in.Mode))
	if err != nil {
		return nil, err
	}
	return tenants, s.leasesOf(ctx, in, tenants)
}

// Tenant reads one tenant, or fault.NotFound.
func (s Tenants) Tenant(ctx context.Context, in access.Portfolio, id string) (portfolio.Tenant, error) {
	t, found, err := rows.Record(ctx, s.db, tenantColumns, "tenants", in, id, readTenant(in.Mode))
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
func (s Tenants) leasesOf(ctx context.Context, in access.Portfolio, tenants []portfolio.Tenant) error {
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
		FROM lease_tenants
		WHERE portfolio_id = $1 AND tenant_id IN (` + db.Placeholders(1, len(tenants)) + `)
		ORDER BY tenant_id, lease_id`
	return s.db.Each(ctx, query, args, func(scan db.Scan) error {
		var tenant, lease string
		err := scan(&tenant, &lease)
		at[tenant].LeaseIDs = append(at[tenant].LeaseIDs, lease)
		return err
	})
}
