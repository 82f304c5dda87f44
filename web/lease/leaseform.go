package lease

import (
	"net/http"

	"portal/api/change"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/views/kit"
	"portal/web/page"
)

var leaseUpdate = page.ContractOf[lease.Update, portfolio.Lease]("update_lease")

func (p *leasePages) editLease(v *page.Request, l *portfolio.Lease) error {
	at := v.In("/leases/" + l.ID)
	return page.RecordForm[lease.Update]{
		Contract: leaseUpdate, Title: "Edit lease", About: l.RentalAddress,
		Back:   kit.Link{Name: "The lease", Path: at},
		Submit: "Save lease", Groups: leaseGroups(l), Holds: l, Record: &l.Record,
		Do: func(_ *page.Form, u lease.Update, t change.Target) error {
			made, err := p.Portfolio.Leases.UpdateLease(v.Ctx(), v.Actor(), t, u)
			return page.Saved(v, at, "Lease saved.", made, err)
		},
	}.Serve(v)
}

// stateLead asks what the landlord knows about lead-based paint, which the document of a draft says.
func (p *leasePages) stateLead(v *page.Request, l *portfolio.Lease) error {
	at := v.In("/leases/" + l.ID)
	if l.DocumentID == nil || l.Status != portfolio.LeaseDraft {
		return v.RefuseAt(at, "What the lease says about lead-based paint can’t change any more.")
	}
	return page.RecordForm[lease.Update]{
		Contract: leaseUpdate, Title: "Lead-based paint", About: l.RentalAddress,
		Back:   kit.Link{Name: "The lease", Path: at},
		Submit: "Save", Groups: []kit.FieldGroup{leadPaint(v.Today())}, Holds: l.Terms, Record: &l.Record,
		Do: func(_ *page.Form, u lease.Update, t change.Target) error {
			made, err := p.Portfolio.Leases.UpdateLease(v.Ctx(), v.Actor(), t, u)
			return page.Saved(v, at, "Saved. The document says it now.", made, err)
		},
	}.Serve(v)
}

// leaseGroups are the fields of a lease. Those that are locked are shown and cannot be changed.
func leaseGroups(l *portfolio.Lease) []kit.FieldGroup {
	locked := whyLocked(l)
	groups := []kit.FieldGroup{
		{Title: "Dates and type", About: locked, Fields: []kit.Field{
			{Name: "start_date", Label: "First day"},
			{
				Name: "end_date", Label: "Last day", Beside: true,
				Hint: "Leave it empty for a month-to-month lease. An earlier day voids unpaid rent for later periods.",
			},
			{Name: "lease_type", Label: "Type", Choices: page.Named(page.LeaseTypes, "")},
		}},
		{Title: "Money", About: locked, Fields: []kit.Field{
			{
				Name: "monthly_rent", Label: "Monthly rent",
				Hint: "In dollars. Scheduled rent changes too. Rent that’s already due doesn’t.",
			},
			{
				Name: "security_deposit", Label: "Deposit", Beside: true,
				Hint: "In dollars, 0 for none. A deposit that’s already charged doesn’t change.",
			},
			{Name: "rent_due_day", Label: "Rent is due on day", Hint: "Of the month, from 1 to 28."},
			{Name: "late_fee_amount", Label: "Late fee"},
			{Name: "late_fee_grace_days", Label: "Days before it applies", Beside: true, Hint: "From 0 to 60."},
		}},
		{Title: "Moving", Fields: []kit.Field{
			{Name: "move_in_date", Label: "Moved in"},
			{
				Name: "notice_given_date", Label: "Notice given",
				Hint: "The unit and its tenants then have the status Notice given.",
			},
			{Name: "move_out_date", Label: "Moves out", Beside: true},
		}},
	}
	if locked != "" {
		for _, g := range groups[:2] {
			for i := range g.Fields {
				g.Fields[i].Fixed = true
			}
		}
	}
	return groups
}

// whyLocked says why dates and money cannot change, "" where they can.
func whyLocked(l *portfolio.Lease) string {
	switch {
	case l.Changeable():
		return ""
	case l.Status == portfolio.LeasePendingSignature:
		return "Locked since the first signature: what has been signed must match the lease. To change it, void " +
			"the lease and create a new one."
	case l.Status == portfolio.LeaseSigned:
		return "Locked until the lease runs: what has been signed must match it."
	}
	return "Locked: the lease is over."
}

func (p *leasePages) terminate(v *page.Request, l *portfolio.Lease) error {
	if l.Status == portfolio.LeaseSigned {
		return p.endUnstarted(v, l)
	}
	return p.end(v, l, portfolio.LeaseTerminated, "The lease has ended.", func() page.Question {
		today := v.Today()
		form := changeForm("End lease", 1, // no day is taken for granted
			kit.Field{
				Name:  "terminated_on",
				Label: "Last day",
				Kind:  "date",
				Value: today.String(),
				Least: l.StartDate.String(),
				Most:  today.String(),
				Hint:  "Today or an earlier day.",
			},
			kit.Field{Name: "termination_reason", Label: "Reason", Lines: 3, Hint: "For your records."})
		form.Danger = true
		return page.Question{Title: "End the lease early?", Form: form, Words: []string{
			l.RentalAddress + ", " + page.TermOf(l) + ".",
			"What isn’t paid yet for days after the last one is taken back. What is paid for them stays " +
				"recorded and, where rent is charged automatically, is credited. This can’t be undone.",
			"To end it on a later day, edit the lease and change its last day.",
		}}
	}, func(f *page.Form) lease.Update {
		f.Values.Set("status", string(portfolio.LeaseTerminated))
		missing := map[string]string{"terminated_on": "Enter the day the lease ends."}
		return bindChange(v, f, missing, "status", "terminated_on", "termination_reason")
	})
}

func (p *leasePages) voidLease(v *page.Request, l *portfolio.Lease) error {
	return p.end(v, l, portfolio.LeaseVoided, "The lease is voided.", func() page.Question {
		return page.Question{
			Title: "Void the lease?",
			Form:  kit.Form{Submit: "Void lease", Danger: true},
			Words: []string{
				l.RentalAddress + ", " + page.TermOf(l) + ".",
				"Nobody can sign it after this, and it never takes effect. The record stays with the status Void. This " +
					"can’t be undone.",
			},
		}
	}, func(*page.Form) lease.Update { return lease.Update{Status: change.To(portfolio.LeaseVoided)} })
}

// changeForm asks for some fields of a lease, of which so many, from the first, cannot be left empty.
func changeForm(submit string, required int, fields ...kit.Field) kit.Form {
	form := leaseUpdate.Form(kit.Form{Submit: submit, Groups: []kit.FieldGroup{{Fields: fields}}})
	for i := range fields[:required] {
		fields[i].Optional = false
	}
	return form
}

// bindChange reads the fields of a form like that. What is said of each that was left empty is in missing.
func bindChange(v *page.Request, f *page.Form, missing map[string]string, names ...string) lease.Update {
	for name, said := range missing {
		if f.Text(name) == "" {
			f.Reject(name, said)
		}
	}
	return leaseUpdate.Bind(v, f, names...)
}

// end asks about what takes a lease to a status, if it can be taken there, and does what was answered.
func (p *leasePages) end(
	v *page.Request,
	l *portfolio.Lease,
	to portfolio.LeaseStatus,
	said string,
	ask func() page.Question,
	read func(f *page.Form) lease.Update,
) error {
	at := v.In("/leases/" + l.ID)
	if v.Request().Method != http.MethodPost && !l.May(to) {
		return v.RefuseAt(at, "A lease that’s "+page.Lowercase(l.Status)+" can’t be "+page.Lowercase(to)+".")
	}
	q := ask()
	q.Back, q.Record = at, &l.Record
	q.Do = func(f *page.Form, t change.Target) error {
		u := read(f)
		if f.Rejected() {
			return nil
		}
		made, err := p.Portfolio.Leases.UpdateLease(v.Ctx(), v.Actor(), t, u)
		switch {
		case err != nil:
			return err
		case made.Before.Status == made.After.Status:
			return fault.New(fault.InvalidTransition, "The lease is already %s.", page.Lowercase(made.After.Status))
		}
		return v.Warned(at, said, made.Warnings)
	}
	return q.Serve(v)
}

// extend gives the parties of a lease more time to sign.
func (p *leasePages) extend(v *page.Request, l *portfolio.Lease) error {
	at := v.In("/leases/" + l.ID)
	if v.Request().Method != http.MethodPost && !l.Open() && !l.Revivable() {
		return v.RefuseAt(at, "The time to sign a lease that’s "+page.Lowercase(l.Status)+" can’t be extended.")
	}
	words := []string{
		l.RentalAddress + ", " + page.TermOf(l) + ".",
		"Everyone who has yet to sign gets an email with the new last day. Their links stay the same.",
	}
	if l.Revivable() {
		words = append(
			words,
			"The lease is out for signature again, and the links work again. Signatures so far count.",
		)
	}
	form := changeForm("Extend", 1,
		kit.Field{Name: "expires_in_days", Label: "Days to sign", Value: "14", Hint: "From today, 1 to 90."})
	return page.Question{
		Title:  "Extend the time to sign?",
		Words:  words,
		Form:   form,
		Back:   at,
		Record: &l.Record,
		Do: func(f *page.Form, t change.Target) error {
			missing := map[string]string{"expires_in_days": "Enter the number of days."}
			u := bindChange(v, f, missing, "expires_in_days")
			if f.Rejected() {
				return nil
			}
			made, err := p.Portfolio.Leases.UpdateLease(v.Ctx(), v.Actor(), t, u)
			if err != nil {
				return err
			}
			return v.Warned(at, "The time to sign is extended.", made.Warnings)
		},
	}.Serve(v)
}
