package lease

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"portal/api/change"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/language"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/api/portfolio/ledger/statement"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/page"
)

// depositRoutes are the pages that settle the deposit of a lease.
func (p *leasePages) depositRoutes() []page.Route {
	of := page.With(id.Lease, p.Portfolio.Leases.Lease)
	return []page.Route{
		page.Get("/{mode}/leases/:id/deposit", page.Owner, of(p.returnDeposit)).Confirmed(),
		page.Post("/{mode}/leases/:id/deposit", page.Owner, of(p.returnDeposit)).Confirmed().Once(),
		page.Get("/{mode}/leases/:id/deposit.pdf", page.Member, of(p.depositPDF)).Generates(),
	}
}

// withDeposit adds to the page of a lease whose tenancy is over how its deposit stands.
func (p *leasePages) withDeposit(v *page.Request, l *portfolio.Lease, view *views.Lease) error {
	if l.TenancyEnded() == nil {
		return nil
	}
	d, err := p.Portfolio.Ledger.Deposit(v.Ctx(), v.Actor(), l.ID)
	if err != nil || !d.Over {
		return err
	}
	at := v.In("/leases/" + l.ID + "/deposit")
	if d.Statement != nil {
		view.Deposit = settledDeposit(d.Statement)
		view.Deposit.Settled = true
		view.Deposit.Actions = []kit.Action{{Name: "Download statement", Path: at + ".pdf", Icon: "download"}}
		return nil
	}
	view.Deposit = &views.Deposit{Title: "Deposit", Facts: depositFacts(d)}
	if d.Held+d.Credit() > 0 {
		view.Deposit.Facts = append(view.Deposit.Facts, kit.Term{Name: "Held", Text: d.Held.Dollars()})
		if v.Owns() {
			view.Deposit.Actions = []kit.Action{{Name: "Return deposit", Path: at, Icon: "receipt"}}
		} else {
			view.Deposit.Words = "An owner of the account returns the deposit."
		}
		if left := int(d.Deadline - v.Today()); d.Commercial {
			view.Deposit.Status = kit.Status{Tone: kit.Waiting, Text: "Not returned"}
		} else if left < 0 {
			view.Deposit.Status = kit.Status{Tone: kit.Failed, Text: page.Counted(-left, "day") + " late"}
		} else {
			view.Deposit.Status = kit.Status{Tone: kit.Waiting, Text: "Due " + page.Date(d.Deadline)}
		}
	} else {
		view.Deposit.Words = "Nothing is held of the tenants’ deposit."
	}
	return nil
}

// depositFacts are when the state has a deposit returned, and where that is said.
func depositFacts(d *ledger.Deposit) []kit.Term {
	ended := kit.Term{Name: "Tenancy ended", Text: page.Date(*d.EndedOn)}
	if d.Commercial {
		return []kit.Term{ended, {Name: "Deadline", Text: "None", Note: ledger.NoDeadline}}
	}
	days := page.Counted(d.Rules.Deposit.ReturnDays, "day") + " after the end of the tenancy"
	source, verified := d.Citation()
	switch {
	case source == "":
		source = "no statute in our table"
	case !verified:
		source += ", not checked against a source"
	}
	facts := []kit.Term{
		ended,
		{Name: "Deadline in " + string(d.Rules.State), Text: page.Date(d.Deadline), Note: days + " (" + source + ")"},
	}
	for _, c := range d.Rules.Deposit.ReturnCases {
		facts = append(facts, kit.Term{
			Name: "Other deadline",
			Text: page.Date(d.EndedOn.AddDays(c.Days)),
			Note: fmt.Sprintf("%s: %s (%s)", strings.TrimSuffix(c.When, "."), page.Counted(c.Days, "day"), c.Citation),
		})
	}
	return facts
}

// settledDeposit is a statement as the page of its lease shows it.
func settledDeposit(s *portfolio.DepositStatement) *views.Deposit {
	deadline := "None"
	if s.Deadline != 0 {
		deadline = page.Date(s.Deadline)
	}
	view := &views.Deposit{
		Title:  "Deposit statement",
		Status: kit.Status{Tone: kit.Done, Text: "Returned"},
		Facts: []kit.Term{
			{Name: "Tenancy ended", Text: page.Date(s.EndedOn)},
			{Name: "Deadline", Text: deadline},
			{Name: "Held", Text: s.Held.Dollars()},
		},
	}
	for _, line := range s.Content.Lines {
		amount := -line.Amount
		if line.Kind == portfolio.DepositCredit {
			amount = line.Amount
		}
		view.Facts = append(view.Facts, kit.Term{Name: line.Text, Text: amount.Dollars()})
	}
	back := kit.Term{Name: "Went back", Text: s.Refunded.Dollars()}
	if s.Method != nil {
		back.Note = "on " + page.Date(s.PaidOn) + " by " + statement.Method(*s.Method, language.English)
		if s.Reference != nil {
			back.Note += ", " + *s.Reference
		}
	}
	view.Facts = append(view.Facts, back)
	return view
}

// depositPDF is the statement of the deposit.
func (p *leasePages) depositPDF(v *page.Request, l *portfolio.Lease) error {
	d, err := p.Portfolio.Ledger.Deposit(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return err
	}
	if d.Statement == nil {
		return fault.NotFound("statement")
	}
	content, err := statement.Deposit(d.Statement, language.English)
	if err != nil {
		return err
	}
	return v.Send.OwnPDF("deposit-statement", content)
}

var depositReturned = page.InputOf[ledger.DepositReturn]("return_deposit")

// moreLines is how many empty deductions a form shows at first, and how many more on demand.
const moreLines = 5

// returnDeposit asks what is taken out of a deposit and how the rest goes back, and makes the statement.
func (p *leasePages) returnDeposit(v *page.Request, l *portfolio.Lease) error {
	at := v.In("/leases/" + l.ID)
	d, err := p.Portfolio.Ledger.Deposit(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return err
	}
	if v.Request().Method != http.MethodPost {
		switch {
		case d.Statement != nil:
			return v.RefuseAt(at, "The lease has a deposit statement.")
		case !d.Over:
			return v.RefuseAt(at, "The deposit goes back after the tenancy.")
		case d.Held+d.Credit() <= 0:
			return v.RefuseAt(at, "Nothing is held of the tenants’ deposit.")
		case d.UnderWay:
			return v.RefuseAt(at, "A payment of the tenants is under way. Wait until it has cleared.")
		}
	}
	changes, err := p.Portfolio.Conditions.Changes(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return err
	}
	lines := depositLines(v)
	return page.RecordForm[ledger.DepositReturn]{
		Contract: depositReturned,
		Title:    "Return deposit",
		About:    l.RentalAddress,
		Words:    slices.Concat(depositWords(d, v), changedWords(changes)),
		Back:     kit.Link{Name: "The lease", Path: at},
		Submit:   "Return deposit",
		Record:   &l.Record,
		Groups:   depositGroups(d, v, lines),
		Other:    page.Other{Button: "Show total and more lines"},
		Place: func(f *page.Form) {
			for i := range lines {
				if name := fmt.Sprintf("deductions.%d.amount", i); f.Text(name) != "" {
					f.Move("deductions", name)
				}
			}
		},
		Check: func(f *page.Form, r *ledger.DepositReturn) {
			if f.Version() == nil {
				f.Outdated()
			}
			r.Seen = new(f.Text("seen"))
		},
		Do: func(f *page.Form, r ledger.DepositReturn, t change.Target) error {
			made, err := p.Portfolio.Ledger.ReturnDeposit(v.Ctx(), v.Actor(), t, r)
			if f.Stale(err, strconv.FormatInt(l.Version, 10),
				"The lease or its ledger has changed. Check the amounts and send the form again.") {
				f.Values.Set("seen", d.Seen())
			}
			if err != nil {
				return err
			}
			return v.Done(at, made.After.Refunded.Dollars()+" went back. The statement is ready.")
		},
	}.Serve(v)
}

// mostChanges is how many items whose condition has changed the form names.
const mostChanges = 20

// changedWords say which items are in another condition than at moving in: the statement has them beside each other.
func changedWords(c *portfolio.ConditionChanges) (words []string) {
	if c == nil || len(c.Items) == 0 {
		return nil
	}
	words = []string{"By the reports of the condition of the home, these items have changed. The statement shows them."}
	for i := range c.Items[:min(len(c.Items), mostChanges)] {
		x := &c.Items[i]
		words = append(
			words,
			fmt.Sprintf("%s, %s. At moving in: %s. At moving out: %s.", x.Room.English, x.Item.English,
				x.MovedIn.English, x.MovedOut.English),
		)
	}
	if more := len(c.Items) - mostChanges; more > 0 {
		words = append(words, "And "+page.Counted(more, "other item")+".")
	}
	return words
}

// depositLines is how many deductions a form shows: more of them each time that its second button is pressed.
func depositLines(v *page.Request) int {
	lines := moreLines
	if n, err := strconv.Atoi(v.Form().Text("lines")); err == nil && n > lines {
		lines = n
	}
	if v.Request().URL.Query().Has("other") && v.Request().Method == http.MethodPost {
		lines += moreLines
	}
	lines = min(lines, ledger.MostDeductions)
	if v.Request().PostForm != nil {
		v.Request().PostForm.Set("lines", strconv.Itoa(lines))
	}
	return lines
}

func depositGroups(d *ledger.Deposit, v *page.Request, lines int) []kit.FieldGroup {
	taken := kit.FieldGroup{Title: "Deductions", About: "Empty lines are left out. The tenants read the text."}
	for i := range lines {
		at, label := fmt.Sprintf("deductions.%d.", i), fmt.Sprintf("Deduction %d", i+1)
		taken.Fields = append(taken.Fields,
			kit.Field{Name: at + "text", Label: label, Optional: true, Unmarked: true},
			kit.Field{Name: at + "amount", Label: label + ": amount", Beside: true, Optional: true, Unmarked: true})
	}
	if owed := d.Owes(); owed == 0 {
		taken.Fields = append(taken.Fields, kit.Field{Name: "owed", Kind: "hidden"})
	} else {
		taken.Fields = append(taken.Fields, kit.Field{
			Name: "owed", Kind: "checkbox", Checked: true,
			Label: "Take out " + owed.Dollars() + " that is owed for rent and fees",
			Hint:  "The oldest first, as far as the deposit is enough. What is left stays owed.",
		})
	}
	taken.Fields = append(taken.Fields,
		kit.Field{Name: "lines", Kind: "hidden", Value: strconv.Itoa(lines)},
		kit.Field{Name: "seen", Kind: "hidden", Value: d.Seen()})
	back := kit.FieldGroup{Title: "What goes back", Fields: []kit.Field{
		{
			Name: "method", Label: "How it goes back", Kind: "radios", Optional: true, Unmarked: true,
			Choices: page.Choices([]string{"check", "cash", "money_order", "bank_transfer", "other"}, "", ""),
		},
		{Name: "reference", Label: "Reference", Hint: "For example, the check number."},
		{Name: "paid_on", Label: "Returned on", Value: v.Today().String(), Most: v.Today().String()},
	}}
	if d.Recorded {
		return []kit.FieldGroup{taken, back}
	}
	held := kit.FieldGroup{Title: "Deposit", Fields: []kit.Field{
		{
			Name:  "held",
			Label: "Deposit held",
			Value: d.Held.String(),
			Hint: "The ledger has no deposit of this lease, so this is what the lease says. Change it if you hold another " +
				"amount. It’s recorded as paid on the first day of the lease.",
		},
	}}
	return []kit.FieldGroup{held, taken, back}
}

// depositWords say what is held, and what goes back by what was typed so far.
func depositWords(d *ledger.Deposit, v *page.Request) []string {
	f, held := v.Form(), d.Held
	if typed, err := money.Parse(f.Text("held")); err == nil && !d.Recorded && f.Text("held") != "" {
		held = typed
	}
	words := []string{fmt.Sprintf("%s is held. Return it by %s, less what you deduct.",
		held.Dollars(), page.Date(d.Deadline))}
	if d.Commercial {
		words = []string{held.Dollars() + " is held. Return it, less what you deduct.", ledger.NoDeadline}
	}
	if credit := d.Credit(); credit > 0 {
		words = append(words, credit.Dollars()+" is credited to the tenants and goes back too.")
	}
	if v.Request().Method != http.MethodPost {
		return append(words, "The tenants are emailed a statement. This can’t be undone.")
	}
	left := held
	for i := range ledger.MostDeductions {
		text := strings.NewReplacer(",", "", " ", "", "$", "").Replace(f.Text(fmt.Sprintf("deductions.%d.amount", i)))
		if amount, err := money.Parse(text); err == nil {
			left -= amount
		}
	}
	if f.Checked("owed") && left > 0 {
		left -= min(left, d.Owes())
	}
	return append(
		words,
		"As typed, "+(max(left, 0)+d.Credit()).Dollars()+" goes back. The tenants are emailed a statement. "+
			"This can’t be undone.",
	)
}
