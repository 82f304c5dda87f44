package account

import (
	"strconv"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/api/texts"
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/page"
	"portal/web/related"
)

// rentAt is the address within a mode of the page that says whether rent is charged automatically.
const rentAt = "/settings/rent"

// mostPreviewed is how many rows and leases the page lists that asks before rent is charged automatically.
const mostPreviewed = 100

// rent says whether rent is charged automatically, and what that means.
func (p *settingsPages) rent(v *page.Request) error {
	now, err := p.Ledger.AutoChargeSetting(v.Ctx(), v.Actor())
	if err != nil {
		return err
	}
	view := views.Rent{
		Frame: v.Frame("Rent"),
		Tabs:  settingsTabs(v, "/"+string(access.Live)+rentAt),
		Demo:  v.Mode() == access.Test,
		Owner: v.Owns(),
		On:    now.On(),
		Live:  "/" + string(access.Live) + rentAt,
		Start: v.In(rentAt + "/on"),
		Stop:  v.In(rentAt + "/off"),
	}
	if now.On() {
		view.Since = page.Date(clock.DateOf(now.Since.Std(), v.Zone()))
	}
	if view.EmailsOn, err = p.Ledger.RentNotices(v.Ctx(), v.Actor()); err != nil {
		return err
	}
	if v.Owns() {
		view.Emails = &kit.Form{
			Action: v.In(rentAt + "/emails"),
			Submit: "Save",
			Groups: []kit.FieldGroup{{Fields: []kit.Field{{
				Name:    "emails",
				Label:   "Email tenants about rent",
				Kind:    "checkbox",
				Checked: view.EmailsOn,
			}}}},
		}
	}
	return v.Show(views.RentPage(view))
}

// saveRentEmails has tenants get emails about rent, or no longer.
func (p *settingsPages) saveRentEmails(v *page.Request) error {
	on := v.Form().Checked("emails")
	changed, err := p.Ledger.SetRentNotices(v.Ctx(), v.Actor(), on)
	if err != nil {
		return err
	}
	said := page.Unchanged
	switch {
	case changed && on:
		said = "Tenants get emails about rent from now on."
	case changed:
		said = "Tenants get no more emails about rent."
	}
	return v.Done(v.In(rentAt), said)
}

// startRent shows what would be charged first, and begins to charge rent automatically.
func (p *settingsPages) startRent(v *page.Request) error {
	made, err := p.Ledger.SetAutoCharge(v.Ctx(), v.Actor(), true)
	if err != nil {
		return err
	}
	said := page.Unchanged
	if !made.Before.On() {
		said = "Rent is charged automatically now. The first charges are in the ledger within the hour."
	}
	return v.Done(v.In(rentAt), said)
}

// previewRent asks before rent is charged automatically, with what would be charged first.
func (p *settingsPages) previewRent(v *page.Request) error {
	now, err := p.Ledger.AutoChargeSetting(v.Ctx(), v.Actor())
	if err != nil {
		return err
	}
	if now.On() || v.Mode() == access.Test {
		return v.SeeOther(v.In(rentAt))
	}
	found, err := p.Ledger.PreviewAutoCharge(v.Ctx(), v.Actor(), mostPreviewed)
	if err != nil {
		return err
	}
	view := views.RentPreview{
		Frame: v.Frame("Charge rent automatically"),
		Back:  kit.Link{Name: "Rent", Path: v.In(rentAt)},
		Sums: []kit.Term{
			{Name: "Charges", Text: texts.Grouped(strconv.Itoa(found.Count))},
			{Name: "Total", Text: found.Total.Dollars()},
			{Name: "Leases", Text: texts.Grouped(strconv.Itoa(found.Leases))},
			{Name: "Charged after", Text: page.Date(v.Today())},
		},
		Form: kit.Form{
			Action: v.In(rentAt + "/on"),
			Submit: "Charge rent automatically",
			Cancel: v.In(rentAt),
		},
		Rows:    firstCharges(v, found),
		Skipped: skippedLeases(v, found),
	}
	if found.Changes > 0 {
		view.Changed = changedCharges(v, found)
	}
	return v.Show(views.RentPreviewPage(view))
}

// firstOf says of how many lines a table shows the first, "" where it shows all.
func firstOf(shown int, all string) string {
	if shown < mostPreviewed || all == strconv.Itoa(shown) {
		return ""
	}
	return "The first " + strconv.Itoa(shown) + " of " + all
}

// firstCharges are the rows that would be written.
func firstCharges(v *page.Request, p *ledger.Preview) views.Previewed {
	return views.Previewed{
		Card: kit.Card{
			ID: "charges", Title: "First charges", Note: firstOf(len(p.Rows), texts.Grouped(strconv.Itoa(p.Count))),
		},
		Grid: kit.PartGrid(kit.Table{
			Caption: "First charges",
			Columns: []kit.Column{
				{Name: "Charge"},
				{Name: "Lease", Card: kit.CardDetail},
				{Name: "Tenant", Card: kit.CardDetail},
				{Name: "Due"},
				{Name: "Added"},
				{Name: "Amount", Right: true, Card: kit.CardAmount},
			},
			Empty: kit.Empty{Title: "No charges", Words: "No lease has anything that would be charged."},
		}, p.Rows, func(r *ledger.PreviewRow) []kit.Cell {
			added := "Within the hour"
			if r.On > v.Today() {
				added = page.Date(r.On)
			}
			return []kit.Cell{
				{Text: page.ChargeName(&r.Payment)},
				leaseCell(v, r.Lease),
				{Text: tenantOf(r)},
				{Text: page.Date(r.DueDate)},
				{Text: added},
				{Text: r.Amount.Dollars()},
			}
		}),
	}
}

// leaseCell leads to a lease by the address of its unit.
func leaseCell(v *page.Request, l *portfolio.Lease) kit.Cell {
	street, town := related.Place(l.RentalAddress)
	text, unit := related.Cut(street)
	return kit.Cell{Text: text, Tail: unit, Path: v.PathTo("leases", &l.ID), Faint: town}
}

// tenantOf is the name of the tenant whom a row would be charged to.
func tenantOf(r *ledger.PreviewRow) string {
	for _, t := range r.Lease.Tenants {
		if t.ID == r.TenantID {
			return t.Name
		}
	}
	return ""
}

// changedCharges are the rows in the ledger that would follow their leases.
func changedCharges(v *page.Request, p *ledger.Preview) *views.Previewed {
	return &views.Previewed{
		Card: kit.Card{
			ID: "changed", Title: "Charges that would change",
			Note: firstOf(len(p.Changed), texts.Grouped(strconv.Itoa(p.Changes))),
		},
		Grid: kit.PartGrid(kit.Table{
			Caption: "Charges that would change",
			Columns: []kit.Column{
				{Name: "Charge"},
				{Name: "Lease", Card: kit.CardDetail},
				{Name: "Now"},
				{Name: "Then", Card: kit.CardAmount},
			},
		}, p.Changed, func(r *ledger.PreviewRow) []kit.Cell {
			then := r.Amount.Dollars() + ", due " + page.Date(r.DueDate)
			if r.Status.Payable() != r.Before.Status.Payable() {
				then = page.Label(r.Status)
			}
			return []kit.Cell{
				{Text: page.ChargeName(r.Before), Path: v.PathTo("ledger", &r.ID)},
				leaseCell(v, r.Lease),
				{Text: r.Before.Amount.Dollars() + ", due " + page.Date(r.Before.DueDate)},
				{Text: then},
			}
		}),
	}
}

// skipWords say why nothing would be charged for a lease.
var skipWords = map[ledger.SkipReason]string{
	ledger.SkipEnded:   "It has ended.",
	ledger.SkipNoRent:  "It has no rent and no monthly fees.",
	ledger.SkipCharged: "Everything until its end is charged or due already.",
}

// skippedLeases are those that nothing would be charged for.
func skippedLeases(v *page.Request, p *ledger.Preview) views.Previewed {
	return views.Previewed{
		Card: kit.Card{ID: "skipped", Title: "Leases without charges", Note: firstOf(len(p.Skipped), p.Skips.Words())},
		Grid: kit.PartGrid(kit.Table{
			Caption: "Leases without charges",
			Columns: []kit.Column{{Name: "Lease"}, {Name: "Reason", Card: kit.CardDetail}},
			Empty:   kit.Empty{Title: "None", Words: "Each lease would be charged something."},
		}, p.Skipped, func(l *ledger.SkippedLease) []kit.Cell {
			return []kit.Cell{
				leaseCell(v, l.Lease),
				{Text: skipWords[l.Reason]},
			}
		}),
	}
}

// stopRent asks before rent is charged automatically no longer, and stops it.
func (p *settingsPages) stopRent(v *page.Request) error {
	return page.Question{
		Title: "Stop charging rent automatically?",
		Words: []string{
			"From now on you add each charge yourself: rent, monthly fees, late fees, and fees for returned payments. " +
				"Charges in the ledger stay, also those that aren’t due yet. Void the ones that nobody should pay.",
			"If you turn it on again, nothing is charged for the time between.",
		},
		Form: kit.Form{Submit: "Stop charging rent", Danger: true},
		Back: v.In(rentAt),
		Do: func(_ *page.Form, _ change.Target) error {
			made, err := p.Ledger.SetAutoCharge(v.Ctx(), v.Actor(), false)
			if err != nil {
				return err
			}
			said := page.Unchanged
			if made.Before.On() {
				said = "Rent is no longer charged automatically."
			}
			return v.Done(v.In(rentAt), said)
		},
	}.Serve(v)
}
