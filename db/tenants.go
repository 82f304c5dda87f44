package db

import (
	"context"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
)

const tenantColumns = `id, version, created_at, updated_at, first_name, last_name, email, phone, alternate_email, alternate_phone,
	preferred_contact_method, mailing_address, emergency_contact, status, property_id, unit_id, current_lease_id,
	move_in_date, move_out_date`

func readTenant(mode access.Mode) func(scan, *portfolio.Tenant) error {
	return func(s scan, t *portfolio.Tenant) error {
		err := s(&t.ID, &t.Version, &t.CreatedAt, &t.UpdatedAt, &t.FirstName, &t.LastName, &t.Email, &t.Phone, &t.AlternateEmail, &t.AlternatePhone,
			&t.PreferredContactMethod, jsonInto(&t.MailingAddress), jsonInto(&t.EmergencyContact), &t.Status, &t.PropertyID, &t.UnitID, &t.CurrentLeaseID,
			&t.MoveInDate, &t.MoveOutDate)
		t.Object, t.Mode, t.Name = "tenant", mode, t.FirstName+" "+t.LastName
		return err
	}
}

// tenantWrites are the columns that are written, tenantValues their values.
const tenantWrites = tenantColumns + ", search_text"

func tenantValues(t *portfolio.Tenant) []any {
	return []any{t.ID, t.Version, t.CreatedAt, t.UpdatedAt, t.FirstName, t.LastName, t.Email, t.Phone, t.AlternateEmail, t.AlternatePhone,
		t.PreferredContactMethod, jsonOf(t.MailingAddress), jsonOf(t.EmergencyContact), t.Status, t.PropertyID, t.UnitID, t.CurrentLeaseID,
		t.MoveInDate, t.MoveOutDate, string(t.SearchText())}
}

// Tenants reads the tenants of a portfolio that pass the filter, one more than
// its limit.
func (d *DB) Tenants(ctx context.Context, in access.Portfolio, f portfolio.TenantFilter) ([]portfolio.Tenant, error) {
	l := d.listed(tenantColumns, "tenants", in, id.Tenant, f.Query)
	l.equalFold("email", f.Email)
	l.equal("unit_id", f.UnitID)
	l.equal("property_id", f.PropertyID)
	l.equal("status", string(f.Status))
	tenants, err := found(ctx, d, in, tenantWords, f.Search, l, readTenant(in.Mode))
	if err != nil {
		return nil, err
	}
	return tenants, d.leasesOf(ctx, in, tenants)
}

// Tenant reads one tenant, or fault.NotFound.
func (d *DB) Tenant(ctx context.Context, in access.Portfolio, id string) (portfolio.Tenant, error) {
	t, found, err := record(ctx, d, tenantColumns, "tenants", in, id, readTenant(in.Mode))
	if err != nil {
		return t, err
	}
	if !found {
		return t, fault.NotFound("tenant")
	}
	one := []portfolio.Tenant{t}
	err = d.leasesOf(ctx, in, one)
	return one[0], err
}

// leasesOf fills the ids of the leases that name each tenant.
func (d *DB) leasesOf(ctx context.Context, in access.Portfolio, tenants []portfolio.Tenant) error {
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
		WHERE portfolio_id = $1 AND tenant_id IN (` + placeholders(1, len(tenants)) + `)
		ORDER BY tenant_id, lease_id`
	return d.each(ctx, query, args, func(s scan) error {
		var tenant, lease string
		err := s(&tenant, &lease)
		at[tenant].LeaseIDs = append(at[tenant].LeaseIDs, lease)
		return err
	})
}
