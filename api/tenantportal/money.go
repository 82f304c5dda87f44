package tenantportal

import (
	"cmp"
	"context"
	"slices"

	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// mostRows is how many rows of the ledger a page shows, those that were due last, and how many are read at a time.
const mostRows = 500

// Account is what the parties of a tenant's leases owe together, and have paid.
type Account struct {
	Balance money.Cents         // that is due today, what is credited taken off
	Credit  money.Cents         // that is left to pay what falls due
	Due     []portfolio.Payment // that make the balance up, the oldest first; credits too
	Next    *portfolio.Payment  // the charge that falls due next, nil for none
	Rows    []portfolio.Payment // the latest ones but for those of the future, the latest due date first
}

// Account reads it. Everybody whom a lease names owes all that is charged under it, so all of them see all of it.
func (s *Service) Account(ctx context.Context, v *Visit) (*Account, error) {
	var all []portfolio.Payment
	for i := range v.Leases {
		q := portfolio.PaymentFilter{Query: list.Query{Limit: mostRows, Newest: true}, LeaseID: v.Leases[i].ID}
		for {
			found, err := s.rules.Ledger.Payments(ctx, v.By, q)
			if err != nil {
				return nil, err
			}
			if all = append(all, found.Data...); found.NextCursor == nil {
				break
			}
			q.StartingAfter = *found.NextCursor
		}
	}
	slices.SortFunc(all, func(a, b portfolio.Payment) int {
		return cmp.Or(cmp.Compare(b.DueDate, a.DueDate), cmp.Compare(b.ID, a.ID))
	})
	a := accountOf(all, v.Today)
	a.Rows = a.Rows[:min(len(a.Rows), mostRows)]
	return a, nil
}

// accountOf sums rows up that come with the latest due date first.
func accountOf(all []portfolio.Payment, today clock.Date) *Account {
	a, leases := &Account{}, map[string]portfolio.Balance{}
	for i := range all {
		b := leases[all[i].LeaseID]
		b.Add(&all[i], today)
		leases[all[i].LeaseID] = b
	}
	for _, b := range leases {
		a.Balance += b.Owed()
		a.Credit += b.Credit()
	}
	for i := range all {
		p := &all[i]
		if p.Status == portfolio.PaymentScheduled && p.DueDate > today {
			a.Next = p // the nearest one comes last
			continue
		}
		a.Rows = append(a.Rows, *p)
		due := leases[p.LeaseID].Due
		if p.Type == portfolio.PaymentDeposit {
			due = leases[p.LeaseID].DepositDue
		}
		if p.Counts(today) && p.BalanceDue != 0 && due > 0 {
			a.Due = append(a.Due, *p)
		}
	}
	slices.Reverse(a.Due)
	return a
}

// Statement is the statement of all leases of a tenant for a range of days. As in Account, it has all that is charged
// under them.
func (s *Service) Statement(
	ctx context.Context, v *Visit, from, until clock.Date,
) (*ledger.AccountStatement, error) {
	return s.rules.Ledger.AccountStatement(ctx, v.By, v.Leases, from, until)
}

// mostReceipts is how many receipts a page lists, the latest ones.
const mostReceipts = 100

// Receipts are those of payments of a tenant's leases, the latest first.
func (s *Service) Receipts(ctx context.Context, v *Visit) ([]ledger.Receipt, error) {
	return s.rules.Ledger.Receipts(ctx, v.By, v.Leases, mostReceipts)
}

// Receipt is that of a payment of a lease of the tenant, or fault.NotFound.
func (s *Service) Receipt(ctx context.Context, v *Visit, paymentID, transactionID string) (*ledger.Receipt, error) {
	if !id.Valid(id.Payment, paymentID) {
		return nil, fault.NotFound("receipt")
	}
	r, err := s.rules.Ledger.Receipt(ctx, v.By, paymentID, transactionID)
	if err != nil {
		return nil, err
	}
	if _, err := v.Lease(r.Lease.ID); err != nil {
		return nil, fault.NotFound("receipt")
	}
	return r, nil
}

// ReceiptPath is the address of a receipt after that of the tenant's page.
func ReceiptPath(paymentID, transactionID string) string {
	return "/payments/" + paymentID + "/" + transactionID + "/receipt.pdf"
}

// Document is the PDF of a lease of the tenant as all have signed it, or fault.NotFound.
func (s *Service) Document(ctx context.Context, v *Visit, leaseID string) ([]byte, error) {
	l, err := v.Lease(leaseID)
	if err != nil {
		return nil, err
	}
	if !Signed(l) {
		return nil, fault.NotFound("document")
	}
	var e agreement.Execution
	e, err = s.agreements.Execution(ctx, *l.DocumentID)
	return e.Content, err
}

// Signed reports whether there is a document of a lease that all have signed.
func Signed(l *portfolio.Lease) bool { return l.DocumentID != nil && l.DocumentSHA256 != nil }
