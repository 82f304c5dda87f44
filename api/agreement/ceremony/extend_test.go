package ceremony_test

import (
	"strings"
	"testing"
	"time"

	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/db/dbtest"
)

// extends gives the parties more days to sign.
func (f *fixture) extends(days int) error {
	_, err := f.rules.Leases.UpdateLease(f.Context(), f.by, change.Target{ID: f.lease.ID},
		lease.Update{ExpiresInDays: change.To(days)})
	return err
}

// expires lets the time to sign end, and the job of the calendar write that down.
func (f *fixture) expires() {
	f.Helper()
	f.now = f.now.AddDate(0, 0, 15)
	f.ok(f.rules.Calendar.RollOver(f.Context(), f.by.Portfolio, time.UTC))
	if l := f.reread(); l.Status != portfolio.LeaseVoided {
		f.Error(l.Status)
	}
}

func TestExpiredLeaseThatSomebodySignedIsExtended(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.signs(0)
		token := f.token(1)
		f.expires()
		if p := f.page(1); p.Standing != ceremony.Expired || !p.Extendable {
			f.Errorf("%s, %t", p.Standing, p.Extendable)
		}
		if err := f.Review(f.Context(), token, from); !fault.Is(err, fault.InvalidTransition) ||
			!strings.Contains(err.Error(), "for more time") {
			f.Error(err)
		}
		before := len(f.mails)
		f.ok(f.extends(10))
		if l := f.reread(); l.Status != portfolio.LeasePendingSignature || l.DocumentURL == nil ||
			*l.ExpiresAt != clock.At(f.now.AddDate(0, 0, 10)) {
			f.Errorf("%s until %v, %v", l.Status, l.ExpiresAt, l.DocumentURL)
		}
		if f.token(1) != token || f.page(1).Standing != ceremony.ToReview {
			f.Errorf("the link is another one, or shows %s", f.page(1).Standing)
		}
		told := f.mails[before:]
		if len(told) != 2 || told[0].To != f.address(1) || told[1].To != f.address(2) ||
			!strings.Contains(told[0].Text, token) || !strings.HasPrefix(told[0].Subject, "More time") {
			f.Errorf("%+v", told)
		}
		f.now = f.now.AddDate(0, 0, 4)
		f.ok(f.Remind(f.Context(), f.now))
		if got := len(f.mails) - before; got != 4 {
			f.Errorf("%d emails with the reminders", got)
		}
		f.signs(1)
		f.signs(2)
		says(f, f.executed(),
			"Expiry extended to "+f.now.AddDate(0, 0, 6).Format("January 2, 2006, 15:04:05")+
				" UTC by the landlord in the dashboard; it had passed on",
			"Email with more time to sign to "+f.address(1)+": queued")
		f.intact()
	})
}

// A lease that somebody signed says a name which its tenant has no more: nobody else may sign it.
func TestLeaseIsNotExtendedOnceItsTenantIsCalledOtherwise(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.signs(0)
		f.expires()
		rename := func(name string) {
			f.Helper()
			_, err := f.rules.Tenants.UpdateTenant(f.Context(), f.by, change.Target{ID: *f.lease.Signers[1].TenantID},
				lease.TenantUpdate{LastName: change.To(name)})
			f.ok(err)
		}
		rename("Tran")
		err := f.extends(10)
		if !fault.Is(err, fault.InvalidTransition) || fault.From(err).Param != "expires_in_days" ||
			!strings.Contains(err.Error(), "says “Nguyễn Thảo”, and this tenant is now called “Nguyễn Tran”") {
			f.Error(err)
		}
		if l := f.reread(); l.Status != portfolio.LeaseVoided {
			f.Error(l.Status)
		}
		rename("Thảo")
		f.ok(f.extends(10))
		f.intact()
	})
}

func TestExtensionOfOpenLeaseMovesItsLastDay(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.now = f.now.AddDate(0, 0, 13)
		f.ok(f.extends(30))
		f.now = f.now.AddDate(0, 0, 20)
		if p := f.page(0); p.Standing != ceremony.ToReview {
			f.Error(p.Standing)
		}
		if kinds := f.log(); !strings.Contains(kinds, "extended, mail_queued") {
			f.Error(kinds)
		}
	})
}

func TestLeaseThatNobodySignedStaysExpired(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.expires()
		if err := f.extends(10); !fault.Is(err, fault.InvalidTransition) {
			f.Error(err)
		}
	})
}

func TestVoidedLeaseIsNotExtended(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.signs(0)
		_, err := f.rules.Leases.UpdateLease(f.Context(), f.by, change.Target{ID: f.lease.ID},
			lease.Update{Status: change.To(portfolio.LeaseVoided)})
		f.ok(err)
		if err := f.extends(10); !fault.Is(err, fault.InvalidTransition) {
			f.Error(err)
		}
	})
}

// Another lease of the unit is in the way of an expired one, as it is of the last signature.
func TestExpiredLeaseIsNotExtendedOverAnother(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.signs(0)
		f.expires()
		other, err := f.agreements.Generate(f.Context(), f.by, agreement.LeaseGenerate{
			PropertyID:    f.lease.PropertyID,
			TenantID:      f.lease.Tenants[0].ID,
			StartDate:     f.lease.StartDate,
			MonthlyRent:   f.lease.MonthlyRent,
			LeaseType:     new(portfolio.Fixed),
			RentDueDay:    new(1),
			ExpiresInDays: 14,
		})
		f.ok(err)
		dbtest.Exec(t, f.db, "UPDATE leases SET status = 'signed' WHERE id = $1", other.After.ID)
		if err := f.extends(10); !fault.Is(err, fault.LeaseDatesOverlap) {
			f.Error(err)
		}
		if l := f.reread(); l.Status != portfolio.LeaseVoided {
			f.Error(l.Status)
		}
	})
}

// A link to an address that the tenant no longer has stays ended when the lease lives again.
func TestAddressChangedWhileExpiredEndsEarlierLinks(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.signs(0)
		token := f.token(1)
		f.expires()
		_, err := f.rules.Tenants.UpdateTenant(f.Context(), f.by, change.Target{ID: f.lease.Tenants[1].ID},
			lease.TenantUpdate{Email: change.To(new("thao@example.com"))})
		f.ok(err)
		before := len(f.mails)
		f.ok(f.extends(10))
		if _, err := f.Page(f.Context(), token); !fault.Is(err, fault.NoRecord) {
			f.Errorf("the earlier link: %v", err)
		}
		if m := f.mails[before]; m.To != "thao@example.com" {
			f.Errorf("told %s", m.To)
		}
	})
}

// A tenant who has signed a lease that expired before others signed can have another address.
func TestSignerOfExpiredLeaseGetsAnotherAddress(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.signs(0)
		f.expires()
		_, err := f.rules.Tenants.UpdateTenant(f.Context(), f.by, change.Target{ID: *f.lease.Signers[0].TenantID},
			lease.TenantUpdate{Email: change.To(new("sam.rivera@example.com"))})
		f.ok(err)
		if log := f.log(); !strings.HasSuffix(log, "address_changed Sam Rivera") {
			f.Error(log)
		}
		f.intact()
	})
}
