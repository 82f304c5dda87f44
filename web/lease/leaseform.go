package lease

import (
	"strconv"

	"portal/api/change"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/views/kit"
	"portal/web/page"
)

func (p *leasePages) editLease(v *page.Request) error {
	l, err := p.leaseHere(v)
	if err != nil {
		return err
	}
	return p.leaseForm(v, v.Form(), l)
}

func (p *leasePages) changeLease(v *page.Request) error {
	l, err := p.leaseHere(v)
	if err != nil {
		return err
	}
	f := v.Form()
	u := leaseUpdate.BindForm(v, f, leaseGroups(l)...)
	if f.Rejected() {
		return p.leaseForm(v, f, l)
	}
	made, err := p.Portfolio.Leases.UpdateLease(v.Ctx(), v.Actor(), change.Target{ID: l.ID, Version: f.Version()}, u)
	if f.Conflict(err, strconv.FormatInt(l.Version, 10)) || f.Refused(err) {
		return p.leaseForm(v, f, l)
	}
	if err != nil {
		return err
	}
	said := "Lease saved."
	if made.Before.Version == made.After.Version {
		said = page.Unchanged
	}
	tone, said := page.Noted(said, made.Warnings)
	v.Say(tone, said)
	return v.SeeOther(v.In("/leases/" + l.ID))
}

var leaseUpdate = page.ContractOf[lease.Update, portfolio.Lease]("update_lease")

// leaseGroups are the fields of a lease. Those that are locked are shown under names that are not read.
func leaseGroups(l *portfolio.Lease) []kit.FieldGroup {
	locked := whyLocked(l)
	groups := []kit.FieldGroup{
		{Title: "Dates and type", About: locked, Fields: leaseDates(l)},
		{Title: "Money", About: locked, Fields: leaseMoney(l)},
		{Title: "Moving", Fields: leaseMoves(l)},
	}
	if locked != "" {
		for g := range groups[:2] {
			lock(groups[g].Fields)
		}
	}
	return groups
}

func (p *leasePages) leaseForm(v *page.Request, f *page.Form, l *portfolio.Lease) error {
	at := v.In("/leases/" + l.ID)
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{
		Frame: v.Frame("Edit lease"),
		Heading: kit.Heading{
			Title: "Edit lease",
			About: l.RentalAddress,
			Back:  kit.Link{Name: "The lease", Path: at},
		},
		Form: f.Fill(leaseUpdate.Form(kit.Form{
			Action: at + "/edit",
			Submit: "Save lease",
			Cancel: at,
			Groups: append(leaseGroups(l), page.VersionField(&l.Record)),
		})),
	}))
}

// lock shows fields that cannot be changed. A choice is shown as its word.
func lock(fields []kit.Field) {
	for i := range fields {
		f := &fields[i]
		for _, c := range f.Choices {
			if c.Chosen {
				f.Value = c.Label
			}
		}
		f.Fixed, f.Choices, f.Hint = true, nil, ""
		if f.Kind == "select" {
			f.Kind = ""
		}
		f.Name = "locked_" + f.Name // what is sent of it is not read
	}
}

// whyLocked says why dates and money cannot change, "" where they can.
func whyLocked(l *portfolio.Lease) string {
	switch {
	case l.Changeable():
		return ""
	case l.Status == portfolio.LeasePendingSignature:
		return "Locked since the first signature: what has been signed must match the lease. To change it, void the lease and create a new one."
	case l.Status == portfolio.LeaseSigned:
		return "Locked until the lease runs: what has been signed must match it."
	}
	return "Locked: the lease is over."
}

func leaseDates(l *portfolio.Lease) []kit.Field {
	types := []kit.Choice{}
	for _, t := range l.LeaseType.Values() {
		types = append(types, kit.Choice{
			Value:  t,
			Label:  page.LeaseTypes[portfolio.LeaseType(t)],
			Chosen: t == string(l.LeaseType),
		})
	}
	return []kit.Field{
		{Name: "start_date", Label: "First day", Kind: "date", Value: l.StartDate.String()},
		{
			Name:     "end_date",
			Label:    "Last day",
			Beside:   true,
			Kind:     "date",
			Optional: true,
			Value:    page.Value(l.EndDate),
			Hint:     "Leave it empty for a month-to-month lease. An earlier day voids unpaid rent for later periods.",
		},
		{Name: "lease_type", Label: "Type", Kind: "select", Choices: types},
	}
}

func leaseMoney(l *portfolio.Lease) []kit.Field {
	fields := []kit.Field{
		{
			Name:     "monthly_rent",
			Label:    "Monthly rent",
			Mode:     "decimal",
			Complete: "off",
			Short:    true,
			Value:    l.MonthlyRent.String(),
			Hint:     "In dollars. Scheduled rent changes too. Rent that’s already due doesn’t.",
		},
		{
			Name:     "security_deposit",
			Label:    "Deposit",
			Beside:   true,
			Mode:     "decimal",
			Complete: "off",
			Short:    true,
			Value:    l.SecurityDeposit.String(),
			Hint:     "In dollars, 0 for none. A deposit that’s already charged doesn’t change.",
		},
		{
			Name:     "rent_due_day",
			Label:    "Rent is due on day",
			Mode:     "numeric",
			Complete: "off",
			Short:    true,
			Value:    strconv.Itoa(l.RentDueDay),
			Hint:     "Of the month, from 1 to 28.",
		},
		{
			Name:     "late_fee_amount",
			Label:    "Late fee",
			Mode:     "decimal",
			Complete: "off",
			Short:    true,
			Optional: true,
		},
		{
			Name:     "late_fee_grace_days",
			Label:    "Days before it applies",
			Beside:   true,
			Mode:     "numeric",
			Complete: "off",
			Short:    true,
			Optional: true,
			Hint:     "From 0 to 60.",
		},
	}
	if l.LateFeeAmount != nil {
		fields[3].Value = l.LateFeeAmount.String()
	}
	if l.LateFeeGraceDays != nil {
		fields[4].Value = strconv.Itoa(*l.LateFeeGraceDays)
	}
	return fields
}

func leaseMoves(l *portfolio.Lease) []kit.Field {
	return []kit.Field{
		{
			Name:     "move_in_date",
			Label:    "Moved in",
			Kind:     "date",
			Optional: true,
			Value:    page.Value(l.MoveInDate),
		},
		{
			Name:     "notice_given_date",
			Label:    "Notice given",
			Kind:     "date",
			Optional: true,
			Value:    page.Value(l.NoticeGivenDate),
			Hint:     "The unit and its tenants then have the status Notice given.",
		},
		{
			Name:     "move_out_date",
			Label:    "Moves out",
			Beside:   true,
			Kind:     "date",
			Optional: true,
			Value:    page.Value(l.MoveOutDate),
		},
	}
}

func (p *leasePages) askTerminate(v *page.Request) error {
	return p.ask(v, portfolio.LeaseTerminated, p.terminateForm)
}

// ask asks about what would take a lease to a status, if it can be taken there.
func (p *leasePages) ask(v *page.Request, to portfolio.LeaseStatus, form func(*page.Request, *page.Form) error) error {
	l, err := p.leaseHere(v)
	if err != nil {
		return err
	}
	if !l.May(to) {
		v.Say(kit.Failed, "A lease that’s "+page.Lowercase(l.Status)+" can’t be "+page.Lowercase(to)+".")
		return v.SeeOther(v.In("/leases/" + l.ID))
	}
	return form(v, v.Form())
}

func (p *leasePages) terminateForm(v *page.Request, f *page.Form) error {
	l, err := p.leaseHere(v)
	if err != nil {
		return err
	}
	today := v.Today()
	form := leaseUpdate.Form(kit.Form{
		Submit: "End lease",
		Danger: true,
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{
				Name:  "terminated_on",
				Label: "Last day",
				Kind:  "date",
				Value: today.String(),
				Least: l.StartDate.String(),
				Most:  today.String(),
				Hint:  "Today or an earlier day.",
			},
			{Name: "termination_reason", Label: "Reason", Lines: 3, Hint: "For your records."},
		}}},
	})
	form.Groups[0].Fields[0].Optional = false // no day is taken for granted
	return p.question(v, f, l, kit.Confirm{Title: "End the lease early?", Words: []string{
		l.RentalAddress + ", " + page.TermOf(l) + ".",
		"Unpaid rent for periods that begin after the last day is voided. Rent for the last period doesn’t change, and payments stay recorded. This can’t be undone.",
		"To end it on a later day, edit the lease and change its last day.",
	}, Form: form})
}

// question asks about a lease.
func (p *leasePages) question(v *page.Request, f *page.Form, l *portfolio.Lease, c kit.Confirm) error {
	c.Frame = v.Frame(c.Title)
	c.Form.Cancel, c.Form.Groups = v.In("/leases/"+l.ID), append(c.Form.Groups, page.VersionField(&l.Record))
	c.Form = f.Fill(c.Form)
	return v.ShowAs(f.Status, kit.ConfirmPage(c))
}

func (p *leasePages) terminate(v *page.Request) error {
	f := v.Form()
	f.Values.Set("status", string(portfolio.LeaseTerminated))
	if f.Text("terminated_on") == "" {
		f.Reject("terminated_on", "Enter the day the lease ends.")
	}
	u := leaseUpdate.Bind(v, f, "status", "terminated_on", "termination_reason")
	return p.endLease(v, f, u, p.terminateForm, "The lease has ended.")
}

func (p *leasePages) askVoid(v *page.Request) error {
	return p.ask(v, portfolio.LeaseVoided, p.voidForm)
}

func (p *leasePages) voidForm(v *page.Request, f *page.Form) error {
	l, err := p.leaseHere(v)
	if err != nil {
		return err
	}
	return p.question(v, f, l, kit.Confirm{Title: "Void the lease?", Words: []string{
		l.RentalAddress + ", " + page.TermOf(l) + ".",
		"Nobody can sign it after this, and it never takes effect. The record stays with the status Void. This can’t be undone.",
	}, Form: kit.Form{Submit: "Void lease", Danger: true}})
}

func (p *leasePages) voidLease(v *page.Request) error {
	return p.endLease(v, v.Form(), lease.Update{
		Status: change.To(portfolio.LeaseVoided),
	}, p.voidForm, "The lease is voided.")
}

// endLease ends a lease, or asks again with what is in the way.
func (p *leasePages) endLease(
	v *page.Request,
	f *page.Form,
	u lease.Update,
	again func(*page.Request, *page.Form) error,
	said string,
) error {
	l, err := p.leaseHere(v)
	if err != nil {
		return err
	}
	if f.Rejected() {
		return again(v, f)
	}
	made, err := p.Portfolio.Leases.UpdateLease(v.Ctx(), v.Actor(), change.Target{ID: l.ID, Version: f.Version()}, u)
	if f.Stale(err, strconv.FormatInt(l.Version, 10)) || f.Refused(err) {
		return again(v, f)
	}
	if err != nil {
		return err
	}
	if made.Before.Status == made.After.Status {
		err = fault.New(fault.InvalidTransition, "The lease is already %s.", page.Lowercase(made.After.Status))
		f.Refused(err)
		return again(v, f)
	}
	tone, said := page.Noted(said, made.Warnings)
	v.Say(tone, said)
	return v.SeeOther(v.In("/leases/" + l.ID))
}
