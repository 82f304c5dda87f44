package upload

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/property"
	"portal/api/portfolio/rentroll"
)

// Rules are those of the records that the portfolio has and a file says otherwise.
type Rules struct {
	Units   *property.Units
	Leases  *lease.Leases
	Tenants *lease.Tenants
}

// By are the rules for somebody who imports.
func (r *Rules) By(by access.Actor) rentroll.Rules { return &applied{r, by} }

// applied makes changes for an actor.
type applied struct {
	*Rules
	by access.Actor
}

// Recorded is rentroll.Rules.
func (a *applied) Recorded(ctx context.Context, leases []portfolio.Lease) error {
	return a.Leases.Recorded(ctx, a.by, leases)
}

// endedWhy is why a lease was ended by an import.
const endedWhy = "It was not in an imported rent roll."

// Change is rentroll.Rules.
func (a *applied) Change(ctx context.Context, c *rentroll.Change) (err error) {
	to := change.Target{ID: c.ID}
	switch c.Kind {
	case rentroll.ChangeUnit:
		var u property.UnitUpdate
		if u, err = unitUpdate(c); err == nil {
			_, err = a.Units.UpdateUnit(ctx, a.by, to, u)
		}
	case rentroll.ChangeTenant:
		_, err = a.Tenants.UpdateTenant(ctx, a.by, to, tenantUpdate(c))
	case rentroll.ChangeLease, rentroll.EndLease:
		var u lease.Update
		if u, err = leaseUpdate(c); err == nil {
			_, err = a.Leases.UpdateLease(ctx, a.by, to, u)
		}
	}
	if err == nil || fault.From(err).Code == fault.Internal {
		return err
	}
	return &refusal{fmt.Sprintf("%s: %s", c.Address, fault.From(err).Message)}
}

// refusal is a change that a rule of its record refuses.
type refusal struct{ message string }

func (r *refusal) Error() string { return r.message }

func unitUpdate(c *rentroll.Change) (u property.UnitUpdate, err error) {
	for _, f := range c.Fields {
		var n int
		switch f.Name {
		case "bedrooms":
			_, err = fmt.Sscan(f.To, &n)
			u.Bedrooms = change.To(&n)
		case "square_feet":
			_, err = fmt.Sscan(f.To, &n)
			u.SquareFeet = change.To(&n)
		case "bathrooms":
			var h portfolio.Half
			h, err = portfolio.ParseHalf(f.To)
			u.Bathrooms = change.To(&h)
		case "market_rent":
			var m money.Cents
			m, err = money.Parse(f.To)
			u.MarketRent = change.To(&m)
		}
		if err != nil {
			return u, err
		}
	}
	return u, nil
}

func tenantUpdate(c *rentroll.Change) (u lease.TenantUpdate) {
	for _, f := range c.Fields {
		switch f.Name {
		case "email":
			u.Email = change.To(&f.To)
		case "phone":
			u.Phone = change.To(&f.To)
		}
	}
	return u
}

func leaseUpdate(c *rentroll.Change) (u lease.Update, err error) {
	for _, f := range c.Fields {
		switch f.Name {
		case "status":
			u.Status = change.To(portfolio.LeaseStatus(f.To))
			u.TerminationReason = change.To(new(endedWhy))
		case "terminated_on":
			var day clock.Date
			day, err = clock.ParseDate(f.To)
			u.TerminatedOn = change.To(&day)
		case "start_date":
			u.StartDate.Given = true
			u.StartDate.Value, err = clock.ParseDate(f.To)
		case "end_date":
			u.EndDate, err = dayOf(f)
			if f.To == "" {
				u.LeaseType = change.To(portfolio.MonthToMonth)
			} else if f.From == "" && !u.LeaseType.Given {
				u.LeaseType = change.To(portfolio.Fixed)
			}
		case "lease_type":
			u.LeaseType = change.To(portfolio.LeaseType(f.To))
		case "monthly_rent":
			u.MonthlyRent.Given = true
			u.MonthlyRent.Value, err = money.Parse(f.To)
		case "security_deposit":
			u.SecurityDeposit.Given = true
			u.SecurityDeposit.Value, err = money.Parse(f.To)
		default:
			err = termUpdate(&u, f)
		}
		if err != nil {
			return u, err
		}
	}
	return u, nil
}

// termUpdate is what changes of a lease beside its days and amounts.
func termUpdate(u *lease.Update, f rentroll.Field) (err error) {
	var n int
	switch f.Name {
	case "rent_due_day":
		_, err = fmt.Sscan(f.To, &n)
		u.RentDueDay = change.To(n)
	case "late_fee_amount":
		var m money.Cents
		m, err = money.Parse(f.To)
		u.LateFeeAmount = change.To(&m)
	case "late_fee_grace_days":
		_, err = fmt.Sscan(f.To, &n)
		u.LateFeeGraceDays = change.To(&n)
	case "move_in_date":
		u.MoveInDate, err = dayOf(f)
	case "move_out_date":
		u.MoveOutDate, err = dayOf(f)
	}
	return err
}

func dayOf(f rentroll.Field) (change.Field[*clock.Date], error) {
	if f.To == "" {
		return change.To[*clock.Date](nil), nil
	}
	day, err := clock.ParseDate(f.To)
	return change.To(&day), err
}
