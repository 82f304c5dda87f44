package developer

import (
	"context"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/portfolio/ledger/report"
	"portal/api/texts"
	views "portal/views/developer"
	"portal/web/page"
)

// Summaries are portfolios in a few numbers.
type Summaries interface {
	Summary(ctx context.Context, by access.Actor) (*report.Summary, error)
}

func (p *Section) overview(v *page.Request) error {
	a := v.Person.Account
	switch {
	case a == nil && v.IsStaff():
		return v.SeeOther("/staff/requests")
	case a == nil:
		return v.Show(views.NoAccountPage(v.Frame("No account")))
	}
	view := views.Overview{Frame: v.Frame("Overview").Live(), Name: a.Name}
	way, err := p.Steps.Progress(v.Ctx(), v.Member(), a.Test, a.Live)
	if err != nil {
		return err
	}
	view.FirstSteps = p.firstSteps(v, &way)
	if way.Approved && way.Request.Status != developer.Approved {
		view.Notice = "API access is not approved any more."
	}
	live, test := v.Actor(), v.Actor()
	test.Portfolio, test.Units = a.Test, nil
	var both [2]*report.Summary
	for i, by := range []access.Actor{live, test} {
		if both[i], err = p.Summaries.Summary(v.Ctx(), by); err != nil {
			return err
		}
	}
	view.Numbers = headlines(both[0], both[1])
	return v.Show(views.OverviewPage(view))
}

func headlines(live, demo *report.Summary) []views.Headline {
	count := func(name, list string, of func(*report.Summary) int) views.Headline {
		return views.Headline{
			Name: name,
			List: list,
			Live: texts.Number(of(live)),
			Demo: texts.Number(of(demo)),
		}
	}
	return []views.Headline{
		count("Properties", "/properties", func(s *report.Summary) int { return s.Properties }),
		count("Units", "", func(s *report.Summary) int { return s.Units }),
		count("Occupied units", "", func(s *report.Summary) int { return s.OccupiedUnits }),
		count("Vacant units", "", func(s *report.Summary) int { return s.VacantUnits }),
		count("Tenants", "/tenants", func(s *report.Summary) int { return s.Tenants }),
		count("Active leases", "/leases?status=active", func(s *report.Summary) int { return s.Leases.Active }),
		count("Open tickets", "/tickets", func(s *report.Summary) int { return s.OpenTickets }),
		{
			Name: "Rent due through today",
			List: "/ledger?overdue=true",
			Live: live.RentDueTotal.Words(),
			Demo: demo.RentDueTotal.Words(),
		},
	}
}
