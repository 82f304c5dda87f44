package web

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"portal/api/developer"
	"portal/views"
)

// Holdings are the accounts of everybody, and the log of what was asked, for the staff.
type Holdings interface {
	Holders(ctx context.Context, email string) ([]developer.Holder, error)
	Holding(ctx context.Context, accountID string) (developer.Holding, error)
	SetPlanOf(ctx context.Context, accountID string, p developer.Plan) error
	Logged(ctx context.Context, requestID string) (developer.Request, error)
	UnkeyedMinute(ctx context.Context, requestID, address string) (developer.UnkeyedMinute, error)
}

func (p *Pages) findAccounts(v *visit) error {
	f := v.form()
	field := views.Field{Name: "email", Label: "E-mail address", Kind: "search", Complete: "off"}
	f.fillField(&field)
	page := views.Holders{Frame: v.frame("Accounts"), Filters: views.Filters{About: "Find an account", Fields: []views.Field{field}}, Asked: f.text("email") != ""}
	found, err := p.Holdings.Holders(v.ctx(), f.text("email"))
	if err != nil {
		return err
	}
	page.Holders = holders(found)
	return v.show(views.HoldersPage(page))
}

func holders(all []developer.Holder) (shown []views.Holder) {
	for i := range all {
		h := &all[i]
		shown = append(shown, views.Holder{Email: h.Email, Role: string(h.Role), AccountID: h.AccountID, Account: h.Account, Plan: tierName(h.Plan)})
	}
	return shown
}

func tierName(t developer.Tier) string {
	return map[developer.Tier]string{developer.Starter: "Starter", developer.Pro: "Pro", developer.Prime: "Prime"}[t]
}

func (p *Pages) holding(v *visit) error { return p.holdingForm(v, nil) }

func (p *Pages) holdingForm(v *visit, f *form) error {
	h, err := p.Holdings.Holding(v.ctx(), v.Param("id"))
	if err != nil {
		return err
	}
	if f == nil {
		f = blank(planOf(h.Plan))
	}
	l := h.Plan.Limits()
	return v.showAs(f.status, views.HoldingPage(views.Holding{Frame: v.frame(h.Name), ID: h.ID, Name: h.Name, Zone: h.TimeZone, Plan: tierName(h.Plan.Tier),
		Rate: fmt.Sprintf("%d sustained, %d in a burst", l.Sustained, l.Burst), Units: fmt.Sprintf("%d of %d", h.Units, l.Units),
		Created: v.time(h.CreatedAt), Holders: holders(h.Holders), Form: f.fill(planForm(h.ID))}))
}

// planOf is a plan as the form has it.
func planOf(p developer.Plan) url.Values {
	values := url.Values{"plan": {string(p.Tier)}}
	for name, override := range map[string]*int{"sustained": p.Sustained, "burst": p.Burst, "units": p.Units} {
		if override != nil {
			values.Set(name, strconv.Itoa(*override))
		}
	}
	return values
}

func planForm(accountID string) views.Form {
	plan := views.Field{Name: "plan", Label: "Plan", Kind: "select"}
	for _, t := range []developer.Tier{developer.Starter, developer.Pro, developer.Prime} {
		l := developer.Plan{Tier: t}.Limits()
		plan.Choices = append(plan.Choices, views.Choice{Value: string(t), Label: fmt.Sprintf("%s: %d a minute, %d in a burst, %d units", tierName(t), l.Sustained, l.Burst, l.Units)})
	}
	ceiling := func(name, label string) views.Field {
		return views.Field{Name: name, Label: label, Hint: "Empty: what the plan says.", Mode: "numeric", Short: true, Complete: "off", Optional: true}
	}
	return views.Form{Action: "/staff/accounts/" + accountID, Submit: "Set the plan", Groups: []views.FieldGroup{{Fields: []views.Field{
		plan, ceiling("sustained", "Requests a minute"), ceiling("burst", "Requests in a burst"), ceiling("units", "Live units"),
	}}}}
}

func (p *Pages) setPlan(v *visit) error {
	f, accountID := v.form(), v.Param("id")
	plan := developer.Plan{Tier: developer.Tier(f.text("plan")), Sustained: f.whole("sustained"), Burst: f.whole("burst"), Units: f.whole("units")}
	if f.rejected() {
		return p.holdingForm(v, f)
	}
	err := p.Holdings.SetPlanOf(v.ctx(), accountID, plan)
	if f.refused(err) {
		return p.holdingForm(v, f)
	}
	if err != nil {
		return err
	}
	return v.done("/staff/accounts/"+accountID, "The plan is set. It counts from the next request on.")
}
