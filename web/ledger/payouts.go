package ledger

import (
	"net/http"
	"net/url"
	"strconv"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/portfolio"
	"portal/views/kit"
	"portal/web/page"
)

// payoutLines is how many payouts a page lists.
const payoutLines = 50

// payoutRoutes are the pages of payouts, and the form that answers a dispute.
func (p *Section) payoutRoutes() []page.Route {
	moved := page.With(id.Payment, p.Portfolio.Ledger.PaymentWithTransactions)
	return []page.Route{
		page.Get("/{mode}/payouts", page.Member, p.payouts),
		page.Get("/{mode}/payouts/:reference", page.Member, p.payout),
		page.Get("/{mode}/ledger/:id/dispute", page.Owner, moved(p.answerDispute)),
		page.Post("/{mode}/ledger/:id/dispute", page.Owner, moved(p.answerDispute)),
	}
}

var payoutStatuses = map[payment.PayoutStatus]kit.Status{
	payment.PayoutPending:  {Tone: kit.Waiting, Text: "On its way"},
	payment.PayoutPaid:     {Tone: kit.Done, Text: "Paid"},
	payment.PayoutFailed:   {Tone: kit.Failed, Text: "Failed"},
	payment.PayoutCanceled: {Tone: kit.Idle, Text: "Canceled"},
}

// payouts lists what the processor has sent to the landlord's bank.
func (p *Section) payouts(v *page.Request) error {
	var before *clock.Time
	if at, err := strconv.ParseInt(v.Form().Text("before"), 10, 64); err == nil {
		before = new(clock.Time(at))
	}
	all, err := p.Payments.Payouts(v.Ctx(), v.Actor(), before, payoutLines+1)
	if err != nil {
		return err
	}
	view := kit.Listing{
		Frame: v.Frame("Payouts"),
		Heading: kit.Heading{
			Title: "Payouts",
			About: "What the payment processor has sent to your bank: online payments, less fees and what went back.",
			Back:  kit.Link{Name: "Ledger", Path: v.In("/ledger")},
		},
	}
	if v.Mode() == access.Test {
		view.Heading.About = "Simulated: no money moves. Money that has cleared is paid out two business days later, " +
			"by the test clock."
	}
	older := ""
	if len(all) > payoutLines {
		all = all[:payoutLines]
		older = v.In("/payouts?before=" + strconv.FormatInt(int64(all[payoutLines-1].CreatedAt), 10))
	}
	view.Grid = kit.GridOf(kit.Table{
		Caption: "Payouts",
		Columns: []kit.Column{
			{Name: "Sent"},
			{Name: "Status", Width: kit.Medium},
			{Name: "At your bank", Width: kit.Date, Card: kit.CardDetail},
			{Name: "Amount", Right: true, Width: kit.Date, Card: kit.CardAmount},
		},
		Empty: kit.Empty{
			Title: "No payouts yet",
			Words: "Once tenants pay online, what the processor sends to your bank appears here.",
		},
	}, all, func(o *payment.KeptPayout) []kit.Cell {
		return []kit.Cell{
			{Text: page.Date(clock.DateOf(o.CreatedAt.Std(), v.Actor().Zone)), Path: payoutAt(v, o.Reference)},
			{Status: payoutStatuses[o.Status]},
			{Text: page.Date(o.ArrivesOn)},
			{Text: o.Amount.Dollars()},
		}
	})
	view.Grid.Pages.Next = older
	return v.Show(kit.ListingPage(view))
}

// payoutAt is the page of a payout.
func payoutAt(v *page.Request, reference string) string {
	return v.In("/payouts/" + url.PathEscape(reference))
}

var movementNames = map[payment.MovementKind]string{
	payment.MovedPayment: "Payment",
	payment.MovedRefund:  "Refund",
	payment.MovedReturn:  "Returned by the bank",
	payment.MovedDispute: "Dispute",
	payment.MovedFee:     "Fee of the processor",
	payment.MovedOther:   "Other",
}

// payout shows a payout and what it contains.
func (p *Section) payout(v *page.Request) error {
	o, err := p.Payments.Payout(v.Ctx(), v.Actor(), v.Param("reference"))
	if err != nil {
		return err
	}
	var came, fees money.Cents
	for i := range o.Movements {
		came, fees = came+o.Movements[i].Amount, fees+o.Movements[i].Fee
	}
	leases, err := p.paidLeases(v, o)
	if err != nil {
		return err
	}
	title := "Payout of " + o.Amount.Dollars()
	view := kit.Listing{
		Frame: v.Frame(title),
		Heading: kit.Heading{
			Title: title,
			About: payoutStatuses[o.Status].Text + ", at your bank on " + page.Date(
				o.ArrivesOn,
			) + ". Payments, less what went " +
				"back: " + came.Dollars() + ". Fees: " + fees.Dollars() + ". " + o.Reference,
			Back: kit.Link{Name: "Payouts", Path: v.In("/payouts")},
		},
		Primary: kit.Action{
			Name: "Charges in the ledger",
			Path: v.In("/ledger?" + url.Values{"payout": {o.Reference}}.Encode()),
		},
	}
	if o.Failure != "" {
		view.Notices = []kit.NoticeContent{{Tone: kit.Failed, Title: "The payout failed", Words: o.Failure}}
	}
	view.Grid = kit.GridOf(kit.Table{
		Caption: "What it contains",
		Columns: []kit.Column{
			{Name: "What"},
			{Name: "For", Card: kit.CardDetail},
			{Name: "Day", Width: kit.Date, Card: kit.CardHidden},
			{Name: "Amount", Right: true, Width: kit.Date, Card: kit.CardHidden},
			{Name: "Fee", Right: true, Width: kit.Date, Card: kit.CardHidden},
			{Name: "Net", Right: true, Width: kit.Date, Card: kit.CardAmount},
		},
		Empty: kit.Empty{Title: "Nothing in it", Words: "The processor has told nothing of what this payout contains."},
	}, o.Movements, func(m *payment.KeptMovement) []kit.Cell {
		what := kit.Cell{Text: movementNames[m.Kind]}
		place := kit.Cell{Text: m.Words}
		if m.AttemptID != nil && leases[*m.AttemptID].ID != "" {
			what.Path, place.Text = v.In("/ledger/"+leases[*m.AttemptID].row), leases[*m.AttemptID].name
		}
		return []kit.Cell{
			what,
			place,
			{Text: page.Date(clock.DateOf(m.At.Std(), v.Actor().Zone))},
			{Text: m.Amount.Dollars()},
			{Text: m.Fee.Dollars()},
			{Text: (m.Amount - m.Fee).Dollars()},
		}
	})
	return v.Show(kit.ListingPage(view))
}

// paidLease is what a payment in a payout was for.
type paidLease struct {
	ID, name string
	row      string // its first charge
}

// paidLeases are the leases of the payments in a payout, by the attempt.
func (p *Section) paidLeases(v *page.Request, o *payment.KeptPayout) (map[string]paidLease, error) {
	found, ids := map[string]paidLease{}, []string{}
	for i := range o.Movements {
		of := o.Movements[i].AttemptID
		if of == nil || found[*of].ID != "" {
			continue
		}
		a, err := p.Payments.Attempt(v.Ctx(), v.Actor(), *of)
		if err != nil {
			return nil, err
		}
		l := paidLease{ID: a.LeaseID}
		if len(a.Shares) > 0 {
			l.row = a.Shares[0].PaymentID
		}
		found[*of], ids = l, append(ids, a.LeaseID)
	}
	names, err := p.Portfolio.Finder.Called(v.Ctx(), v.Actor(), ids...)
	for of, l := range found {
		l.name = page.Called(names, l.ID)
		found[of] = l
	}
	return found, err
}

var disputeAnswered = page.InputOf[payment.DisputeAnswer]("answer_dispute")

// answerable is the attempt of a row whose dispute can be answered, nil for none.
func (p *Section) answerable(v *page.Request, row *portfolio.Payment) (*payment.Attempt, error) {
	if p.Payments == nil || !v.Owns() {
		return nil, nil //nolint:nilnil // none is no error
	}
	all, err := p.Payments.AttemptsOfPayment(v.Ctx(), v.Actor(), row.ID, mostAttempts)
	for i := range all {
		if all[i].Answerable(p.Payments.Today(v.Actor())) {
			return &all[i], err
		}
	}
	return nil, err
}

// answerDispute asks what speaks for the landlord in a dispute, and hands it on.
func (p *Section) answerDispute(v *page.Request, row *portfolio.PaymentWithTransactions) error {
	a, err := p.answerable(v, &row.Payment)
	if err != nil {
		return err
	}
	if a == nil {
		if v.Request().Method != http.MethodPost {
			return refer(v, &row.Payment, "it has no dispute that can be answered")
		}
		return v.RefuseAt(rowAt(v, &row.Payment), "This dispute can’t be answered anymore.")
	}
	words := []string{
		"Say why the payment of " + a.Amount.Dollars() + " is right: who paid it, for which home and months, and what the " +
			"lease says. The bank of the cardholder reads it and decides. You can answer once.",
	}
	if a.DisputeDueOn != nil {
		words = append(words, "Answer by "+page.Date(*a.DisputeDueOn)+". After that, the dispute is lost.")
	}
	if v.Mode() == access.Test {
		words = append(
			words,
			"This is a demo: an answer with the word winning_evidence wins after seven days of the test "+
				"clock, and any other one loses.",
		)
	}
	return serve(p, v, &row.Payment, page.RecordForm[payment.DisputeAnswer]{
		Contract: disputeAnswered, Title: "Answer a dispute", Submit: "Send the answer", Words: words,
		Advice: "The answer may have been sent. Look at the history of the charge before you send another one.",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{
				Name: "evidence", Label: "Your answer", Lines: 8,
				Hint: "Leave out passwords and account numbers.",
			},
		}}},
		Do: func(_ *page.Form, c payment.DisputeAnswer, t change.Target) error {
			if err := p.Payments.Answer(v.Ctx(), v.Actor(), t, a.ID, c); err != nil {
				return err
			}
			return v.Done(rowAt(v, &row.Payment), "Your answer was sent to the bank.")
		},
	})
}

// payoutFields filter the ledger by a payout.
func (p *Section) payoutFields() []kit.Field {
	if p.Payments == nil {
		return nil
	}
	return []kit.Field{{Name: "payout", Label: "Payout", Complete: "off", Longest: 100}}
}
