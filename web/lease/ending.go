package lease

import (
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/views/kit"
	"portal/web/page"
)

// endUnstarted ends a signed lease before its first day, as the tenants have agreed on paper.
func (p *leasePages) endUnstarted(v *page.Request, l *portfolio.Lease) error {
	return p.end(v, l, portfolio.LeaseTerminated, "The lease has ended.", func() page.Question {
		today := v.Today().String()
		form := changeForm("End lease", 3,
			kit.Field{
				Name:  "tenants_agreed_on",
				Label: "Tenants agreed on paper on",
				Kind:  "date",
				Most:  today,
				Hint:  "Every tenant has signed that the lease ends. Keep the paper.",
			},
			kit.Field{
				Name:  "terminated_on",
				Label: "Ends on",
				Kind:  "date",
				Value: today,
				Least: today,
				Most:  l.StartDate.AddDays(-1).String(),
				Hint:  "Today or later, before the first day.",
			},
			kit.Field{Name: "termination_reason", Label: "Reason", Lines: 3})
		form.Danger = true
		return page.Question{Title: "End the lease before it starts?", Form: form, Words: []string{
			l.RentalAddress + ", " + page.TermOf(l) + ".",
			"A signed lease binds everyone, so it ends only if the tenants agree. Its unpaid deposit and charges are " +
				"voided, and payments stay recorded. The signed lease and its log are kept. This can’t be undone.",
			"The tenants get an email about it. If all have an email address, an owner of the account can also ask them " +
				"by email on the lease’s page; one without an address can only agree on paper.",
		}}
	}, func(f *page.Form) lease.Update {
		f.Values.Set("status", string(portfolio.LeaseTerminated))
		return bindChange(v, f, map[string]string{
			"tenants_agreed_on":  "Enter the day the tenants agreed.",
			"terminated_on":      "Enter the day the lease ends.",
			"termination_reason": "Enter the reason.",
		}, "status", "tenants_agreed_on", "terminated_on", "termination_reason")
	})
}
