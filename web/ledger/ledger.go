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
		Owed:    owed.TotalDue.Words(),
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
	view := views.Charge{
		Record: kit.Record{
			Frame: v.Frame(page.ChargeName(row)),
			Heading: kit.Heading{
				Title: page.ChargeName(row),
				About: names[row.LeaseID],
				Back:  kit.Link{Name: "Ledger", Path: v.In("/ledger")},
			},
			Terms: chargeTerms(v, row, names),
		},
	}
	if row.Payable() {
		view.Pay = at + "/record"
	}
	if row.Voidable() {
		view.Actions = []kit.Link{{Name: "Void…", Path: at + "/void"}}
	}
	if row.Status == portfolio.PaymentFailed && row.FailureMessage != nil {
		view.Notices = []kit.NoticeContent{{
			Tone:  kit.Failed,
			Words: "The latest payment failed: " + *row.FailureMessage,
		}}
	}
	return v.Show(views.ChargePage(view))
}

func chargeTerms(v *page.Request, p *portfolio.Payment, names map[string]string) []kit.Term {
	all := []kit.Term{
		{Name: "Status", Status: page.ChargeStatus(p)},
		{Name: "Amount", Text: p.Amount.Words()},
		{Name: "Paid", Text: p.AmountPaid.Words()},
		{Name: "Balance", Text: p.BalanceDue.Words()},
		{Name: "Due", Text: page.Date(p.DueDate)},
		{Name: "Type", Text: kindOf(p)},
		{Name: "Tenant", Text: page.Called(names, p.TenantID), Path: v.PathTo("tenants", &p.TenantID)},
		{Name: "Lease", Text: page.Called(names, p.LeaseID), Path: v.PathTo("leases", &p.LeaseID)},
	}
	if p.PeriodStart != nil && p.PeriodEnd != nil {
		all = append(all, kit.Term{Name: "Period", Text: page.Date(*p.PeriodStart) + " to " + page.Date(*p.PeriodEnd)})
	}
	all = append(
		all,
		kit.Term{Name: "Method", Text: page.LabelOr(p.Method)},
		kit.Term{Name: "Reference", Text: page.OrEmpty(p.Reference)},
	)
	if p.InitiatedAt != nil {
		all = append(all, kit.Term{Name: "Latest payment started", Time: v.Time(*p.InitiatedAt)})
	}
	all = append(all, kit.Term{Name: "Paid in full", Time: v.TimeOr(p.PaidAt, "not yet")})
	if p.FailureCode != nil {
		all = append(all, kit.Term{Name: "Failure", Text: *p.FailureCode, Note: page.OrEmpty(p.FailureMessage)})
	}
	return append(all, page.RecordTerms(v, &p.Record)...)
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
