package lease

import (
	"slices"

	"portal/api/list"
	"portal/api/portfolio"
	"portal/web/csvexport"
	"portal/web/page"
	"portal/web/related"
)

// exportLeases answers with the leases that the address asks for as a file.
func (p *leasePages) exportLeases(v *page.Request) error {
	f, err := p.leaseFilter(v)
	switch {
	case err != nil:
		return err
	case related.Note(f.Named) != "":
		return related.TooWide(v, "/leases")
	}
	return csvexport.Serve(v, p.Portfolio, csvexport.Table[portfolio.Lease]{
		Name:  "leases",
		Query: f.Query,
		Page: func(q list.Query) (*list.Page[portfolio.Lease], error) {
			f.Query = q
			return p.Portfolio.Leases.Leases(v.Ctx(), v.Actor(), f)
		},
		Row: func(name string) (*portfolio.Lease, error) {
			return p.Portfolio.Leases.Lease(v.Ctx(), v.Actor(), name)
		},
		Columns: func(rows []portfolio.Lease) ([]csvexport.Column[portfolio.Lease], error) {
			var units []string
			for i := range rows {
				units = append(units, rows[i].UnitID)
			}
			homes, err := p.Portfolio.Homes.Homes(v.Ctx(), v.Actor(), portfolio.Distinct(units))
			return leaseColumns(homes), err
		},
	})
}

func leaseColumns(homes map[string]*portfolio.Home) []csvexport.Column[portfolio.Lease] {
	type row = portfolio.Lease
	type value = csvexport.Value
	return slices.Concat([]csvexport.Column[row]{
		{Name: "Lease ID", Of: func(l *row) value { return csvexport.Text(l.ID) }},
		{Name: "Status", Of: func(l *row) value { return csvexport.Text(l.Status) }},
		{Name: "Tenants", Of: func(l *row) value { return csvexport.Text(tenantNames(l)) }},
		{Name: "Rental address", Of: func(l *row) value { return csvexport.Text(l.RentalAddress) }},
	}, csvexport.HomeColumns(func(l *row) *portfolio.Home { return homes[l.UnitID] }), []csvexport.Column[row]{
		{Name: "Type", Of: func(l *row) value { return csvexport.Text(l.LeaseType) }},
		{Name: "First day", Of: func(l *row) value { return csvexport.Of(l.StartDate) }},
		{Name: "Last day", Of: func(l *row) value { return csvexport.Or(l.EndDate) }},
		{Name: "Monthly rent", Of: func(l *row) value { return csvexport.Of(l.MonthlyRent) }},
		{Name: "Security deposit", Of: func(l *row) value { return csvexport.Of(l.SecurityDeposit) }},
		{Name: "Rent due day", Of: func(l *row) value { return csvexport.Number(l.RentDueDay) }},
		{Name: "Late fee", Of: func(l *row) value { return csvexport.Or(l.LateFeeAmount) }},
		{Name: "Late fee grace days", Of: func(l *row) value { return csvexport.NumberOr(l.LateFeeGraceDays) }},
		{Name: "Moved in", Of: func(l *row) value { return csvexport.Or(l.MoveInDate) }},
		{Name: "Moves out", Of: func(l *row) value { return csvexport.Or(l.MoveOutDate) }},
		{Name: "Notice given", Of: func(l *row) value { return csvexport.Or(l.NoticeGivenDate) }},
		{Name: "Ended early", Of: func(l *row) value { return csvexport.Or(l.TerminatedOn) }},
		{Name: "Reason", Of: func(l *row) value { return csvexport.TextOr(l.TerminationReason) }},
		{Name: "Signed (UTC)", Of: func(l *row) value { return csvexport.Or(l.SignedAt) }},
		{Name: "Property ID", Of: func(l *row) value { return csvexport.Text(l.PropertyID) }},
		{Name: "Unit ID", Of: func(l *row) value { return csvexport.Text(l.UnitID) }},
		{Name: "Tenant IDs", Of: func(l *row) value { return csvexport.Text(listed(l.TenantIDs...)) }},
		{Name: "Renews lease ID", Of: func(l *row) value { return csvexport.TextOr(l.RenewedFromLeaseID) }},
		{Name: "Renewed by lease ID", Of: func(l *row) value { return csvexport.TextOr(l.RenewedToLeaseID) }},
	}, csvexport.RecordColumns(func(l *row) *portfolio.Record { return &l.Record }))
}

// exportTenants answers with the tenants that the address asks for as a file.
func (p *tenantPages) exportTenants(v *page.Request) error {
	f := tenantFilter(v)
	return csvexport.Serve(v, p.Portfolio, csvexport.Table[portfolio.Tenant]{
		Name:  "tenants",
		Query: f.Query,
		Page: func(q list.Query) (*list.Page[portfolio.Tenant], error) {
			f.Query = q
			return p.Portfolio.Tenants.Tenants(v.Ctx(), v.Actor(), f)
		},
		Row: func(name string) (*portfolio.Tenant, error) {
			return p.Portfolio.Tenants.Tenant(v.Ctx(), v.Actor(), name)
		},
		Columns: func(rows []portfolio.Tenant) ([]csvexport.Column[portfolio.Tenant], error) {
			homes, err := p.homesOf(v, rows)
			return tenantColumns(homes), err
		},
	})
}

func tenantColumns(homes map[string]*portfolio.Home) []csvexport.Column[portfolio.Tenant] {
	type row = portfolio.Tenant
	type value = csvexport.Value
	home := func(t *row) *portfolio.Home { return homes[page.OrEmpty(t.UnitID)] }
	return slices.Concat([]csvexport.Column[row]{
		{Name: "Tenant ID", Of: func(t *row) value { return csvexport.Text(t.ID) }},
		{Name: "First name", Of: func(t *row) value { return csvexport.Text(t.FirstName) }},
		{Name: "Last name", Of: func(t *row) value { return csvexport.Text(t.LastName) }},
		{Name: "Status", Of: func(t *row) value { return csvexport.Text(t.Status) }},
		{Name: "Email", Of: func(t *row) value { return csvexport.TextOr(t.Email) }},
		{Name: "Phone", Of: func(t *row) value { return csvexport.Text(page.Phone(t.Phone)) }},
		{Name: "Other email", Of: func(t *row) value { return csvexport.TextOr(t.AlternateEmail) }},
		{Name: "Other phone", Of: func(t *row) value { return csvexport.Text(page.Phone(t.AlternatePhone)) }},
		{Name: "Preferred contact", Of: func(t *row) value { return csvexport.TextOr(t.PreferredContactMethod) }},
		{Name: "Mailing address", Of: func(t *row) value { return csvexport.Text(mailingAddress(t.MailingAddress)) }},
		{
			Name: "Emergency contact",
			Of:   func(t *row) value { return csvexport.Text(emergencyContact(t.EmergencyContact)) },
		},
	}, csvexport.HomeColumns(home), []csvexport.Column[row]{
		{Name: "Moved in", Of: func(t *row) value { return csvexport.Or(t.MoveInDate) }},
		{Name: "Moved out", Of: func(t *row) value { return csvexport.Or(t.MoveOutDate) }},
		{Name: "Property ID", Of: func(t *row) value { return csvexport.TextOr(t.PropertyID) }},
		{Name: "Unit ID", Of: func(t *row) value { return csvexport.TextOr(t.UnitID) }},
		{Name: "Current lease ID", Of: func(t *row) value { return csvexport.TextOr(t.CurrentLeaseID) }},
	}, csvexport.RecordColumns(func(t *row) *portfolio.Record { return &t.Record }))
}
