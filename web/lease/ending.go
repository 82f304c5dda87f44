package lease

import (
	"net/http"
	"strings"

	"portal/api/agreement/ceremony"
	"portal/api/change"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/views/kit"
	views "portal/views/lease"
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

// askEndingRoutes are the pages that ask the tenants by email to agree to the end of a signed lease.
func (p *leasePages) askEndingRoutes() []page.Route {
	of := page.With(id.Lease, p.Portfolio.Leases.Lease)
	return []page.Route{
		page.Get("/{mode}/leases/:id/ask-to-end", page.Owner, of(p.askToEnd)).Confirmed(),
		page.Post("/{mode}/leases/:id/ask-to-end", page.Owner, of(p.askToEnd)).Confirmed(),
		page.Post("/{mode}/leases/:id/ask-to-end/withdraw", page.Owner, of(p.withdrawEnding)),
	}
}

// mayAskToEnd reports whether the tenants of a lease can be asked by email.
func (p *leasePages) mayAskToEnd(l *portfolio.Lease) bool {
	return p.Signings != nil && l.DocumentID != nil && l.Status == portfolio.LeaseSigned
}

// askToEnd asks the tenants by email to agree that a signed lease ends before it starts.
func (p *leasePages) askToEnd(v *page.Request, l *portfolio.Lease) error {
	at := v.In("/leases/" + l.ID)
	if v.Request().Method != http.MethodPost && !p.mayAskToEnd(l) {
		return v.RefuseAt(at, "Only a lease that was signed here and hasn’t started can end by agreement.")
	}
	if p.mayAskToEnd(l) {
		names, err := p.Signings.Unreachable(v.Ctx(), v.Actor(), l.ID)
		if err != nil {
			return err
		}
		if len(names) > 0 {
			return v.RefuseAt(at+"/terminate", "Without an email address: "+strings.Join(names, ", ")+
				". The lease can only end on paper.")
		}
	}
	today := v.Today().String()
	form := changeForm("Ask tenants", 2,
		kit.Field{
			Name:  "terminated_on",
			Label: "Ends on",
			Kind:  "date",
			Value: today,
			Least: today,
			Most:  l.StartDate.AddDays(-1).String(),
			Hint:  "Before the first day. If the last tenant agrees later, it ends that day.",
		},
		kit.Field{Name: "termination_reason", Label: "Reason", Lines: 3, Hint: "The tenants read it."})
	return page.Question{
		Title: "Ask the tenants to end the lease?",
		Words: []string{
			l.RentalAddress + ", " + page.TermOf(l) + ".",
			"Each tenant gets an email with a link and answers with a code. When all have agreed, the lease ends at " +
				"once: its unpaid deposit and charges are voided, and payments stay recorded. You can withdraw the " +
				"request before that. It’s over when the lease starts.",
		},
		Form:   form,
		Back:   at,
		Record: &l.Record,
		Do: func(f *page.Form, _ change.Target) error {
			u := bindChange(v, f, map[string]string{
				"terminated_on":      "Enter the day the lease ends.",
				"termination_reason": "Enter the reason.",
			}, "terminated_on", "termination_reason")
			if f.Rejected() {
				return nil
			}
			err := p.Signings.AskToEnd(v.Ctx(), v.Actor(), l.ID, *u.TerminatedOn.Value, *u.TerminationReason.Value)
			if err != nil {
				return err
			}
			return v.Done(at, "The tenants are asked.")
		},
	}.Serve(v)
}

// withdrawEnding takes the request back.
func (p *leasePages) withdrawEnding(v *page.Request, l *portfolio.Lease) error {
	at := v.In("/leases/" + l.ID)
	if err := p.Signings.WithdrawEnding(v.Ctx(), v.Actor(), l.ID); err != nil {
		return refusedAt(v, at, err)
	}
	return v.Done(at, "The request is withdrawn.")
}

// endingTitles are what became of a request, as the title of its card.
var endingTitles = map[ceremony.EndingStatus]string{
	ceremony.EndingOpen:      "Tenants asked to end the lease",
	ceremony.EndingAgreed:    "Tenants agreed to end the lease",
	ceremony.EndingRefused:   "Not agreed to end the lease",
	ceremony.EndingWithdrawn: "Request to end the lease withdrawn",
	ceremony.EndingOver:      "Request to end the lease is over",
}

// withEnding adds to the page of a lease who has answered whether it ends.
func (p *leasePages) withEnding(v *page.Request, l *portfolio.Lease, view *views.Lease) error {
	if p.Signings == nil || l.DocumentID == nil || l.Open() {
		return nil
	}
	e, tenants, err := p.Signings.EndingOf(v.Ctx(), v.Actor(), l)
	if err != nil || e == nil {
		return err
	}
	card := &views.Ending{
		Title: endingTitles[e.Status],
		Words: "To end on " + page.Date(e.On) + ". Reason: " + e.Reason,
		Asked: v.Time(e.CreatedAt),
	}
	if e.Status == ceremony.EndingOpen && v.Owns() {
		card.Withdraw = v.In("/leases/" + l.ID + "/ask-to-end/withdraw")
	}
	for i := range tenants {
		line := views.EndingLine{Name: tenants[i].Name, Status: kit.Status{Tone: kit.Waiting, Text: "Not answered"}}
		for _, a := range e.Answers {
			switch {
			case a.SignerID != tenants[i].ID:
			case a.Agreed:
				line.At, line.Status = v.Time(a.At), kit.Status{Tone: kit.Done, Text: "Agreed"}
			default:
				line.At, line.Why = v.Time(a.At), a.Reason
				line.Status = kit.Status{Tone: kit.Failed, Text: "Did not agree"}
			}
		}
		card.Tenants = append(card.Tenants, line)
	}
	view.Ending = card
	for _, facts := range view.Facts {
		for i := range facts.Terms {
			if e.Status == ceremony.EndingAgreed && facts.Terms[i].Name == agreedOnPaper {
				facts.Terms[i].Name = agreedByEmail
			}
		}
	}
	return nil
}
