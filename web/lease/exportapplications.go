package lease

import (
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
		Row: func(name string) (*application.Applicant, error) {
			return p.Applications.Applicants.Applicant(v.Ctx(), v.Actor(), name)
		},
		Columns: func([]application.Applicant) ([]csvexport.Column[application.Applicant], error) {
			return applicantColumns(), nil
		},
	})
}

func applicantColumns() []csvexport.Column[application.Applicant] {
	type row = application.Applicant
	type value = csvexport.Value
	sent := func(name string, of func(*application.Application) value) csvexport.Column[row] {
		return csvexport.Column[row]{Name: name, Of: func(a *row) value {
			if a.Application == nil {
				return value{}
			}
			return of(a.Application)
		}}
	}
	return []csvexport.Column[row]{
		{Name: "Invitation ID", Of: func(a *row) value { return csvexport.Text(a.Invitation.ID) }},
		{Name: "Applicant", Of: func(a *row) value { return csvexport.Text(nameOf(a)) }},
		{Name: "Email address", Of: func(a *row) value { return csvexport.Text(a.Invitation.Email) }},
		{Name: "Home", Of: func(a *row) value { return csvexport.Text(a.Street()) }},
		{Name: "Unit ID", Of: func(a *row) value { return csvexport.Text(a.Invitation.UnitID) }},
		{Name: "Status", Of: func(a *row) value { return csvexport.Text(standing(a.Status()).Text) }},
		{Name: "Invited (UTC)", Of: func(a *row) value { return csvexport.Of(a.Invitation.CreatedAt) }},
		sent("Applied (UTC)", func(a *application.Application) value { return csvexport.Of(a.CreatedAt) }),
		sent("Decided (UTC)", func(a *application.Application) value { return csvexport.Or(a.DecidedAt) }),
	}
}
