// Package ledger is the pages of the rent ledger.
//
// It knows no other section and no SQL.
package ledger

import (
	"slices"
	"strings"
	"time"

	"portal/api/id"
	"portal/api/language"
	"portal/api/list"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/ledger/statement"
	"portal/api/portfolio/records"
	"portal/views/kit"
	views "portal/views/ledger"
	"portal/web/listing"
	"portal/web/page"
	"portal/web/related"
)

// Config is what the pages of the rent ledger need.
type Config struct {
	Portfolio *records.Service
	Reports   *report.Reports
	Payments  *simulated.Payments // nil: nothing is paid online
}

// Section is the pages of the rent ledger.
type Section struct {
	*page.Shell
	Config
}

// New makes the section on the shell of all pages.
func New(shell *page.Shell, c Config) *Section {
	return &Section{shell, c}
}

// Routes are the pages of the section.
func (p *Section) Routes() []page.Route {
	lease := page.With(id.Lease, p.Portfolio.Leases.Lease)
	of := page.With(id.Payment, p.Portfolio.Ledger.Payment)
	moved := page.With(id.Payment, p.Portfolio.Ledger.PaymentWithTransactions)
	routes := []page.Route{
		page.Get("/{mode}/leases/:id/charge", page.Member, lease(p.newCharge)),
		page.Post("/{mode}/leases/:id/charge", page.Member, lease(p.newCharge)).Once(),
		page.Get("/{mode}/ledger", page.Member, p.ledger),
		page.Get("/{mode}/ledger.csv", page.Member, p.exportLedger),
		page.Get("/{mode}/ledger/transactions.csv", page.Member, p.exportTransactions),
		page.Get("/{mode}/ledger/statement", page.Member, p.askStatement),
		page.Get("/{mode}/ledger/statement.pdf", page.Member, p.statementPDF).Generates(),
		page.Get("/{mode}/ledger/statement.csv", page.Member, p.statementCSV).Generates(),
		page.Get("/{mode}/ledger/new", page.Member, p.pickLease),
		page.Get("/{mode}/ledger/:id", page.Member, moved(p.charge)),
		page.Get("/{mode}/ledger/:id/payments/:transaction/receipt.pdf", page.Member, of(p.receipt)).Generates(),
		page.Get("/{mode}/ledger/:id/record", page.Member, of(p.recordPayment)),
		page.Post("/{mode}/ledger/:id/record", page.Member, of(p.recordPayment)).Once(),
		page.Get("/{mode}/ledger/:id/correct", page.Member, moved(p.correctPayment)),
		page.Post("/{mode}/ledger/:id/correct", page.Member, moved(p.correctPayment)),
		page.Get("/{mode}/ledger/:id/forgive", page.Member, of(p.forgivePart)),
		page.Post("/{mode}/ledger/:id/forgive", page.Member, of(p.forgivePart)),
		page.Get("/{mode}/ledger/:id/void", page.Member, of(p.voidCharge)),
		page.Post("/{mode}/ledger/:id/void", page.Member, of(p.voidCharge)),
	}
	if p.Payments == nil {
		return routes
	}
	return append(
		append(routes, p.payoutRoutes()...),
		page.Get("/{mode}/ledger/:id/refund", page.Owner, moved(p.refundPayment)).Confirmed(),
		page.Post("/{mode}/ledger/:id/refund", page.Owner, moved(p.refundPayment)).Confirmed(),
	)
}

// pickLease asks for which home a charge is added, and leads on to the form of its lease.
func (p *Section) pickLease(v *page.Request) error {
	heading := kit.Heading{
		Title: "Add charge",
		About: "Choose the home. The charge is added to its current lease.",
		Back:  kit.Link{Name: "Ledger", Path: v.In("/ledger")},
	}
	unit := v.Form().Text("unit_id")
	if !id.Valid(id.Unit, unit) {
		return related.UnitPicker{Portfolio: p.Portfolio}.Pick(v, heading, "/ledger/new")
	}
	home, err := p.Portfolio.Homes.Home(v.Ctx(), v.Actor(), unit)
	if err != nil {
		return err
	}
	if home.Unit.CurrentLeaseID == nil {
		return v.RefuseAt(v.In("/units/"+unit), "No lease is active here, so nothing can be charged.")
	}
	return v.SeeOther(v.In("/leases/" + *home.Unit.CurrentLeaseID + "/charge"))
}

// ledgerFilter is what the address asks for of the ledger.
func (p *Section) ledgerFilter(v *page.Request) (portfolio.PaymentFilter, error) {
	f := v.Form()
	named, err := related.Named(v, p.Portfolio.Finder)
	if payout := f.Text("payout"); err == nil && payout != "" && p.Payments != nil {
		named, err = p.Payments.RowsOf(v.Ctx(), v.Actor(), payout)
	}
	return portfolio.PaymentFilter{
		Named:      named,
		Query:      listing.Query(v, id.Payment, portfolio.PaymentSorts()),
		Status:     portfolio.PaymentStatus(f.Among("status", portfolio.PaymentStatus("").Values())),
		Type:       portfolio.PaymentType(f.Among("type", portfolio.PaymentType("").Values())),
		Method:     portfolio.PaymentMethod(f.Among("method", portfolio.PaymentMethod("").Values())),
		LeaseID:    f.ID("lease_id", id.Lease),
		TenantID:   f.ID("tenant_id", id.Tenant),
		PropertyID: f.ID("property_id", id.Property),
		UnitID:     f.ID("unit_id", id.Unit),
		DueAfter:   f.Day("due_after"),
		DueBefore:  f.Day("due_before"),
		Overdue:    yesOrNo(f, "overdue"),
	}, err
}

// ledgerParts are the tabs of the ledger.
var ledgerParts = []listing.Part{
	{Name: "Due", Status: string(portfolio.PaymentDue)},
	{Name: "Partially paid", Status: string(portfolio.PaymentPartiallyPaid)},
	{Name: "Processing", Status: string(portfolio.PaymentProcessing)},
	{Name: "Paid", Status: string(portfolio.PaymentSucceeded)},
	{Name: "Failed", Status: string(portfolio.PaymentFailed)},
	{Name: "Scheduled", Status: string(portfolio.PaymentScheduled)},
}

func (p *Section) ledger(v *page.Request) error {
	filter, err := p.ledgerFilter(v)
	if err != nil {
		return err
	}
	ctx, by := v.Ctx(), v.Actor()
	found, tiles, err := page.Both(
		func() (listed, error) { return p.listed(v, filter) },
		func() ([]ledger.Totals, error) { return p.tiles(ctx, by, filter) },
	)
	if err != nil {
		return err
	}
	fields, err := p.ledgerFields(v, filter)
	if err != nil {
		return err
	}
	view := listing.List{
		Title: "Ledger", Path: "/ledger", Ask: "Filter the ledger", Fields: fields, Orders: portfolio.PaymentSorts(),
	}.View(v)
	view.Frame = view.Frame.With("charts.css")
	view.Primary = kit.Action{Name: "Add charge", Path: v.In("/ledger/new"), Icon: "plus"}
	view.Exports = []kit.Action{{
		Name: "Export transactions", Path: listing.Export(v, "/ledger/transactions.csv"), Icon: "download",
	}}
	view.Other = append(view.Other, kit.Action{
		Name: "Owner’s statement", Path: ownerStatementAt(v, filter.PropertyID), Icon: "receipt",
	})
	if p.Payments != nil {
		view.Other = append(view.Other, kit.Action{Name: "Payouts", Path: v.In("/payouts"), Icon: "receipt"})
	}
	view.Tiles = ledgerTiles(view.Filters, tiles)
	if view.Grid, err = p.chargeGrid(v, ledgerTable(v, view.Filters), found.Data); err != nil {
		return err
	}
	view.Grid.Pages = listing.Pages(v, found.NextCursor, len(found.Data), found.counts)
	if view.Note = related.Note(filter.Named); view.Note != "" {
		view.Export, view.Exports = "", nil
	} else {
		view.Grid.Sum = sumLine(found.total, found.Data)
	}
	view.Tabs = listing.Tabs(v, view.Filters, ledgerParts, found.counts)
	return v.Show(kit.ListingPage(view))
}

// listed is what the list shows.
type listed struct {
	*list.Page[portfolio.Payment]
	counts list.Counts[portfolio.PaymentStatus] // nil where the search goes through a part of what it has found
	total  ledger.Totals
}

// listed reads the rows of the page that is asked for, how many there are of each status, and their total.
func (p *Section) listed(v *page.Request, filter portfolio.PaymentFilter) (found listed, err error) {
	ctx, by := v.Ctx(), v.Actor()
	found.counts, err = related.Counts(filter.Named, func() (list.Counts[portfolio.PaymentStatus], error) {
		return p.Portfolio.Ledger.PaymentCounts(ctx, by, filter)
	})
	if err != nil || listing.Vacant(v, found.counts) {
		found.Page = &list.Page[portfolio.Payment]{}
		return found, err
	}
	found.Page, found.total, err = page.Both(
		func() (*list.Page[portfolio.Payment], error) { return p.Portfolio.Ledger.Payments(ctx, by, filter) },
		func() (ledger.Totals, error) { return p.total(ctx, by, filter, listing.Total(v, found.counts)) },
	)
	return found, err
}

func ledgerTable(v *page.Request, f kit.Filters) kit.Table {
	return kit.Table{
		Caption: "Ledger",
		Columns: []kit.Column{
			{Name: "Charge"},
			{Name: "Tenant and unit", Card: kit.CardDetail},
			{Name: "Due", Width: kit.Date, Card: kit.CardHidden},
			{Name: "Status", Width: kit.Medium},
			{Name: "Amount", Right: true, Width: kit.Date, Card: kit.CardHidden},
			{Name: "Paid", Right: true, Width: kit.Date, Card: kit.CardHidden},
			{Name: "Balance", Right: true, Width: kit.Date, Card: kit.CardAmount},
		},
		Empty: listing.Empty(f, "charges", kit.Empty{
			Title:  "No charges yet",
			Words:  "Rent, deposits, and fees of all leases, with what was paid.",
			Action: kit.Link{Name: "View leases", Path: v.In("/leases")},
		}),
	}
}

// yesOrNo is a choice between yes and no, nil for neither.
func yesOrNo(f *page.Form, name string) *bool {
	switch f.Text(name) {
	case "true":
		return new(true)
	case "false":
		return new(false)
	}
	return nil
}

func (p *Section) ledgerFields(v *page.Request, filter portfolio.PaymentFilter) ([]kit.Field, error) {
	given, err := related.Given(
		v, p.Portfolio.Finder, filter.LeaseID, filter.PropertyID, filter.UnitID, filter.TenantID,
	)
	return append([]kit.Field{
		related.Search(),
		{Name: "overdue", Label: "Overdue", Kind: "select", Choices: []kit.Choice{
			{Label: "All"},
			{Value: "true", Label: "Overdue"},
			{Value: "false", Label: "Not overdue"},
		}},
		listing.Status(v, ledgerParts, portfolio.PaymentStatus("").Values()),
		listing.Choice[portfolio.PaymentType]("type", "Type"),
		listing.Choice[portfolio.PaymentMethod]("method", "Method"),
		{Name: "due_after", Label: "After", Kind: "date", Group: "Due"},
		{Name: "due_before", Label: "Before", Kind: "date", Group: "Due"},
	}, append(given, p.payoutFields()...)...), err
}

// chargeGrid is rows with the names of the tenants who owe them, and where.
func (p *Section) chargeGrid(v *page.Request, table kit.Table, rows []portfolio.Payment) (kit.Grid, error) {
	var ids []string
	for i := range rows {
		ids = append(ids, rows[i].TenantID, rows[i].LeaseID)
	}
	names, err := p.Portfolio.Finder.Called(v.Ctx(), v.Actor(), ids...)
	return kit.GridOf(table, rows, func(c *portfolio.Payment) []kit.Cell {
		street, _ := related.Place(names[c.LeaseID])
		return []kit.Cell{
			{Text: shortName(page.ChargeName(c)), Path: v.In("/ledger/" + c.ID)},
			{Text: names[c.TenantID], Faint: "· " + street},
			{Text: page.Date(c.DueDate)},
			{Status: page.ChargeStatus(c)},
			{Text: c.Amount.Dollars()},
			{Text: c.AmountPaid.Dollars()},
			{Text: c.BalanceDue.Dollars()},
		}
	}), err
}

// shortName is the name of a charge that a column of the list holds whole: Rent, Sep 2026.
func shortName(name string) string {
	what, when, _ := strings.Cut(name, " for ")
	month, err := time.Parse("January 2006", when)
	if err != nil {
		return name
	}
	return what + ", " + month.Format("Jan 2006")
}

func (p *Section) charge(v *page.Request, charge *portfolio.PaymentWithTransactions) error {
	row := &charge.Payment
	names, err := p.Portfolio.Finder.Called(v.Ctx(), v.Actor(), row.TenantID, row.LeaseID)
	if err != nil {
		return err
	}
	at := v.In("/ledger/" + row.ID)
	r := kit.Record{
		Frame: v.Frame(page.ChargeName(row)),
		Heading: kit.Heading{
			Title:  page.ChargeName(row),
			About:  page.Called(names, row.TenantID) + " · " + page.Called(names, row.LeaseID),
			Status: page.ChargeStatus(row),
		},
		Facts: []kit.Facts{chargeFacts(v, row, names), page.RecordFacts(v, &row.Record)},
	}
	if row.Payable() {
		r.Primary = kit.Action{Name: "Record payment", Path: at + "/record", Icon: "plus"}
	}
	if len(correctable(charge)) > 0 {
		r.Menu = append(r.Menu, kit.Action{Name: "Correct a payment…", Path: at + "/correct", How: kit.Asks})
	}
	if forgivable(row) {
		r.Menu = append(r.Menu, kit.Action{Name: "Forgive a part…", Path: at + "/forgive", How: kit.Asks})
	}
	if row.Voidable() {
		r.Menu = append(r.Menu, kit.Action{Name: "Void charge…", Path: at + "/void", How: kit.Asks, Bad: true})
	}
	if row.Status == portfolio.PaymentFailed && row.FailureMessage != nil {
		r.Notices = []kit.NoticeContent{{
			Tone:  kit.Failed,
			Title: "The latest payment failed",
			Words: *row.FailureMessage,
		}}
	}
	refundable, err := p.refundable(v, charge)
	if err != nil {
		return err
	}
	online, err := p.online(v, row)
	if err != nil {
		return err
	}
	if disputed, err := p.answerable(v, row); err != nil {
		return err
	} else if disputed != nil {
		r.Notices = append(r.Notices, kit.NoticeContent{
			Tone:  kit.Waiting,
			Title: "A payment is disputed",
			Words: "The money has gone back until the bank decides. Answer by " + page.DateOr(
				disputed.DisputeDueOn,
			) + ".",
			Action: kit.Action{Name: "Answer the dispute", Path: at + "/dispute"},
		})
	}
	return v.Show(views.ChargePage(views.Charge{
		Record: r, Sums: sumsOf(charge), History: chargeHistory(v, charge, refundable), Online: online,
	}))
}

// sumsOf are the amounts of a row.
func sumsOf(p *portfolio.PaymentWithTransactions) []kit.Term {
	if p.Amount < 0 && !p.Forgiven() {
		return []kit.Term{
			{Name: "Credit", Text: p.Amount.Dollars()},
			{Name: "Used", Text: (-p.AmountPaid).Dollars()},
			{Name: "Left", Text: (-p.BalanceDue).Dollars()},
			{Name: "Since", Text: page.Date(p.DueDate)},
		}
	}
	paid := "Paid"
	for i := range p.Transactions {
		switch t := &p.Transactions[i]; {
		case t.Kind != portfolio.TransactionCorrection || t.Corrects != nil:
		case byCredit(t):
			paid = "Paid or credited"
		default:
			paid = "Paid or forgiven"
		}
	}
	return []kit.Term{
		{Name: "Amount", Text: p.Amount.Dollars()},
		{Name: paid, Text: p.AmountPaid.Dollars()},
		{Name: "Balance", Text: p.BalanceDue.Dollars()},
		{Name: "Due", Text: page.Date(p.DueDate)},
	}
}

// byCredit reports whether a transaction is one of the two by which a credit pays a charge.
func byCredit(t *portfolio.Transaction) bool {
	return t.Kind == portfolio.TransactionCorrection && t.Corrects == nil && t.Reason == nil
}

// chargeHistory is what has happened to a row, the newest first. Some payments can be refunded.
func chargeHistory(
	v *page.Request, p *portfolio.PaymentWithTransactions, some []refundable,
) (all []views.Movement) {
	for i := range slices.Backward(p.Transactions) {
		m := views.Movement{Moment: movement(v, &p.Transactions[i])}
		if ledger.Receipted(&p.Payment, &p.Transactions[i]) {
			m.Receipt = v.In("/ledger/" + p.ID + "/payments/" + p.Transactions[i].ID + "/receipt.pdf")
			m.Label = "Receipt (PDF) for the payment of " + p.Transactions[i].Amount.Dollars()
		}
		for _, r := range some {
			if r.ID == p.Transactions[i].ID {
				m.Refund = kit.Link{
					Name: "Refund the payment of " + r.Amount.Dollars(), Path: refundAt(v, &p.Payment, r.ID),
				}
			}
		}
		all = append(all, m)
	}
	added := "Charge added"
	if p.Amount < 0 {
		added = "Credit added"
	}
	return append(all, views.Movement{Moment: kit.Moment{
		Title: added, Status: kit.Status{Tone: kit.Idle, Text: page.Label(p.Type)}, Time: v.Time(p.CreatedAt),
	}})
}

// receipt is the receipt of a payment of a row as PDF.
func (p *Section) receipt(v *page.Request, row *portfolio.Payment) error {
	r, err := p.Portfolio.Ledger.Receipt(v.Ctx(), v.Actor(), row.ID, v.Param("transaction"))
	if err != nil {
		return err
	}
	content, err := statement.Receipt(r, language.English, v.Shell.Now())
	if err != nil {
		return err
	}
	return v.Send.OwnPDF("receipt", content)
}

// moveName names a movement of money: Payment of $400.00, check, no. 101.
func moveName(t *portfolio.Transaction) string {
	amount := max(t.Amount, -t.Amount).Dollars()
	name := "Payment of " + amount
	if byCredit(t) {
		if t.Amount < 0 {
			return amount + " used for another charge"
		}
		return amount + " paid by a credit"
	}
	switch t.Kind {
	case portfolio.TransactionPayment:
	case portfolio.TransactionRefund:
		name = "Refund of " + amount
	case portfolio.TransactionReturn:
		name = amount + " returned by the bank"
	case portfolio.TransactionDispute:
		name = amount + " disputed"
		if t.Amount > 0 {
			name = amount + " back, dispute won"
		}
	case portfolio.TransactionCorrection:
		name = amount + " taken back"
		if t.Corrects == nil {
			name = amount + " forgiven"
		}
	}
	if t.Method != nil {
		name += ", " + page.Lowercase(*t.Method)
	}
	if t.Reference != nil {
		name += ", " + *t.Reference
	}
	return name
}

// movement says what money has moved, and when.
func movement(v *page.Request, t *portfolio.Transaction) kit.Moment {
	m := kit.Moment{ID: t.ID, Title: moveName(t), Time: v.Time(t.OccurredAt)}
	if t.Reason != nil {
		m.Title += ": " + *t.Reason
	}
	switch {
	case t.Status == portfolio.TransactionProcessing:
		m.Status = kit.Status{Tone: kit.Waiting, Text: "Started"}
	case t.Status == portfolio.TransactionFailed:
		m.Status = kit.Status{Tone: kit.Failed, Text: "Failed"}
	case t.Kind == portfolio.TransactionPayment:
		m.Status = kit.Status{Tone: kit.Done, Text: "Received"}
	default:
		m.Status = kit.Status{Tone: kit.Idle, Text: "Done"}
	}
	return m
}

// chargeFacts say what a row charges, whom, and how it was paid.
func chargeFacts(v *page.Request, p *portfolio.Payment, names map[string]string) kit.Facts {
	f := kit.Facts{Title: "Charge", Terms: []kit.Term{
		{Name: "Type", Text: kindOf(p)},
		{Name: "Tenant", Text: page.Called(names, p.TenantID), Path: v.PathTo("tenants", &p.TenantID)},
		{Name: "Lease", Text: page.Called(names, p.LeaseID), Path: v.PathTo("leases", &p.LeaseID)},
	}}
	if p.PeriodStart != nil && p.PeriodEnd != nil {
		days := page.Date(*p.PeriodStart) + " to " + page.Date(*p.PeriodEnd)
		f.Terms = append(f.Terms, kit.Term{Name: "Period", Text: days})
	}
	if p.ReversesPaymentID != nil {
		f.Terms = append(f.Terms, kit.Term{
			Name: "Takes back a part of", Text: "View charge", Path: v.PathTo("ledger", p.ReversesPaymentID),
		})
	}
	f.Terms = append(
		f.Terms,
		kit.Term{Name: "Method", Text: page.LabelOr(p.Method)},
		kit.Term{Name: "Reference", Text: page.OrEmpty(p.Reference)},
		kit.Term{Name: "Failure", Text: page.OrEmpty(p.FailureCode)},
	)
	return f
}

func kindOf(p *portfolio.Payment) string {
	if p.FeeType == nil {
		return page.Label(p.Type)
	}
	return page.Label(p.Type) + ", " + strings.ToLower(page.Label(*p.FeeType))
}
