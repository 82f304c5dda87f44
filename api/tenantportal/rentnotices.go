package tenantportal

import (
	"cmp"
	"context"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/language"
	"portal/api/money"
	"portal/api/portfolio"
)

// noticeDaysAhead is how many days before a charge is due its tenants are reminded of it.
const noticeDaysAhead = 5

// rentNoticeBatch is how many tenants of a portfolio one transaction emails, so that other writes need not wait long.
// A day of a test clock is one transaction with all that happens on it, however many look for tenants.
var rentNoticeBatch = map[access.Mode]int{access.Live: 10, access.Test: 100}

// RentNoticeHour is the hour of the landlord's day from which on tenants are emailed about rent.
const RentNoticeHour = 8

// rentNoticeStore keeps which tenants were emailed about rent, and what there is to tell them.
type rentNoticeStore interface {
	// RentNoticePortfolios calls back with each portfolio of an open account whose tenants get emails about rent, and
	// the time zone, and gives the errors of all calls.
	RentNoticePortfolios(ctx context.Context, each func(in access.Portfolio, zone string) error) error
	// RentNoticesSent reports whether tenants of a portfolio get emails about rent: its account is open, wants them,
	// and the ledger charges by itself.
	RentNoticesSent(ctx context.Context, in access.Portfolio) (bool, error)
	// TenantsWithNews names tenants whom there is something to tell of that has happened to the rent, and who were not
	// emailed on a day: at most so many.
	TenantsWithNews(ctx context.Context, in access.Portfolio, today clock.Date, most int) ([]string, error)
	// TenantsWithDue names tenants whose ledger rows are due on a day and unpaid, and who were not emailed today: at
	// most so many.
	TenantsWithDue(ctx context.Context, in access.Portfolio, today, due clock.Date, most int) ([]string, error)
	// TenantsToNotify asks with one message, in a transaction, what the three before it tell: it names tenants who are
	// to be emailed on a day, at most so many.
	TenantsToNotify(ctx context.Context, in access.Portfolio, today, soon clock.Date, most int) ([]string, error)
	// RentReaders reads tenants with their live links, whom an email about rent may go to.
	RentReaders(ctx context.Context, in access.Portfolio, tenantIDs []string) ([]RentReader, error)
	// LeasesWithIDs reads leases without their terms, by their ids.
	LeasesWithIDs(ctx context.Context, in access.Portfolio, ids []string) (map[string]*portfolio.Lease, error)
	// RentNews reads what the next emails about rent tell besides what is due, by the tenant's id.
	RentNews(ctx context.Context, in access.Portfolio, tenantIDs []string) (map[string][]RentNews, error)
	// AddRentNotices notes that tenants were emailed about rent on a day, which has told all that there was to tell.
	AddRentNotices(ctx context.Context, in access.Portfolio, tenantIDs []string, day clock.Date) error
	// RentNoticesStopped is when a tenant stopped emails about rent, nil where they did not.
	RentNoticesStopped(ctx context.Context, in access.Portfolio, tenantID string) (*clock.Time, error)
	// SaveRentNoticesStopped writes when a tenant stopped emails about rent, nil where they want them.
	SaveRentNoticesStopped(ctx context.Context, in access.Portfolio, tenantID string, at *clock.Time) error
	// HadLink reports whether a tenant has had a link to their page, live or ended.
	HadLink(ctx context.Context, in access.Portfolio, tenantID string) (bool, error)
	// OwedRows reads the ledger rows of leases that are not settled, and of the others those of some ids.
	OwedRows(
		ctx context.Context, in access.Portfolio, leaseIDs, paymentIDs []string,
	) ([]portfolio.Payment, error)
	// TransactionsOf reads the transactions that are stored of some rows, by their ids.
	TransactionsOf(
		ctx context.Context, in access.Portfolio, paymentIDs []string,
	) (map[string][]portfolio.Transaction, error)
	// TestClock reads the test clock of a demo portfolio.
	TestClock(ctx context.Context, in access.Portfolio) (portfolio.TestClock, error)
}

// RentNews is something that has happened to the rent: a transaction of a ledger row, or a late fee that was charged.
type RentNews struct {
	PaymentID string
	Position  int // of the transaction, lateFeeCharged for the row itself
}

// RentReader is a tenant whom an email about rent may go to.
type RentReader struct {
	Tenant   portfolio.Tenant
	LinkID   string            // of the link that is live, "" for none
	HadLink  bool              // live or ended
	Language language.Language // that the tenant has chosen, on a page or as a signer
}

// lateFeeCharged is the position of news that tell of the row.
const lateFeeCharged = -1

// SendAllRentNotices is SendRentNotices for every portfolio in which it is RentNoticeHour or later. One that fails
// keeps no other back.
func (s *Service) SendAllRentNotices(ctx context.Context) error {
	return s.store.RentNoticePortfolios(ctx, func(in access.Portfolio, zone string) error {
		location, err := clock.Zone(zone)
		if err != nil || s.Now(in).In(location).Hour() < RentNoticeHour {
			return err
		}
		return s.SendRentNotices(ctx, in, location)
	})
}

// SendRentNotices emails the tenants of a portfolio about rent: what is due today and in some days, payments that have
// arrived or failed, and late fees. A tenant gets one email a day at most, which tells all of it. Where there is
// nothing to tell, nobody waits.
func (s *Service) SendRentNotices(ctx context.Context, in access.Portfolio, zone *time.Location) error {
	if sent, err := s.store.RentNoticesSent(ctx, in); err != nil || !sent {
		return err
	}
	if found, err := s.anyRentNotice(ctx, in, s.Today(access.Actor{Portfolio: in, Zone: zone})); err != nil || !found {
		return err
	}
	return s.SendLockedRentNotices(ctx, in, zone)
}

// SendLockedRentNotices is SendRentNotices where the transaction of the context has locked the portfolio, so that
// nothing is asked before that.
func (s *Service) SendLockedRentNotices(
	ctx context.Context, in access.Portfolio, zone *time.Location,
) (err error) {
	most := rentNoticeBatch[in.Mode]
	for n := most; err == nil && n == most; {
		err = s.Tx.Exclusively(ctx, in, func(ctx context.Context) error {
			n, err = s.sendSomeRentNotices(ctx, in, zone)
			return err
		})
	}
	return err
}

// sendSomeRentNotices emails some tenants in the transaction of the context, and tells how many there were.
func (s *Service) sendSomeRentNotices(
	ctx context.Context, in access.Portfolio, zone *time.Location,
) (n int, err error) {
	if in.Mode == access.Test { // by the day of the test clock that stands now: a reset may have set it back
		c, err := s.store.TestClock(ctx, in)
		if err != nil {
			return 0, err
		}
		in.Ahead = c.Ahead
	}
	today := s.Today(access.Actor{Portfolio: in, Zone: zone})
	found, err := s.store.TenantsToNotify(ctx, in, today, today.AddDays(noticeDaysAhead), rentNoticeBatch[in.Mode])
	if err != nil || len(found) == 0 {
		return 0, err
	}
	if err := s.sendRentNoticesTo(ctx, in, found, today); err != nil {
		return 0, err
	}
	return len(found), s.store.AddRentNotices(ctx, in, found, today)
}

// anyRentNotice reports whether a tenant is to be emailed today.
func (s *Service) anyRentNotice(ctx context.Context, in access.Portfolio, today clock.Date) (bool, error) {
	found, err := s.store.TenantsWithNews(ctx, in, today, 1)
	for _, due := range []clock.Date{today, today.AddDays(noticeDaysAhead)} {
		if err != nil || len(found) > 0 {
			break
		}
		found, err = s.store.TenantsWithDue(ctx, in, today, due, 1)
	}
	return len(found) > 0, err
}

// sendRentNoticesTo emails tenants all that there is to tell today, in the transaction of the context. What it needs is
// read for all of them together.
func (s *Service) sendRentNoticesTo(
	ctx context.Context, in access.Portfolio, tenantIDs []string, today clock.Date,
) error {
	readers, err := s.rentReaders(ctx, in, tenantIDs)
	if err != nil || len(readers) == 0 {
		return err
	}
	told, err := s.rentRows(ctx, in, readers, today)
	if err != nil {
		return err
	}
	for _, v := range readers {
		n := told.notice(v, today)
		if len(n.items) == 0 {
			continue
		}
		if err := s.mailRent(ctx, v, n); err != nil {
			return err
		}
	}
	return nil
}

// rentReaders are those of some tenants who get emails about rent, with links to their pages: tenants without an
// address or a tenancy, or whose page the landlord has revoked, are left out. Their leases are those that charge them.
func (s *Service) rentReaders(ctx context.Context, in access.Portfolio, tenantIDs []string) ([]*Visit, error) {
	found, err := s.store.RentReaders(ctx, in, tenantIDs)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(r RentReader) bool {
		return r.Tenant.Email == nil || r.LinkID == "" && r.HadLink // revoked
	})
	var ids []string
	for i := range found {
		ids = append(ids, found[i].Tenant.LeaseIDs...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	leases, err := s.store.LeasesWithIDs(ctx, in, ids)
	if err != nil {
		return nil, err
	}
	deposits, err := s.store.DepositStatements(ctx, in, ids...)
	if err != nil {
		return nil, err
	}
	landlord, err := s.store.Landlord(ctx, in)
	if err != nil {
		return nil, err
	}
	var readers []*Visit
	var added []Link
	now := s.Now(in)
	for i := range found {
		r := &found[i]
		link := Link{ID: r.LinkID, TenantID: r.Tenant.ID, Language: r.Language}
		if link.ID == "" {
			link.ID, link.CreatedAt = id.New(id.TenantLink, now), clock.At(now)
		}
		own := make([]portfolio.Lease, 0, len(r.Tenant.LeaseIDs))
		for _, leaseID := range r.Tenant.LeaseIDs {
			own = append(own, *leases[leaseID])
		}
		v := s.visitOf(in, link, &r.Tenant, &landlord, own)
		v.Deposits = deposits
		open := v.open()
		v.Leases = slices.DeleteFunc(v.Leases, guaranteedBy(r.Tenant.ID))
		if !open || len(v.Leases) == 0 {
			continue
		}
		if readers = append(readers, v); r.LinkID == "" {
			added = append(added, link)
		}
	}
	return readers, s.store.AddTenantLinks(ctx, in, added...)
}

// guaranteedBy reports of a lease whether a tenant is a guarantor of it, whom it does not charge.
func guaranteedBy(tenantID string) func(portfolio.Lease) bool {
	return func(l portfolio.Lease) bool {
		return slices.ContainsFunc(l.Tenants, func(p portfolio.Party) bool {
			return p.ID == tenantID && p.Role == portfolio.PartyGuarantor
		})
	}
}

// RentNoticeWanted reports whether an email about rent should still leave: while the account sends them, and the tenant
// has the address and a page, and has not stopped them.
func (s *Service) RentNoticeWanted(ctx context.Context, in access.Portfolio, tenantID, to string) (bool, error) {
	if sent, err := s.store.RentNoticesSent(ctx, in); err != nil || !sent {
		return false, err
	}
	v, found, err := s.live(ctx, access.Actor{Portfolio: in}, tenantID)
	if fault.Is(err, fault.NoRecord) {
		return false, nil
	}
	if err != nil || !found || !v.open() || v.email() != to {
		return false, err
	}
	stopped, err := s.store.RentNoticesStopped(ctx, in, tenantID)
	return err == nil && stopped == nil, err
}

// RentNoticesStopped reports whether a tenant has stopped emails about rent.
func (s *Service) RentNoticesStopped(ctx context.Context, v *Visit) (bool, error) {
	at, err := s.store.RentNoticesStopped(ctx, v.By.Portfolio, v.Tenant.ID)
	return at != nil, err
}

// StopRentNotices keeps emails about rent from the tenant whose page a token opens. It may be asked for again and
// again.
func (s *Service) StopRentNotices(ctx context.Context, token string) error {
	return s.setRentNotices(ctx, token, true)
}

// StartRentNotices has the tenant whose page a token opens get emails about rent again.
func (s *Service) StartRentNotices(ctx context.Context, token string) error {
	return s.setRentNotices(ctx, token, false)
}

func (s *Service) setRentNotices(ctx context.Context, token string, stop bool) error {
	v, err := s.Open(ctx, token)
	if err != nil {
		return err
	}
	if stopped, err := s.RentNoticesStopped(ctx, v); err != nil || stopped == stop {
		return err
	}
	var at *clock.Time
	if stop {
		at = new(clock.At(s.Now(v.By.Portfolio)))
	}
	return s.Tx.Exclusively(ctx, v.By.Portfolio, func(ctx context.Context) error {
		return s.store.SaveRentNoticesStopped(ctx, v.By.Portfolio, v.Tenant.ID, at)
	})
}

// rentNotice is what an email about rent tells.
type rentNotice struct {
	items           []rentItem // the most important first
	balance, credit money.Cents
}

// rentItem is one of the things that an email about rent tells.
type rentItem struct {
	kind rentItemKind
	row  *portfolio.Payment
	of   *portfolio.Transaction // nil for a charge
}

// rentItemKind is what an item is about. The smaller ones are more important.
type rentItemKind int

const (
	paymentReturned rentItemKind = iota
	paymentFailed
	feeCharged
	paymentReceived
	chargeDueToday
	chargeDueSoon
)

// amount is the money that an item is about.
func (i *rentItem) amount() money.Cents {
	switch {
	case i.of != nil && i.of.Amount < 0:
		return -i.of.Amount
	case i.of != nil:
		return i.of.Amount
	case i.kind == feeCharged:
		return i.row.Amount
	}
	return i.row.Left()
}

// rentRows are the ledger rows of which some tenants are told.
type rentRows struct {
	news         map[string][]RentNews          // by the tenant's id
	rows         map[string][]portfolio.Payment // by the lease's id
	transactions map[string][]portfolio.Transaction
}

// rentRows reads the rows of the leases of some tenants that are not settled, and those that there are news of.
func (s *Service) rentRows(
	ctx context.Context, in access.Portfolio, readers []*Visit, today clock.Date,
) (r rentRows, err error) {
	var tenants, leases, told []string
	for _, v := range readers {
		tenants = append(tenants, v.Tenant.ID)
		for i := range v.Leases {
			leases = append(leases, v.Leases[i].ID)
		}
	}
	if r.news, err = s.store.RentNews(ctx, in, tenants); err != nil {
		return r, err
	}
	for _, news := range r.news {
		for i := range news {
			told = append(told, news[i].PaymentID)
		}
	}
	slices.Sort(leases)
	slices.Sort(told) // several tenants of a lease are told of the same row
	leases, told = slices.Compact(leases), slices.Compact(told)
	rows, err := s.store.OwedRows(ctx, in, leases, told)
	if err != nil {
		return r, err
	}
	r.rows = map[string][]portfolio.Payment{}
	for i := range rows {
		rows[i].Compute(today)
		r.rows[rows[i].LeaseID] = append(r.rows[rows[i].LeaseID], rows[i])
	}
	r.transactions, err = s.store.TransactionsOf(ctx, in, told)
	return r, err
}

// notice is what there is to tell a tenant today of the leases that charge them.
func (r *rentRows) notice(v *Visit, today clock.Date) *rentNotice {
	var rows []portfolio.Payment
	for i := range v.Leases {
		rows = append(rows, r.rows[v.Leases[i].ID]...)
	}
	slices.SortFunc(rows, func(a, b portfolio.Payment) int {
		return cmp.Or(cmp.Compare(b.DueDate, a.DueDate), cmp.Compare(b.ID, a.ID))
	})
	byID := make(map[string]*portfolio.Payment, len(rows))
	for i := range rows {
		byID[rows[i].ID] = &rows[i]
	}
	n := &rentNotice{items: rentNewsOf(r.news[v.Tenant.ID], byID, r.transactions)}
	for i := range rows {
		row := &rows[i]
		charged := slices.ContainsFunc(n.items, func(i rentItem) bool { return i.kind == feeCharged && i.row == row })
		if charged || row.Left() <= 0 {
			continue
		}
		kind := chargeDueToday
		switch row.DueDate {
		case today:
		case today.AddDays(noticeDaysAhead):
			kind = chargeDueSoon
		default:
			continue
		}
		if row.FeeType != nil && *row.FeeType == portfolio.LateFee { // one that a person has added
			kind = feeCharged
		}
		n.items = append(n.items, rentItem{kind: kind, row: row})
	}
	slices.SortStableFunc(n.items, func(a, b rentItem) int { return cmp.Compare(a.kind, b.kind) })
	a := accountOf(rows, today)
	n.balance, n.credit = a.Balance, a.Credit
	return n
}

// rentNewsOf are the items that tell what has happened to the rent since the email before. What was taken back since
// is none.
func rentNewsOf(
	news []RentNews, rows map[string]*portfolio.Payment, transactions map[string][]portfolio.Transaction,
) (items []rentItem) {
	for _, n := range news {
		row, stored := rows[n.PaymentID], transactions[n.PaymentID]
		switch {
		case row == nil || row.Status == portfolio.PaymentVoid:
		case n.Position == lateFeeCharged:
			items = append(items, rentItem{kind: feeCharged, row: row})
		case n.Position < len(stored):
			t := &stored[n.Position]
			if !row.Implies(t) && !t.Corrected(stored) {
				items = append(items, rentItem{kind: kindOf(t), row: row, of: t})
			}
		}
	}
	return items
}

// kindOf is what a transaction tells.
func kindOf(t *portfolio.Transaction) rentItemKind {
	switch {
	case t.Kind == portfolio.TransactionReturn:
		return paymentReturned
	case t.Status == portfolio.TransactionFailed:
		return paymentFailed
	}
	return paymentReceived
}
