package lease

import (
	"slices"

	"portal/api/clock"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
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
	var homes map[string]*portfolio.Home
	return csvexport.Serve(v, p.Portfolio, csvexport.Table[portfolio.Lease]{
		Name:  "leases",
		Query: f.Query,
		Page: func(q list.Query) (*list.Page[portfolio.Lease], error) {
			f.Query = q
			return p.Portfolio.Leases.Leases(v.Ctx(), v.Actor(), f)
		},
		Row: p.Portfolio.Leases.Lease,
		Load: func(rows []portfolio.Lease) (err error) {
			var units []string
			for i := range rows {
				units = append(units, rows[i].UnitID)
			}
			homes, err = p.Portfolio.Homes.Homes(v.Ctx(), v.Actor(), portfolio.Distinct(units))
			return err
		},
		Cells: func(l *portfolio.Lease) csvexport.Cells { return leaseColumns(l, homes[l.UnitID]) },
	})
}

func leaseColumns(l *portfolio.Lease, home *portfolio.Home) csvexport.Cells {
	return slices.Concat(csvexport.Cells{
		"Lease ID", l.ID, "Status", l.Status, "Tenants", tenantNames(l),
		"Rental address", l.RentalAddress,
	}, csvexport.HomeCells(home), csvexport.Cells{
		"Type", l.LeaseType, "First day", l.StartDate, "Last day", l.EndDate,
		"Monthly rent", l.MonthlyRent, "Security deposit", l.SecurityDeposit,
		"Balance", l.BalanceDue, "Deposit held", l.DepositHeld,
		"Rent due day", l.RentDueDay, "Late fee", l.LateFeeAmount,
		"Late fee grace days", l.LateFeeGraceDays, "Moved in", l.MoveInDate, "Moves out", l.MoveOutDate,
		"Notice given", l.NoticeGivenDate, "Ended early", l.TerminatedOn, "Reason", l.TerminationReason,
		"Signed (UTC)", l.SignedAt, "Property ID", l.PropertyID, "Unit ID", l.UnitID,
		"Tenant IDs", listed(l.TenantIDs...), "Renews lease ID", l.RenewedFromLeaseID,
		"Renewed by lease ID", l.RenewedToLeaseID,
	}, csvexport.RecordCells(&l.Record))
}

// exportTenants answers with the tenants that the address asks for as a file.
func (p *tenantPages) exportTenants(v *page.Request) error {
	f := tenantFilter(v)
	var homes map[string]*portfolio.Home
	return csvexport.Serve(v, p.Portfolio, csvexport.Table[portfolio.Tenant]{
		Name:  "tenants",
		Query: f.Query,
		Page: func(q list.Query) (*list.Page[portfolio.Tenant], error) {
			f.Query = q
			return p.Portfolio.Tenants.Tenants(v.Ctx(), v.Actor(), f)
		},
		Row: p.Portfolio.Tenants.Tenant,
		Load: func(rows []portfolio.Tenant) (err error) {
			homes, err = p.homesOf(v, rows)
			return err
		},
		Cells: func(t *portfolio.Tenant) csvexport.Cells { return tenantColumns(t, homes[page.OrEmpty(t.UnitID)]) },
	})
}

func tenantColumns(t *portfolio.Tenant, home *portfolio.Home) csvexport.Cells {
	return slices.Concat(csvexport.Cells{
		"Tenant ID", t.ID, "First name", t.FirstName, "Last name", t.LastName, "Status", t.Status,
		"Email", t.Email, "Phone", page.Phone(t.Phone), "Other email", t.AlternateEmail,
		"Other phone", page.Phone(t.AlternatePhone), "Preferred contact", t.PreferredContactMethod,
		"Mailing address", mailingAddress(t.MailingAddress),
		"Emergency contact", emergencyContact(t.EmergencyContact),
	}, csvexport.HomeCells(home), csvexport.Cells{
		"Moved in", t.MoveInDate, "Moved out", t.MoveOutDate, "Property ID", t.PropertyID,
		"Unit ID", t.UnitID, "Current lease ID", t.CurrentLeaseID,
	}, csvexport.RecordCells(&t.Record))
}

// applicantOrders are the orders of the list, which its indexes have in both directions.
var applicantOrders = []string{"newest", "oldest"}

// applicantFilter is what the address asks for.
func applicantFilter(v *page.Request) application.ApplicantFilter {
	f := v.Form()
	return application.ApplicantFilter{
		Standing:  application.Standing(f.Among("state", application.Standing("").Values())),
		Ascending: f.Among("sort", applicantOrders) == "oldest",
	}
}

// exportApplications answers with the applications that the address asks for as a file.
func (p *applicationPages) exportApplications(v *page.Request) error {
	f := applicantFilter(v)
	return csvexport.Serve(v, p.Portfolio, csvexport.Table[application.Applicant]{
		Name: "applications",
		Page: func(q list.Query) (*list.Page[application.Applicant], error) {
			f.Limit, f.Before = q.Limit+1, q.StartingAfter
			found, err := p.Applications.Applicants.Applicants(v.Ctx(), v.Actor(), f)
			return list.Of(found, q.Limit, (*application.Applicant).Identity), err
		},
		Row:   p.Applications.Applicants.Applicant,
		Cells: applicantColumns,
	})
}

func applicantColumns(a *application.Applicant) csvexport.Cells {
	var applied, decided *clock.Time
	if a.Application != nil {
		applied, decided = &a.Application.CreatedAt, a.Application.DecidedAt
	}
	return csvexport.Cells{
		"Invitation ID", a.Invitation.ID, "Applicant", nameOf(a), "Email address", a.Invitation.Email,
		"Home", a.Street(), "Unit ID", a.Invitation.UnitID, "Status", standing(a.Status()).Text,
		"Invited (UTC)", a.Invitation.CreatedAt, "Applied (UTC)", applied, "Decided (UTC)", decided,
	}
}
