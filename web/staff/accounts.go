package staff

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"portal/api/developer"
	"portal/views/kit"
	views "portal/views/staff"
	"portal/web/page"
)

// Accounts are the accounts of everybody, and the log of what was asked, for the staff.
type Accounts interface {
	FindMembers(ctx context.Context, email string) ([]developer.AccountMember, error)
	AccountDetails(ctx context.Context, accountID string) (developer.AccountDetails, error)
	SetPlanOf(ctx context.Context, accountID string, p developer.Plan) error
	Logged(ctx context.Context, requestID string) (developer.Request, error)
	UnkeyedMinute(ctx context.Context, requestID, address string) (developer.UnkeyedMinute, error)
}

func (p *Section) findAccounts(v *page.Request) error {
	f := v.Form()
	field := kit.Field{
		Name:     "email",
		Label:    "Email address",
		Kind:     "search",
		Complete: "off",
	}
	f.FillField(&field)
	view := views.AccountSearch{
		Frame:   v.Frame("Accounts"),
		Filters: kit.Filters{About: "Find an account", At: "/staff/accounts", Fields: []kit.Field{field}},
		Asked:   f.Text("email") != "",
	}
	found, err := p.Accounts.FindMembers(v.Ctx(), f.Text("email"))
	if err != nil {
		return err
	}
	view.Members = members(found)
	return v.Show(views.AccountSearchPage(view))
}

func members(all []developer.AccountMember) (shown []views.AccountMember) {
	for i := range all {
		h := &all[i]
		shown = append(shown, views.AccountMember{
			Email:     h.Email,
			Role:      string(h.Role),
			AccountID: h.AccountID,
			Account:   h.Account,
			Plan:      tierName(h.Plan),
		})
	}
	return shown
}

func tierName(t developer.Tier) string {
	return map[developer.Tier]string{
		developer.Starter: "Starter",
		developer.Pro:     "Pro",
		developer.Prime:   "Prime",
	}[t]
}

func (p *Section) account(v *page.Request) error { return p.accountForm(v, nil) }

func (p *Section) accountForm(v *page.Request, f *page.Form) error {
	h, err := p.Accounts.AccountDetails(v.Ctx(), v.Param("id"))
	if err != nil {
		return err
	}
	if f == nil {
		f = v.Blank(planOf(h.Plan))
	}
	l := h.Plan.Limits()
	return v.ShowAs(f.Status, views.AccountPage(views.AccountDetails{
		Frame:   v.Frame(h.Name),
		ID:      h.ID,
		Name:    h.Name,
		Zone:    h.TimeZone,
		Plan:    tierName(h.Plan.Tier),
		Rate:    fmt.Sprintf("%d sustained, %d in a burst", l.Sustained, l.Burst),
		Units:   fmt.Sprintf("%d of %d", h.Units, l.Units),
		Created: v.Time(h.CreatedAt),
		Members: members(h.Members),
		Form:    f.Fill(planForm(h.ID)),
	}))
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

func planForm(accountID string) kit.Form {
	plan := kit.Field{Name: "plan", Label: "Plan", Kind: "select"}
	for _, t := range []developer.Tier{developer.Starter, developer.Pro, developer.Prime} {
		l := developer.Plan{Tier: t}.Limits()
		plan.Choices = append(plan.Choices, kit.Choice{
			Value: string(t),
			Label: fmt.Sprintf("%s: %d a minute, %d in a burst, %d units", tierName(t), l.Sustained, l.Burst, l.Units),
		})
	}
	ceiling := func(name, label string) kit.Field {
		return kit.Field{
			Name:     name,
			Label:    label,
			Hint:     "Empty: what the plan says.",
			Mode:     "numeric",
			Short:    true,
			Complete: "off",
			Optional: true,
		}
	}
	return planForAccount.Form(kit.Form{
		Action: "/staff/accounts/" + accountID,
		Submit: "Set the plan",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			plan,
			ceiling("sustained", "Requests per minute"),
			ceiling("burst", "Requests in a burst"),
			ceiling("units", "Live units"),
		}}},
	})
}

var planForAccount = page.InputOf[developer.Plan]("set_plan")

func (p *Section) setPlan(v *page.Request) error {
	f, accountID := v.Form(), v.Param("id")
	plan := planForAccount.BindForm(v, f, planForm(accountID).Groups...)
	if f.Rejected() {
		return p.accountForm(v, f)
	}
	err := p.Accounts.SetPlanOf(v.Ctx(), accountID, plan)
	if f.Refused(err) {
		return p.accountForm(v, f)
	}
	if err != nil {
		return err
	}
	return v.Done("/staff/accounts/"+accountID, "The plan is set. It counts from the next request on.")
}
