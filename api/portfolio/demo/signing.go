package demo

import (
	"crypto/sha256"
	"encoding/hex"

	"portal/api/clock"
	"portal/api/portfolio"
)

// sign lets the parties sign as far as the status says. The landlord has signed
// before them, so a lease is signed when the last tenant has.
func (b *draft) sign(l *portfolio.Lease) {
	switch l.Status {
	case portfolio.LeaseDraft, portfolio.LeaseDeclined, portfolio.LeaseVoided:
	case portfolio.LeasePendingSignature:
		b.signFirst(l, len(l.Tenants)-1)
	default:
		if b.imported(l) {
			return
		}
		l.SignedAt = new(b.signFirst(l, len(l.Tenants)))
		sum := sha256.Sum256([]byte("demo " + l.ID))
		l.DocumentSHA256 = new(hex.EncodeToString(sum[:]))
	}
	if l.Status == portfolio.LeaseDraft || l.Status == portfolio.LeasePendingSignature {
		l.ExpiresAt = new(l.CreatedAt + openDays*24*3_600_000)
	}
}

// signFirst lets the first n parties sign, one some hours after the other, and
// returns when the last of them did.
func (b *draft) signFirst(l *portfolio.Lease, n int) clock.Time {
	at := l.CreatedAt
	for i := range n {
		party := &l.Tenants[i]
		at = b.later(at, 7, l.ID+party.ID)
		party.SignedAt = new(at)
		touch(&l.Record, at)
	}
	return at
}

// close ends a lease before its last day: terminated on a day, or never in force.
func (b *draft) close(l *portfolio.Lease, r row) {
	if r["ended"] == "" {
		return
	}
	on := b.day(r["ended"], known{"made": b.date(l.CreatedAt)})
	if l.Status == portfolio.LeaseTerminated {
		l.TerminatedOn, l.TerminationReason = &on, r.text("reason")
		return
	}
	touch(&l.Record, b.during(on, 17, l.ID))
}

// move fills when the tenants came, gave notice and went. Those of a renewal came
// with the lease that it renews.
func (b *draft) move(l, prior *portfolio.Lease, r row) {
	if !l.Binding() {
		return
	}
	l.MoveInDate = new(l.StartDate)
	if in := l.StartDate + clock.Date(roll(3, "in", l.ID)); in <= b.today {
		l.MoveInDate = &in
	}
	if l.RenewedFromLeaseID != nil {
		l.MoveInDate = prior.MoveInDate
	}
	switch l.Status {
	case portfolio.LeaseTerminated:
		l.MoveOutDate = new(*l.TerminatedOn - clock.Date(roll(3, "out", l.ID)))
	case portfolio.LeaseExpired:
		l.MoveOutDate = new(*l.EndDate)
		l.NoticeGivenDate = new(*l.EndDate - clock.Date(31+roll(28, "notice", l.ID)))
	}
	if r["notice"] != "" {
		l.NoticeGivenDate = new(b.day(r["notice"], nil))
		l.MoveOutDate = l.EndDate
	}
	if r["out"] != "" {
		l.MoveOutDate = new(b.day(r["out"], nil))
	}
}

// turningDays are the days on which a lease began, was given notice of and ended, as far
// as they have come.
func (b *draft) turningDays(l *portfolio.Lease) []clock.Date {
	if !l.Binding() || l.Status == portfolio.LeaseSigned {
		return nil
	}
	days := []clock.Date{l.StartDate}
	if l.NoticeGivenDate != nil {
		days = append(days, *l.NoticeGivenDate)
	}
	switch l.Status {
	case portfolio.LeaseTerminated:
		days = append(days, *l.TerminatedOn)
	case portfolio.LeaseExpired, portfolio.LeaseRenewed:
		days = append(days, l.EndDate.AddDays(1))
	}
	return days
}
