package lease

import (
	"fmt"
	"slices"

	"portal/api/fault"
	"portal/api/id"
	"portal/api/payment"
	"portal/api/portfolio"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/page"
)

// onlineRoutes is where it is changed which payments tenants of a lease can make online.
func (p *leasePages) onlineRoutes() []page.Route {
	if p.Payments == nil {
		return nil
	}
	of := page.With(id.Lease, p.Portfolio.Leases.Lease)
	return []page.Route{page.Post("/{mode}/leases/:id/online-payments", page.Member, of(p.allowPayments))}
}

// withOnline adds to the page of a lease which payments its tenants can make online.
func (p *leasePages) withOnline(v *page.Request, l *portfolio.Lease, view *views.Lease) error {
	if p.Payments == nil || !l.Binding() {
		return nil
	}
	if taken, err := p.Payments.Taken(v.Ctx(), v.Actor().Portfolio); err != nil {
		return err
	} else if !taken {
		view.Online = &views.Online{
			Words: "Tenants can’t pay online: online payments aren’t set up. An owner sets them up in Settings, under Payments.",
		}
		return nil
	}
	now, err := p.Payments.Allowed(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return err
	}
	field := kit.Field{
		Name:  "online_payments",
		Label: "Tenants can pay",
		Kind:  "radios",
		Hint: "Turn it off when a suit is pending: accepting a payment can end it. " +
			"A payment that is already processing goes on.",
		Choices: []kit.Choice{
			{Value: string(payment.AllowAll), Label: "All payments", Hint: "Also a part of a charge."},
			{Value: string(payment.AllowWhole), Label: "Whole charges only"},
			{Value: string(payment.AllowNone), Label: "None"},
		},
	}
	for i := range field.Choices {
		field.Choices[i].Chosen = field.Choices[i].Value == string(now)
	}
	view.Online = &views.Online{Form: &kit.Form{
		Action: v.In("/leases/" + l.ID + "/online-payments"),
		Submit: "Save",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{field}}},
	}}
	view.Online.Autopay, err = p.autopay(v, l)
	return err
}

// autopay says who pays the charges of a lease by autopay, a sentence for each tenant.
func (p *leasePages) autopay(v *page.Request, l *portfolio.Lease) (words []string, err error) {
	all, err := p.Payments.Autopays(v.Ctx(), v.Actor(), []string{l.ID})
	for i := range all {
		a := &all[i]
		at := slices.IndexFunc(l.Tenants, func(t portfolio.Party) bool { return t.ID == a.TenantID })
		if a.Status != payment.AutopayActive || a.NextOn == nil || at < 0 {
			continue
		}
		words = append(words, fmt.Sprintf("%s pays by autopay, at most %s each month. Next payment: %s.",
			l.Tenants[at].Name, a.Most.Dollars(), page.Date(*a.NextOn)))
	}
	return words, err
}

// allowedWords say what tenants can pay online from now on.
var allowedWords = map[payment.Allowed]string{
	payment.AllowAll:   "Tenants can pay charges online, also in part.",
	payment.AllowWhole: "Tenants can pay whole charges online.",
	payment.AllowNone:  "Tenants can’t pay online anymore.",
}

// allowPayments changes which payments tenants of a lease can make online.
func (p *leasePages) allowPayments(v *page.Request, l *portfolio.Lease) error {
	at := v.In("/leases/" + l.ID)
	before, err := p.Payments.Allowed(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return err
	}
	allowed := payment.Allowed(v.Form().Text("online_payments"))
	err = p.Payments.Allow(v.Ctx(), v.Actor(), l.ID, allowed)
	switch {
	case fault.Is(err, fault.InvalidField):
		return v.RefuseAt(at, "Choose which payments tenants can make online.")
	case err != nil:
		return refusedAt(v, at, err, fault.Unavailable)
	case before == allowed:
		return v.Done(at, page.Unchanged)
	}
	return v.Done(at, allowedWords[allowed])
}
