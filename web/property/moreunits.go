package property

import (
	"net/http"

	"portal/api/fault"
	"portal/api/texts"
	"portal/views/kit"
	"portal/web/page"
)

// unitRequest is the part of a form that asks for more units, for a form that adds some. It has no button and no
// field while the plan has room for them.
func (p *Section) unitRequest(v *page.Request, adds int) (page.Other, error) {
	short, is, err := p.Portfolio.Units.Shortage(v.Ctx(), v.Actor(), adds)
	if err != nil {
		return page.Other{}, err
	}
	other := page.Other{Do: func(f *page.Form) (string, error) {
		units, ok := f.UnitsWanted(short.Limit)
		if !ok {
			return "", nil
		}
		r, err := p.Developer.AskForUnits(v.Ctx(), v.Member(), units)
		return v.UnitRequest(r) + " Nothing was added yet.", err
	}}
	if !is {
		return other, nil
	}
	r, open, err := p.Developer.OpenUnitRequest(v.Ctx(), v.Member())
	if err != nil {
		return other, err
	}
	hint := "Our staff read your request. We answer by email."
	if open {
		hint = v.UnitRequest(r)
	}
	other.Button = page.MoreUnits
	other.Words = []string{shortageWords(short.Used, short.Limit) + " You can ask for more below."}
	other.Groups = []kit.FieldGroup{{
		Title:  "More units",
		Fields: []kit.Field{page.UnitsField(max(r.Units, short.Used+adds), hint)},
	}}
	return other, nil
}

// shortageWords say how many units there are and may be.
func shortageWords(used, limit int) string {
	return "Your plan allows " + texts.Counted(limit, "live unit") + ", and you have " + texts.Number(used) + "."
}

// short says at the field of the units that the plan has no room, and reports whether that is what err means.
func (p *Section) short(v *page.Request, f *page.Form, adds int, err error) bool {
	if !fault.Is(err, fault.UnitLimitReached) {
		return false
	}
	now, _, failed := p.Portfolio.Units.Shortage(v.Ctx(), v.Actor(), adds)
	if failed != nil {
		return false
	}
	f.RefuseUnits(shortageWords(now.Used, now.Limit) + " Ask for more units, then try again.")
	f.Status = http.StatusForbidden
	return true
}
