package developer

import (
	"net/http"

	"portal/api/portfolio"
	"portal/api/texts"
	"portal/views/kit"
	"portal/web/page"
)

// units asks for more units than the plan has.
func (p *Section) units(v *page.Request) error {
	plan, err := p.Developer.PlanOf(v.Ctx(), v.Member())
	if err != nil {
		return err
	}
	limit := plan.Limits().Units
	f := v.Form()
	if v.Request().Method == http.MethodPost {
		if units, ok := f.UnitsWanted(limit); ok {
			_, err := p.Developer.AskForUnits(v.Ctx(), v.Member(), units)
			if err == nil {
				return v.Done(portfolio.UnitRequestPath, page.UnitsAsked)
			}
			if !f.Refused(err) {
				return err
			}
		}
	}
	live, err := p.Summaries.Summary(v.Ctx(), v.Actor())
	if err != nil {
		return err
	}
	r, open, err := p.Developer.OpenUnitRequest(v.Ctx(), v.Member())
	if err != nil {
		return err
	}
	words := []string{
		"Your " + planName(plan) + " plan allows " + texts.Counted(limit, "live unit") + ", and you have " +
			texts.Number(live.Units) + ". Units of the demo portfolio don’t count.",
	}
	if open {
		words = append(words, v.UnitRequest(r))
	}
	return f.Show(v, kit.Heading{
		Title: page.MoreUnits, Back: kit.Link{Name: "Usage", Path: "/usage"},
	}, kit.Form{
		Action: portfolio.UnitRequestPath, Submit: page.MoreUnits, Cancel: "/usage",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{page.UnitsField(
			max(r.Units, limit+1, live.Units+1), "Our staff read your request. We answer by email.",
		)}}},
	}, words...)
}
