// Package notice makes the notices that a landlord gives tenants under a lease: that the rent rises, that somebody
// comes into the home, that the tenancy ends, and that rent is to be paid or the home left. The days come from the
// table of state rules. A notice is kept with the lease and never changes. Nothing is sent unless somebody asks for it.
//
// It knows no HTTP and no SQL.
package notice

import (
	"context"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/records"
)

// Kind is what a notice is about.
type Kind string

// The kinds of notices.
const (
	RentIncrease Kind = "rent_increase"
	Entry        Kind = "entry"
	EndOfTenancy Kind = "end_of_tenancy"
	PayOrQuit    Kind = "pay_or_quit"
)

// SchemaName is the name of the schema.
func (Kind) SchemaName() string { return "NoticeKind" }

// Values are all kinds.
func (Kind) Values() []string {
	return []string{string(RentIncrease), string(Entry), string(EndOfTenancy), string(PayOrQuit)}
}

// Notice is a notice to the tenants of a lease. It never changes.
type Notice struct {
	ID          string
	LeaseID     string
	CreatedAt   clock.Time
	CreatedBy   *string // the user who made it, nil where that is not known
	Kind        Kind
	GivenOn     clock.Date  // the day on which the tenants get it
	EffectiveOn clock.Date  // the first day of the new rent, day of entry, or last day of the tenancy or to pay
	EmailedAt   *clock.Time // the latest time, nil for never
	Content     *Content
}

// Content is what a notice says beside its days, as it was when it was made.
type Content struct {
	Landlord string        `json:"landlord"`
	Address  string        `json:"address"` // of the landlord
	Reach    string        `json:"reach"`   // email address and phone number of the landlord
	Signer   string        `json:"signer"`
	Title    string        `json:"title,omitempty"` // of the signer
	Tenants  []string      `json:"tenants"`
	Home     string        `json:"home"`
	State    contact.State `json:"state"`
	Rent     money.Cents   `json:"rent"`               // a month, when the notice was made
	NewRent  money.Cents   `json:"new_rent,omitempty"` // of a rent increase
	From     string        `json:"from,omitempty"`     // of an entry, as 09:00
	Until    string        `json:"until,omitempty"`
	Purpose  string        `json:"purpose,omitempty"` // of an entry
	Reason   string        `json:"reason,omitempty"`  // of the end of a tenancy
	Owed     []Owed        `json:"owed,omitempty"`    // of a notice to pay
	Rule     Rule          `json:"rule"`
	Sooner   bool          `json:"sooner,omitempty"` // than the days of the rule say, as somebody has confirmed
}

// Owed is rent that is overdue.
type Owed struct {
	PaymentID string      `json:"payment_id"`
	Text      string      `json:"text"`
	DueOn     clock.Date  `json:"due_on"`
	Amount    money.Cents `json:"amount"`
}

// Total is what is owed in all.
func (c *Content) Total() (sum money.Cents) {
	for _, o := range c.Owed {
		sum += o.Amount
	}
	return sum
}

// Create is what a notice is made of. Which fields it takes depends on its kind.
type Create struct {
	// What it is about.
	Kind Kind `json:"kind"`
	// The day on which the tenants get it.
	GivenOn clock.Date `json:"given_on"`
	// The first day of the new rent, the day of the entry, the last day of the tenancy, or the last day to pay.
	EffectiveOn clock.Date `json:"effective_on"`
	// The new rent, in dollars.
	MonthlyRent *money.Cents `json:"monthly_rent" min:"1"`
	// From when somebody comes in, as 09:00.
	From *string `json:"from" maxlen:"5"`
	// Until when, as 12:00.
	Until *string `json:"until" maxlen:"5"`
	// What for.
	Purpose *string `json:"purpose" format:"text" minlen:"1" maxlen:"500"`
	// Why the tenancy ends.
	Reason *string `json:"reason" format:"text" minlen:"1" maxlen:"1000"`
	// Whether the day may be earlier than the table of rules says.
	Sooner *bool `json:"sooner"`
}

// SchemaName is the name of the schema.
func (Create) SchemaName() string { return "NoticeCreate" }

// Times are the times of day at which somebody can come in.
func Times() (all []string) {
	for hour := 7; hour <= 20; hour++ {
		at := string([]byte{byte('0' + hour/10), byte('0' + hour%10)})
		all = append(all, at+":00", at+":30")
	}
	return all
}

// needs are the fields that a kind needs, and takes besides.
func (k Kind) needs() (needed, optional []string) {
	switch k {
	case RentIncrease:
		return []string{"monthly_rent"}, nil
	case Entry:
		return []string{"from", "until", "purpose"}, nil
	case EndOfTenancy:
		return nil, []string{"reason"}
	case PayOrQuit:
	}
	return nil, nil
}

// Check finds what no tag says.
func (c Create) Check(clock.Date) (all []fault.Detail) {
	needed, optional := c.Kind.needs()
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"monthly_rent", c.MonthlyRent != nil},
		{"from", c.From != nil},
		{"until", c.Until != nil},
		{"purpose", c.Purpose != nil},
		{"reason", c.Reason != nil},
	} {
		switch {
		case slices.Contains(needed, f.name) && !f.given:
			all = append(all, portfolio.FieldFault(f.name, fault.MissingField, "is required."))
		case f.given && !slices.Contains(needed, f.name) && !slices.Contains(optional, f.name):
			all = append(all, fault.Wrong(f.name, "must be left out of this notice."))
		}
	}
	if c.EffectiveOn < c.GivenOn {
		all = append(
			all,
			portfolio.FieldFault("effective_on", fault.DateOrder, "must not be before the day of the notice, "+
				c.GivenOn.String()+"."),
		)
	}
	if c.Kind == Entry && c.From != nil && c.Until != nil {
		all = append(all, checkTimes(*c.From, *c.Until)...)
	}
	for field, text := range map[string]*string{"purpose": c.Purpose, "reason": c.Reason} {
		if text == nil {
			continue
		}
		if runes := pdf.Missing(*text); len(runes) > 0 {
			all = append(all, fault.Wrong(field, agreement.CannotShow(runes)))
		}
	}
	return all
}

func checkTimes(from, until string) (all []fault.Detail) {
	times := Times()
	for _, f := range []struct{ name, at string }{{"from", from}, {"until", until}} {
		if !slices.Contains(times, f.at) {
			all = append(all, fault.Wrong(f.name, "must be a time of day from 07:00 to 20:30, by the half hour."))
		}
	}
	if all == nil && until <= from {
		all = append(all, fault.Wrong("until", "must be later than the beginning."))
	}
	return all
}

// Store keeps notices.
type Store interface {
	// AddNotice adds a notice.
	AddNotice(ctx context.Context, in access.Portfolio, n *Notice) error
	// Notices are those of some leases, the newest first.
	Notices(ctx context.Context, in access.Portfolio, leaseIDs ...string) ([]Notice, error)
	// CountNotices counts those of a lease.
	CountNotices(ctx context.Context, in access.Portfolio, leaseID string) (int, error)
	// Notice finds a notice of a lease, or fault.NotFound.
	Notice(ctx context.Context, in access.Portfolio, leaseID, noticeID string) (Notice, error)
	// NoticesAfter are those of a portfolio behind one of them, by ascending id of their leases, at most so many.
	NoticesAfter(ctx context.Context, in access.Portfolio, leaseID, noticeID string, most int) ([]Notice, error)
	// SaveNoticeEmailed notes that a notice was emailed.
	SaveNoticeEmailed(ctx context.Context, in access.Portfolio, n *Notice) error
	DeleteNotice(ctx context.Context, in access.Portfolio, leaseID, noticeID string) error
}

// Mailer emails notices.
type Mailer interface {
	// NoticeGiven emails the tenants of a lease a notice, in the transaction of the context, and says to how many.
	// Those without an email address, and guarantors, get none.
	NoticeGiven(ctx context.Context, by access.Actor, l *portfolio.Lease, n *Notice) (sent int, err error)
}

// Service makes notices.
type Service struct {
	*portfolio.Common
	rules      *records.Service
	agreements *agreement.Service
	store      Store

	Mailer Mailer // may be nil: no notice is emailed
}

// New makes the service beside the rules of a portfolio, whose parts it shares.
func New(p *records.Service, agreements *agreement.Service, store Store) *Service {
	return &Service{Common: p.Common, rules: p, agreements: agreements, store: store}
}

// mostNotices is how many notices a lease has at most.
const mostNotices = 200

var createNotice = operation.DefineInput[Create]("create_notice")

// Notices are those of a lease, the newest first.
func (s *Service) Notices(ctx context.Context, by access.Actor, leaseID string) ([]Notice, error) {
	return s.store.Notices(ctx, by.Portfolio, leaseID)
}

// Notice is one notice of a lease, or fault.NotFound.
func (s *Service) Notice(ctx context.Context, by access.Actor, leaseID, noticeID string) (*Notice, error) {
	n, err := s.store.Notice(ctx, by.Portfolio, leaseID, noticeID)
	if err != nil {
		return nil, err
	}
	return &n, nil
}

// All is a page of the notices of a portfolio, by ascending id of their leases, behind a position.
func (s *Service) All(ctx context.Context, by access.Actor, after string, limit int) (*list.Page[Notice], error) {
	leaseID, noticeID, _ := strings.Cut(after, " ")
	all, err := s.store.NoticesAfter(ctx, by.Portfolio, leaseID, noticeID, limit+1)
	return list.Of(all, limit, func(n *Notice) string { return n.LeaseID + " " + n.ID }), err
}

// Draft is a notice before it is made: what its kind and lease come to.
type Draft struct {
	Lease *portfolio.Lease
	Rules *law.Rules
	Rule  Rule // for a notice that is given today
	Owed  []Owed
	// Why there can be none of this kind now, "" where there can.
	Refused string

	landlord document.Landlord
}

// Draft is what a notice of a kind to the tenants of a lease would be, given on a day. newRent is that of a rent
// increase, 0 where it is not known yet.
func (s *Service) Draft(
	ctx context.Context, by access.Actor, leaseID string, kind Kind, given clock.Date, newRent money.Cents,
) (*Draft, error) {
	l, err := s.rules.Leases.Lease(ctx, by, leaseID)
	if err != nil {
		return nil, err
	}
	property, err := s.rules.Properties.Property(ctx, by, l.PropertyID)
	if err != nil {
		return nil, err
	}
	d := &Draft{Lease: l, Rules: law.Of(property.State)}
	d.Rule = RuleFor(d.Rules, l, kind, given, newRent)
	if kind == PayOrQuit {
		if d.Owed, err = s.owed(ctx, by, l.ID); err != nil {
			return nil, err
		}
	}
	if d.landlord, err = s.agreements.Landlord(ctx, by.Portfolio); err != nil {
		return nil, err
	}
	switch {
	case l.Status != portfolio.LeaseActive && kind != PayOrQuit,
		l.Status != portfolio.LeaseActive && l.Status != portfolio.LeaseExpired:
		d.Refused = "A lease that is " + string(l.Status) + " needs no such notice."
	case property.Commercial():
		d.Refused = "The table of rules is about homes, and this property is commercial."
	case kind == PayOrQuit && len(d.Owed) == 0:
		d.Refused = "No rent is overdue."
	case d.landlord.Address == "":
		d.Refused = "It needs your address. An owner enters it in the settings, under Lease details."
	}
	return d, nil
}

// mostOwed is how many rows of rent a notice names at most.
const mostOwed = 60

// owed is the rent of a lease that is overdue and not under way, the oldest first.
func (s *Service) owed(ctx context.Context, by access.Actor, leaseID string) (all []Owed, err error) {
	found, err := s.rules.Ledger.Payments(ctx, by, portfolio.PaymentFilter{
		Query: list.Query{Limit: list.Max}, LeaseID: leaseID, Type: portfolio.PaymentRent, Overdue: new(true),
	})
	if err != nil {
		return nil, err
	}
	for i := range found.Data {
		p := &found.Data[i]
		if left := p.Left(); left > 0 {
			text := "Rent"
			if p.Description != nil {
				text = *p.Description
			}
			all = append(all, Owed{PaymentID: p.ID, Text: text, DueOn: p.DueDate, Amount: left})
		}
	}
	slices.SortStableFunc(all, func(a, b Owed) int { return int(a.DueOn - b.DueOn) })
	return all[:min(len(all), mostOwed)], nil
}

// Create makes a notice and keeps it with the lease. Nobody gets it by that.
func (s *Service) Create(
	ctx context.Context, by access.Actor, leaseID string, c Create,
) (*change.Result[Notice], error) {
	if err := createNotice.Check(&c, s.Today(by)); err != nil {
		return nil, err
	}
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[Notice], error) {
		d, err := s.Draft(ctx, by, leaseID, c.Kind, c.GivenOn, valueOf(c.MonthlyRent))
		if err != nil {
			return nil, err
		}
		if err := d.allows(&c, s.Today(by)); err != nil {
			return nil, err
		}
		kept, err := s.store.CountNotices(ctx, by.Portfolio, leaseID)
		if err != nil {
			return nil, err
		}
		if kept >= mostNotices {
			return nil, fault.New(fault.InvalidField, "The lease has %d notices, and %d is the most. Delete some that "+
				"were not sent.", kept, mostNotices)
		}
		n := s.made(ctx, by, d, &c)
		if err := s.store.AddNotice(ctx, by.Portfolio, n); err != nil {
			return nil, err
		}
		return &change.Result[Notice]{
				After: n,
			}, s.RecordDone(
				ctx,
				by,
				"lease.notice_created",
				leaseID,
				map[string]string{
					"notice": n.ID, "kind": string(n.Kind), "effective_on": n.EffectiveOn.String(),
				},
			)
	})
}

// longestAhead and longestAgo are how far from today a notice is given, in days.
const longestAhead, longestAgo = 366, 366

// allows refuses a notice that the lease, the ledger or the law does not allow.
func (d *Draft) allows(c *Create, today clock.Date) error {
	if d.Refused != "" {
		return fault.New(fault.InvalidTransition, "%s", d.Refused)
	}
	if c.GivenOn > today.AddDays(longestAhead) || c.GivenOn < today.AddDays(-longestAgo) {
		return fault.New(fault.InvalidField, "The day must be within a year of today.").At("given_on")
	}
	if c.Kind == RentIncrease && *c.MonthlyRent <= d.Lease.MonthlyRent {
		return fault.New(fault.InvalidField, "The new rent must be more than the present one, %s.",
			d.Lease.MonthlyRent.Dollars()).At("monthly_rent")
	}
	if why, bound := d.Rule.bounds(c); bound && (c.Sooner == nil || !*c.Sooner || d.Rule.Term) {
		return fault.New(fault.InvalidField, "%s", why).At("effective_on")
	}
	return nil
}

// made is the notice that a draft becomes.
func (s *Service) made(ctx context.Context, by access.Actor, d *Draft, c *Create) *Notice {
	l, landlord := d.Lease, d.landlord
	content := &Content{
		Landlord: landlord.Name,
		Address:  landlord.Address,
		Reach:    landlord.Reach(),
		Signer:   landlord.Signer,
		Title:    landlord.Title,
		Home:     l.RentalAddress,
		State:    d.Rules.State,
		Rent:     l.MonthlyRent,
		NewRent:  valueOf(c.MonthlyRent),
		From:     valueOf(c.From),
		Until:    valueOf(c.Until),
		Purpose:  strings.TrimSpace(valueOf(c.Purpose)),
		Reason:   strings.TrimSpace(valueOf(c.Reason)),
		Owed:     d.Owed,
		Rule:     d.Rule,
	}
	_, content.Sooner = d.Rule.bounds(c)
	for i := range l.Tenants {
		if l.Tenants[i].Role != portfolio.PartyGuarantor {
			content.Tenants = append(content.Tenants, l.Tenants[i].Name)
		}
	}
	n := &Notice{
		ID:          id.New(id.Notice, s.Now(by.Portfolio)),
		LeaseID:     l.ID,
		CreatedAt:   clock.At(s.Now(by.Portfolio)),
		Kind:        c.Kind,
		GivenOn:     c.GivenOn,
		EffectiveOn: c.EffectiveOn,
		Content:     content,
	}
	if user := audit.From(ctx).UserID; user != "" {
		n.CreatedBy = &user
	}
	return n
}

// Email emails a notice to the tenants, as somebody asks who has read it, and says to how many.
func (s *Service) Email(ctx context.Context, by access.Actor, leaseID, noticeID string) (sent int, err error) {
	_, err = portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[Notice], error) {
		n, err := s.store.Notice(ctx, by.Portfolio, leaseID, noticeID)
		if err != nil {
			return nil, err
		}
		l, err := s.rules.Leases.Lease(ctx, by, leaseID)
		if err != nil {
			return nil, err
		}
		if s.Mailer != nil {
			if sent, err = s.Mailer.NoticeGiven(ctx, by, l, &n); err != nil {
				return nil, err
			}
		}
		if sent == 0 {
			return nil, fault.New(
				fault.InvalidTransition,
				"None of the tenants has an email address. Print the notice.",
			)
		}
		n.EmailedAt = new(clock.At(s.Now(by.Portfolio)))
		if err := s.store.SaveNoticeEmailed(ctx, by.Portfolio, &n); err != nil {
			return nil, err
		}
		return &change.Result[Notice]{Before: &n, After: &n}, s.RecordDone(ctx, by, "lease.notice_emailed", leaseID,
			map[string]string{"notice": n.ID, "kind": string(n.Kind)})
	})
	return sent, err
}

// Delete removes a notice that was not emailed.
func (s *Service) Delete(ctx context.Context, by access.Actor, leaseID, noticeID string) error {
	_, err := portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[Notice], error) {
		n, err := s.store.Notice(ctx, by.Portfolio, leaseID, noticeID)
		if err != nil {
			return nil, err
		}
		if n.EmailedAt != nil {
			return nil, fault.New(fault.InvalidTransition, "The notice was emailed to the tenants, so it stays.")
		}
		if err := s.store.DeleteNotice(ctx, by.Portfolio, leaseID, noticeID); err != nil {
			return nil, err
		}
		return &change.Result[Notice]{Before: &n, After: &n}, s.RecordDone(ctx, by, "lease.notice_deleted", leaseID,
			map[string]string{"notice": n.ID, "kind": string(n.Kind)})
	})
	return err
}

func valueOf[T any](v *T) (zero T) {
	if v == nil {
		return zero
	}
	return *v
}
