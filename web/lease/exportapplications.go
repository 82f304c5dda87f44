package lease

import (
	"portal/api/clock"
	"portal/api/list"
	"portal/api/portfolio/lease/application"
	"portal/web/csvexport"
	"portal/web/page"
)

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
