package ledger

import (
	"strings"

	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/views/kit"
	views "portal/views/ledger"
	"portal/web/page"
)

// ledgerPages is the pages of the ledger.
type ledgerPages struct{ *Section }

func (p *ledgerPages) routes() []page.Route {
	return []page.Route{
		page.Get("/{mode}/leases/:id/charge", page.Member, p.newCharge),
		page.Post("/{mode}/leases/:id/charge", page.Member, p.addCharge).Once(),
		page.Get("/{mode}/ledger", page.Member, p.ledger),
		page.Get("/{mode}/ledger/:id", page.Member, p.charge),
		page.Get("/{mode}/ledger/:id/record", page.Member, p.askPayment),
		page.Post("/{mode}/ledger/:id/record", page.Member, p.recordPayment).Once(),
		page.Get("/{mode}/ledger/:id/void", page.Member, p.askVoidCharge),
		page.Post("/{mode}/ledger/:id/void", page.Member, p.voidCharge),
	}
}

func (p *ledgerPages) ledger(v *page.Request) error {
	t, f := v.Cursor(), v.Form()
	filter := portfolio.PaymentFilter{
		Query:      page.NewestFirst(t, id.Payment),
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
	}
	found, err := p.Portfolio.Ledger.Payments(v.Ctx(), v.Actor(), filter)
	if err != nil {
		return err
	}
	owed, err := p.Reports.RentBalances(v.Ctx(), v.Actor(), report.BalanceFilter{
		Limit:      1,
		LeaseID:    filter.LeaseID,
		TenantID:   filter.TenantID,
		PropertyID: filter.PropertyID,
	})
	if err != nil {
		return err
	}
	of, err := page.Narrowed(v, p.Portfolio.Finder, filter.LeaseID, filter.PropertyID, filter.UnitID, filter.TenantID)
	if err != nil {
		return err
	}
	view := views.Ledger{
		Frame:   v.Frame("Ledger"),
		Of:      of,
		Owed:    owed.TotalDue.Dollars(),
		Pages:   t.Pages(page.OrEmpty(found.NextCursor)),
		Leases:  v.In("/leases"),
		Filters: v.Filters("Filter the ledger", "/ledger", ledgerFields(f)),
	}
	if filter.UnitID != "" { // of a unit alone there is no sum
		view.Owed = ""
	}
	view.Rows, err = p.chargeLines(v, found.Data)
	if err != nil {
		return err
	}
	return v.Show(views.LedgerPage(view))
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

func ledgerFields(f *page.Form) []kit.Field {
	return append([]kit.Field{
		{
			Name:  "overdue",
			Label: "Overdue",
			Kind:  "select",
			Choices: []kit.Choice{
				{Label: "All"},
				{Value: "true", Label: "Overdue"},
				{Value: "false", Label: "Not overdue"},
			},
		},
		{
			Name:    "status",
			Label:   "Status",
			Kind:    "select",
			Choices: page.Choices(portfolio.PaymentStatus("").Values(), "", "All"),
		},
		{
			Name:    "type",
			Label:   "Type",
			Kind:    "select",
			Choices: page.Choices(portfolio.PaymentType("").Values(), "", "All"),
		},
		{
			Name:    "method",
			Label:   "Method",
			Kind:    "select",
			Choices: page.Choices(portfolio.PaymentMethod("").Values(), "", "All"),
		},
		{Name: "due_after", Label: "Due after", Kind: "date"},
		{Name: "due_before", Label: "Due before", Kind: "date"},
	}, page.RefFields(f, "lease_id", "property_id", "unit_id", "tenant_id")...)
}

// chargeLines are rows with the names of the tenants who owe them, and where.
func (p *ledgerPages) chargeLines(v *page.Request, rows []portfolio.Payment) (all []kit.ChargeLine, err error) {
	var ids []string
	for i := range rows {
		ids = append(ids, rows[i].TenantID, rows[i].LeaseID)
	}
	names, err := p.Portfolio.Finder.Called(v.Ctx(), v.Actor(), ids...)
	for i := range rows {
		all = append(all, page.ChargeLine(v, &rows[i], names))
	}
	return all, err
}

// chargeHere is the row of the address.
func (p *ledgerPages) chargeHere(v *page.Request) (*portfolio.Payment, error) {
	name, err := v.PathID(id.Payment)
	if err != nil {
		return nil, err
	}
	return p.Portfolio.Ledger.Payment(v.Ctx(), v.Actor(), name)
}

func (p *ledgerPages) charge(v *page.Request) error {
	row, err := p.chargeHere(v)
	if err != nil {
		return err
	}
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
	if row.Voidable() {
		r.Menu = []kit.Action{{Name: "Void charge…", Path: at + "/void", How: kit.Asks, Bad: true}}
	}
	if row.Status == portfolio.PaymentFailed && row.FailureMessage != nil {
		r.Notices = []kit.NoticeContent{{
			Tone:  kit.Failed,
			Title: "The latest payment failed",
			Words: *row.FailureMessage,
		}}
	}
	return v.Show(views.ChargePage(views.Charge{Record: r, Sums: sumsOf(row), History: chargeHistory(v, row)}))
}

// sumsOf are the amounts of a row.
func sumsOf(p *portfolio.Payment) []kit.Term {
	return []kit.Term{
		{Name: "Amount", Text: p.Amount.Dollars()},
		{Name: "Paid", Text: p.AmountPaid.Dollars()},
		{Name: "Balance", Text: p.BalanceDue.Dollars()},
		{Name: "Due", Text: page.Date(p.DueDate)},
	}
}

// chargeHistory is what has happened to a row, the newest first.
func chargeHistory(v *page.Request, p *portfolio.Payment) (all []kit.Moment) {
	if p.PaidAt != nil {
		all = append(all, kit.Moment{
			Title: "Paid in full", Status: kit.Status{Tone: kit.Done, Text: "Paid"}, Time: v.Time(*p.PaidAt),
		})
	}
	if p.Status == portfolio.PaymentFailed {
		all = append(all, kit.Moment{
			Title: "Payment failed", Status: kit.Status{Tone: kit.Failed, Text: "Failed"}, Time: v.Time(p.UpdatedAt),
		})
	}
	if p.InitiatedAt != nil {
		all = append(all, kit.Moment{
			Title: "Payment started", Status: kit.Status{Tone: kit.Waiting, Text: "Processing"}, Time: v.Time(*p.InitiatedAt),
		})
	}
	return append(all, kit.Moment{
		Title: "Charge added", Status: kit.Status{Tone: kit.Idle, Text: page.Label(p.Type)}, Time: v.Time(p.CreatedAt),
	})
}

// chargeFacts say what a row charges, whom, and how it was paid.
func chargeFacts(v *page.Request, p *portfolio.Payment, names map[string]string) kit.Facts {
	f := kit.Facts{Title: "Charge", Terms: []kit.Term{
		{Name: "Type", Text: kindOf(p)},
		{Name: "Tenant", Text: page.Called(names, p.TenantID), Path: v.PathTo("tenants", &p.TenantID)},
		{Name: "Lease", Text: page.Called(names, p.LeaseID), Path: v.PathTo("leases", &p.LeaseID)},
	}}
	if p.PeriodStart != nil && p.PeriodEnd != nil {
		f.Terms = append(f.Terms, kit.Term{Name: "Period", Text: page.Date(*p.PeriodStart) + " to " + page.Date(*p.PeriodEnd)})
	}
	return kit.Facts{Title: f.Title, Terms: append(
		f.Terms,
		kit.Term{Name: "Method", Text: page.LabelOr(p.Method)},
		kit.Term{Name: "Reference", Text: page.OrEmpty(p.Reference)},
		kit.Term{Name: "Failure", Text: page.OrEmpty(p.FailureCode)},
	)}
}

func kindOf(p *portfolio.Payment) string {
	if p.FeeType == nil {
		return page.Label(p.Type)
	}
	return page.Label(p.Type) + ", " + strings.ToLower(page.Label(*p.FeeType))
}

// leaseHere is the lease of the address.
func (p *ledgerPages) leaseHere(v *page.Request) (*portfolio.Lease, error) {
	name, err := v.PathID(id.Lease)
	if err != nil {
		return nil, err
	}
	return p.Portfolio.Leases.Lease(v.Ctx(), v.Actor(), name)
}
