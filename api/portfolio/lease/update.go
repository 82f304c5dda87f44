package lease

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/api/texts"
)

// Update changes a lease; what is absent stays.
type Update struct {
	// First day.
	StartDate change.Field[clock.Date] `json:"start_date"`
	// Last day; null only for month_to_month. An earlier day voids unpaid rent for later periods.
	EndDate change.Field[*clock.Date] `json:"end_date"`
	// What happens at the end date.
	LeaseType change.Field[portfolio.LeaseType] `json:"lease_type"`
	// Day of the month on which rent is due.
	RentDueDay change.Field[int] `json:"rent_due_day" min:"1" max:"28"`
	// Fee for late rent, in dollars.
	LateFeeAmount change.Field[*money.Cents] `json:"late_fee_amount"`
	// Whether the fee is owed once, or for each day that rent stays late.
	LateFeeFrequency change.Field[terms.Frequency] `json:"late_fee_frequency"`
	// Days of grace after the due date; saved as at least the state's minimum.
	LateFeeGraceDays change.Field[*int] `json:"late_fee_grace_days" min:"0" max:"60"`
	// Fee in dollars for a returned payment. Only while the lease is a draft, like the ten below.
	ReturnedPaymentFee change.Field[*money.Cents] `json:"returned_payment_fee"`
	// Names of others who live in the home.
	Occupants change.Field[[]string] `json:"occupants" maxlen:"10" itemminlen:"1" itemmaxlen:"127"`
	// Who answers for what the tenants owe. Fixed once the lease is sent.
	Guarantors change.Field[[]Guarantor] `json:"guarantors" maxlen:"2"`
	// Others who own the home and sign as landlords. Fixed once the lease is sent.
	CoOwners change.Field[[]terms.CoOwner] `json:"co_owners" maxlen:"3"`
	// Animals that may live in the home.
	Pets change.Field[[]terms.Pet] `json:"pets" maxlen:"5"`
	// Vehicles of the tenants.
	Vehicles change.Field[[]terms.Vehicle] `json:"vehicles" maxlen:"4"`
	// Who pays for which utility.
	Utilities change.Field[[]terms.Utility] `json:"utilities" maxlen:"12"`
	// The landlord's own words about some subjects; null for none.
	Clauses change.Field[*terms.Clauses] `json:"clauses"`
	// Charges beside rent and deposit. Needs the scope payments.
	Fees change.Field[[]terms.Fee] `json:"fees" maxlen:"10"`
	// Answers about disclosures of the state.
	Disclosures change.Field[[]terms.Answer] `json:"disclosures" maxlen:"60"`
	// What is stated about lead-based paint.
	LeadPaint change.Field[*terms.LeadPaint] `json:"lead_paint"`
	// When the tenants moved in.
	MoveInDate change.Field[*clock.Date] `json:"move_in_date"`
	// When the tenants moved or will move out.
	MoveOutDate change.Field[*clock.Date] `json:"move_out_date"`
	// When notice was given.
	NoticeGivenDate change.Field[*clock.Date] `json:"notice_given_date"`
	// voided for a lease that isn't fully signed, or terminated for an active or signed one. You can't
	// set other values.
	Status change.Field[portfolio.LeaseStatus] `json:"status"`
	// Day on which the lease ended early: today (default) or earlier, before its start today or later.
	// Unpaid charges for later days are taken back, and paid ones credited where rent is charged by itself.
	TerminatedOn change.Field[*clock.Date] `json:"terminated_on"`
	// Why it was ended early.
	TerminationReason change.Field[*string] `json:"termination_reason" format:"text" maxlen:"500"`
	// When the tenants agreed on paper to end a signed lease before it starts; required for that.
	TenantsAgreedOn change.Field[clock.Date] `json:"tenants_agreed_on"`
	// Days from now to sign, before all have signed or after a signed one expired.
	ExpiresInDays change.Field[int] `json:"expires_in_days" min:"1" max:"90"`
	// Monthly rent, in dollars. Needs the scope payments.
	MonthlyRent change.Field[money.Cents] `json:"monthly_rent"`
	// Deposit in dollars, 0 when none. Needs the scope payments.
	SecurityDeposit change.Field[money.Cents] `json:"security_deposit"`
}

// SchemaName is the name of the OpenAPI component.
func (Update) SchemaName() string { return "LeaseUpdate" }

// Check finds what no tag says: dates in the wrong order.
func (u Update) Check(clock.Date) []fault.Detail {
	end := u.EndDate.Value
	if !u.StartDate.Given {
		end = nil // the lease knows its start
	}
	return checkTerm(u.StartDate.Value, end, u.MoveInDate.Value, u.MoveOutDate.Value)
}

// checkTerm finds an end that is not after the start, and a move out before the move in.
func checkTerm(start clock.Date, end, in, out *clock.Date) (all []fault.Detail) {
	if end != nil && *end <= start {
		all = append(all, portfolio.FieldFault("end_date", fault.DateOrder, fmt.Sprintf(
			"must be after start_date, %s; not %s.", start, *end)))
	}
	if in != nil && out != nil && *out < *in {
		all = append(all, portfolio.FieldFault("move_out_date", fault.DateOrder, fmt.Sprintf(
			"must not be before move_in_date, %s; not %s.", *in, *out)))
	}
	return all
}

// UpdateLease changes a lease's dates, terms or status. Rent and deposit need the scope
// payments; without it nothing of the update is applied.
func (s *Leases) UpdateLease(
	ctx context.Context, by access.Actor, t change.Target, u Update,
) (*change.Result[portfolio.Lease], error) {
	if err := fault.Invalid(u.Check(s.Today(by))); err != nil {
		return nil, err
	}
	today, now := s.Today(by), s.BusinessNow(by.Portfolio)
	return portfolio.Amend(ctx, s.Common, by, t, portfolio.Amendment[portfolio.Lease]{
		Noun:  "lease",
		Load:  s.load(by),
		Save:  s.saveWithTerms,
		Allow: func(before *portfolio.Lease) error { return u.allowed(by, before) },
		Apply: func(ctx context.Context, l *portfolio.Lease, m *change.Result[portfolio.Lease]) error {
			renewed, err := s.occupancy.Renewed(ctx, by.Portfolio, l, today)
			if err != nil {
				return err
			}
			RollOver(l, today, now, renewed) // what is judged is the lease of this moment
			if err := s.guarantee(ctx, by, l, u); err != nil {
				return err
			}
			if err := u.apply(l, today); err != nil {
				return err
			}
			if err := s.extend(ctx, by, l, u); err != nil {
				return err
			}
			if PartiesChanged(l, m.Before) != "" {
				if err := s.CheckCoOwners(ctx, by, l); err != nil {
					return err
				}
			}
			RollOver(l, today, now, renewed)
			return s.check(ctx, by, m)
		},
		Follow: func(ctx context.Context, m *change.Result[portfolio.Lease]) error {
			if err := s.followLease(ctx, by, m); err != nil {
				return err
			}
			if err := s.followEnding(ctx, by, m); err != nil {
				return err
			}
			if err := s.rebalance(ctx, by, m.After); err != nil {
				return err
			}
			return s.noteExtension(ctx, by, m, u)
		},
		Compute: func(l *portfolio.Lease) { s.show(l, by) },
	})
}

// allowed refuses other money to a key without the scope payments.
func (u Update) allowed(by access.Actor, l *portfolio.Lease) error {
	param := ""
	switch {
	case u.MonthlyRent.Given && u.MonthlyRent.Value != l.MonthlyRent:
		param = "monthly_rent"
	case u.SecurityDeposit.Given && u.SecurityDeposit.Value != l.SecurityDeposit:
		param = "security_deposit"
	case u.Fees.Given && !slices.Equal(u.Fees.Value, l.Terms.Fees):
		param = "fees"
	}
	if param == "" {
		return nil
	}
	if err := by.Need(access.Payments); err != nil {
		return fault.From(err).At(param)
	}
	return nil
}

// guarantee gives a lease the guarantors of an update, while it is a draft.
func (s *Leases) guarantee(ctx context.Context, by access.Actor, l *portfolio.Lease, u Update) error {
	if !u.Guarantors.Given {
		return nil
	}
	before := *l
	if err := s.Guarantee(ctx, by, l, u.Guarantors.Value); err != nil {
		return err
	}
	return locked(l, &before)
}

func (u Update) apply(l *portfolio.Lease, today clock.Date) error {
	before := *l
	u.terms(l)
	u.MoveInDate.Into(&l.MoveInDate)
	u.MoveOutDate.Into(&l.MoveOutDate)
	u.NoticeGivenDate.Into(&l.NoticeGivenDate)
	if err := fault.Invalid(u.invalid(l, today)); err != nil {
		return err
	}
	if err := locked(l, &before); err != nil {
		return err
	}
	return u.end(l, today)
}

// terms changes what a signed document would say: dates and money.
func (u Update) terms(l *portfolio.Lease) {
	u.StartDate.Into(&l.StartDate)
	u.EndDate.Into(&l.EndDate)
	u.LeaseType.Into(&l.LeaseType)
	u.RentDueDay.Into(&l.RentDueDay)
	u.LateFeeAmount.Into(&l.LateFeeAmount)
	u.LateFeeGraceDays.Into(&l.LateFeeGraceDays)
	u.LateFeeFrequency.Into(&l.Terms.LateFeeFrequency)
	u.ReturnedPaymentFee.Into(&l.Terms.ReturnedPaymentFee)
	u.Occupants.Into(&l.Terms.Occupants)
	u.coOwners(l)
	u.Pets.Into(&l.Terms.Pets)
	u.Vehicles.Into(&l.Terms.Vehicles)
	u.Utilities.Into(&l.Terms.Utilities)
	u.Fees.Into(&l.Terms.Fees)
	u.Disclosures.Into(&l.Terms.Answers)
	u.LeadPaint.Into(&l.Terms.LeadPaint)
	if u.Clauses.Given {
		l.Terms.Clauses = terms.Clauses{}
		if u.Clauses.Value != nil {
			l.Terms.Clauses = *u.Clauses.Value
		}
	}
	l.Terms.Tidy()
	u.MonthlyRent.Into(&l.MonthlyRent)
	u.SecurityDeposit.Into(&l.SecurityDeposit)
}

// coOwners gives a lease the co-owners of an update, who have yet to sign.
func (u Update) coOwners(l *portfolio.Lease) {
	if !u.CoOwners.Given || len(u.CoOwners.Value)+len(l.Terms.CoOwners) == 0 ||
		reflect.DeepEqual(u.CoOwners.Value, l.Terms.CoOwners) {
		return
	}
	l.Terms.CoOwners = u.CoOwners.Value
	if l.Landlord != nil {
		landlord := *l.Landlord
		landlord.CoOwners = make([]*clock.Time, len(l.Terms.CoOwners))
		l.Landlord = &landlord
	}
}

// invalid finds what is wrong with a lease as it would be.
func (u Update) invalid(l *portfolio.Lease, today clock.Date) []fault.Detail {
	all := checkTerm(l.StartDate, l.EndDate, l.MoveInDate, l.MoveOutDate)
	if !u.StartDate.Given && !u.EndDate.Given && !u.MoveInDate.Given && !u.MoveOutDate.Given {
		all = nil // what an import brought is not this caller's fault
	}
	if l.EndDate == nil && l.LeaseType != portfolio.MonthToMonth {
		all = append(all, portfolio.FieldFault("end_date", fault.InvalidField, fmt.Sprintf(
			"must not be null for a lease of the type %s; null is for month_to_month.", l.LeaseType)))
	}
	if l.Status == portfolio.LeaseActive && u.StartDate.Given && l.StartDate > today {
		all = append(all, portfolio.FieldFault("start_date", fault.InvalidField, fmt.Sprintf(
			"must not be in the future, as the lease is active; not %s.", l.StartDate)))
	}
	if u.ExpiresInDays.Given && u.Status.Given {
		all = append(all, portfolio.FieldFault("expires_in_days", fault.InvalidField, "does not go with status."))
	}
	ends := u.Status.Given && u.Status.Value == portfolio.LeaseTerminated || l.Status == portfolio.LeaseTerminated
	if u.TerminatedOn.Value != nil && !ends {
		all = append(all, portfolio.FieldFault(
			"terminated_on",
			fault.InvalidField,
			"goes with status terminated; to end the lease later, change end_date.",
		))
	}
	if u.TerminationReason.Value != nil && !ends {
		all = append(
			all,
			portfolio.FieldFault("termination_reason", fault.InvalidField, "goes with status terminated."),
		)
	}
	if l.Status == portfolio.LeaseSigned && ends || l.NeverStarted() {
		return append(all, u.invalidEnding(l, today)...)
	}
	if u.TenantsAgreedOn.Given {
		all = append(all, portfolio.FieldFault("tenants_agreed_on", fault.InvalidField,
			"goes with status terminated of a lease that is signed and has not started."))
	}
	if on := u.TerminatedOn.Value; on != nil && ends && (*on < l.StartDate || l.EndDate != nil && *on > *l.EndDate) {
		all = append(all, portfolio.FieldFault("terminated_on", fault.DateOrder, fmt.Sprintf(
			"must lie within the lease; not %s.", *on)))
	}
	if on := u.TerminatedOn.Value; on != nil && ends && *on > today {
		all = append(all, portfolio.FieldFault("terminated_on", fault.InvalidField, fmt.Sprintf(
			"must not be in the future, not %s; to end the lease on a later day, change end_date.",
			*on)))
	}
	if u.TerminatedOn.Given && u.TerminatedOn.Value == nil && l.Status == portfolio.LeaseTerminated {
		all = append(all, portfolio.FieldFault(
			"terminated_on",
			fault.InvalidField,
			"must not be null, as the lease is terminated.",
		))
	}
	return all
}

// locked refuses other dates or money from the first signature on, until the lease
// runs: the signed document must match the record. A lease that has ended keeps them.
func locked(l *portfolio.Lease, before *portfolio.Lease) error {
	field, draftOnly := termChanged(l, before)
	switch {
	case field == "":
		return nil
	case before.Status == portfolio.LeasePendingSignature || before.Status == portfolio.LeaseSigned:
		way := "Void it and make a new one"
		if before.Status == portfolio.LeaseSigned {
			way = "Wait until it runs"
		}
		return fault.New(fault.SignatureInProgress,
			"%s cannot change: the lease is %s, and what has been signed must match it. %s.",
			field, before.Status, way).At(field)
	case draftOnly && before.Status == portfolio.LeaseActive:
		return fault.New(fault.InvalidTransition,
			"%s cannot change: it is part of what the parties have signed. Agree on it in a new lease.",
			field).At(field)
	case !before.Changeable():
		return fault.New(
			fault.InvalidTransition,
			"%s cannot change: the lease is %s. Only move_in_date, move_out_date and notice_given_date can still "+
				"be noted.",
			field,
			before.Status,
		).At(field)
	}
	return nil
}

// termChanged names the first term that differs, "" where none does, and reports whether it can change
// only while the lease is a draft.
func termChanged(l *portfolio.Lease, b *portfolio.Lease) (field string, draftOnly bool) {
	t, o := &l.Terms, &b.Terms
	for _, term := range []struct {
		field string
		Same  bool
	}{
		{"start_date", l.StartDate == b.StartDate},
		{"end_date", change.Same(l.EndDate, b.EndDate)},
		{"lease_type", l.LeaseType == b.LeaseType},
		{"rent_due_day", l.RentDueDay == b.RentDueDay},
		{"late_fee_amount", change.Same(l.LateFeeAmount, b.LateFeeAmount)},
		{"late_fee_frequency", t.LateFeeFrequency == o.LateFeeFrequency},
		{"late_fee_grace_days", change.Same(l.LateFeeGraceDays, b.LateFeeGraceDays)},
		{"monthly_rent", l.MonthlyRent == b.MonthlyRent},
		{"security_deposit", l.SecurityDeposit == b.SecurityDeposit},
	} {
		if !term.Same {
			return term.field, false
		}
	}
	return cmp.Or(PartiesChanged(l, b), t.Changed(o)), true
}

// PartiesChanged names the first list of parties that differs, guarantors or co_owners, "" where none does.
func PartiesChanged(l, before *portfolio.Lease) (field string) {
	switch {
	case !slices.Equal(l.GuarantorIDs(), before.GuarantorIDs()):
		return "guarantors"
	case !reflect.DeepEqual(l.Terms.CoOwners, before.Terms.CoOwners):
		return "co_owners"
	}
	return ""
}

// check holds a lease whose terms change against what forbids them.
func (s *Leases) check(ctx context.Context, by access.Actor, m *change.Result[portfolio.Lease]) error {
	if field, _ := termChanged(m.After, m.Before); field == "" || s.Documents == nil {
		return nil
	}
	return s.Documents.Check(ctx, by, m)
}

// saveWithTerms writes a lease with its terms.
func (s *Leases) saveWithTerms(ctx context.Context, in access.Portfolio, l *portfolio.Lease) error {
	if err := s.store.SaveLease(ctx, in, l); err != nil {
		return err
	}
	return s.store.SaveLeaseTerms(ctx, in, l)
}

// followParties writes the parties of a lease whose guarantors or co-owners change.
func (s *Leases) followParties(ctx context.Context, by access.Actor, m *change.Result[portfolio.Lease]) error {
	if PartiesChanged(m.After, m.Before) == "" {
		return nil
	}
	if err := s.store.SaveParties(ctx, by.Portfolio, m.After); err != nil {
		return err
	}
	return s.NoteJoined(ctx, by, m.After)
}

// followLease lets unit, tenants, property and ledger follow a lease.
func (s *Leases) followLease(ctx context.Context, by access.Actor, m *change.Result[portfolio.Lease]) error {
	if err := s.followParties(ctx, by, m); err != nil {
		return err
	}
	var touched affected
	touched.add(m.After)
	touched.tenants = append(touched.tenants, m.Before.GuarantorIDs()...)
	if err := s.occupancy.derive(ctx, by.Portfolio, touched, clock.At(s.Now(by.Portfolio))); err != nil {
		return err
	}
	if err := s.followLedger(ctx, by, m); err != nil {
		return err
	}
	if s.Documents != nil && m.After.Status == portfolio.LeaseDraft {
		if err := s.Documents.Remake(ctx, by, m.After.ID); err != nil {
			return err
		}
	}
	return nil
}

// followLedger has the ledger of a lease follow it where something changes that it is charged by.
func (s *Leases) followLedger(ctx context.Context, by access.Actor, m *change.Result[portfolio.Lease]) error {
	l, b := m.After, m.Before
	if field, _ := termChanged(
		l,
		b,
	); field == "" && l.Status == b.Status && change.Same(l.TerminatedOn, b.TerminatedOn) &&
		change.Same(l.MoveOutDate, b.MoveOutDate) ||
		l.Open() {
		return nil
	}
	if l.NeverStarted() && !b.NeverStarted() {
		if err := s.voidUnstarted(ctx, by, m); err != nil {
			return err
		}
	}
	last, was := l.LastDay(), b.LastDay()
	made, err := s.ledger.Follow(ctx, by, l, last != nil && (was == nil || *last < *was))
	if made.Voided > 0 {
		m.Warn("rent_voided", texts.Counted(made.Voided, "unpaid charge")+" for later periods voided.")
	}
	if made.Revised > 0 {
		m.Warn("rent_revised", texts.Counted(made.Revised, "unpaid charge")+" changed with the lease.")
	}
	if made.Credited > 0 {
		m.Warn("rent_credited", "What was paid of "+texts.Counted(made.Credited, "charge")+
			" for later periods is credited to the tenants.")
	}
	return err
}
