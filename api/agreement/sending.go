package agreement

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// Sending is whether a lease was sent for signature.
type Sending struct {
	RequestedAt *clock.Time // when somebody asked for it, nil while it is a draft that nobody has sent
	SentAt      *clock.Time // when the links were emailed, nil while something blocks a signature
}

// Blocker is what keeps a lease from being signed.
type Blocker struct {
	// The code of the error that a signature would get.
	Code fault.Code `json:"code" example:"lead_paint_unanswered"`
	// What is wrong, and what to do.
	Message string `json:"message"`
}

// SchemaName is the name of the OpenAPI component.
func (Blocker) SchemaName() string { return "LeaseBlocker" }

// SendRequested reports whether somebody asked for the lease to be sent.
func (l *LeaseWithTerms) SendRequested() bool { return l.Sending.RequestedAt != nil }

// blockers are what keeps a lease that is open from being signed by all.
func (s *Service) blockers(ctx context.Context, in access.Portfolio, t *document.Terms) ([]Blocker, error) {
	all := []Blocker{}
	l := t.Lease
	if !l.Open() || l.DocumentID == nil {
		return all, nil
	}
	if (&review{Terms: t}).leadUnanswered() {
		all = append(all, Blocker{
			Code:    fault.LeadPaintUnanswered,
			Message: "Say in lead_paint what you know about lead-based paint in the home.",
		})
	}
	if (&review{Terms: t}).ownMissing() {
		all = append(all, Blocker{
			Code:    fault.OwnDocumentMissing,
			Message: "Add the PDF that is the text of the lease, with is_lease.",
		})
	}
	ids, err := s.overlapping(ctx, in, l)
	if len(ids) > 0 {
		all = append(all, Blocker{
			Code: fault.LeaseDatesOverlap,
			Message: fmt.Sprintf(
				"The unit has another open lease in these dates: %s. Choose other dates, or end that one.",
				strings.Join(ids, ", "),
			),
		})
	}
	return all, err
}

// overlapping are the leases of the unit in the same dates.
func (s *Service) overlapping(ctx context.Context, in access.Portfolio, l *portfolio.Lease) (ids []string, err error) {
	all, err := s.store.Leases(ctx, in, portfolio.LeaseFilter{Query: portfolio.AllLeases, UnitID: l.UnitID})
	for i := range all {
		if l.Overlaps(&all[i]) {
			ids = append(ids, all[i].ID)
		}
	}
	return ids, err
}

// Send has the links of a lease emailed to those who sign it, now or as soon as nothing blocks a signature. Who asks
// again changes nothing.
func (s *Service) Send(ctx context.Context, by access.Actor, leaseID string) (*change.Result[LeaseWithTerms], error) {
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[LeaseWithTerms], error) {
		before, err := s.Lease(ctx, by, leaseID)
		if err != nil {
			return nil, err
		}
		switch {
		case before.DocumentID == nil:
			return nil, fault.New(
				fault.InvalidTransition,
				"The lease was not generated here, so it can't be sent for signature.",
			)
		case !before.Open() || before.Lapsed(s.BusinessNow(by.Portfolio)):
			return nil, fault.New(fault.InvalidTransition, "The lease can no longer be signed.")
		}
		m := &change.Result[LeaseWithTerms]{Before: before, After: before}
		if before.Sending.RequestedAt != nil || change.IsDryRun(ctx) {
			return m, nil
		}
		if err := s.requestSending(ctx, by.Portfolio, *before.DocumentID); err != nil {
			return nil, err
		}
		if err := s.SendWaiting(ctx, by.Portfolio, leaseID); err != nil {
			return nil, err
		}
		m.After, err = s.Lease(ctx, by, leaseID)
		return m, err
	})
}

// requestSending notes that somebody asked for a lease to be sent.
func (s *Service) requestSending(ctx context.Context, in access.Portfolio, documentID string) error {
	return s.store.SaveSending(ctx, in, documentID, Sending{RequestedAt: new(s.Moment(ctx, in))})
}

// SendWaiting emails the links of a lease that is to be sent, unless something still blocks a signature; in the
// transaction of the context, in which nobody else changes the portfolio.
func (s *Service) SendWaiting(ctx context.Context, in access.Portfolio, leaseID string) error {
	l, err := s.store.Lease(ctx, in, leaseID)
	if err != nil || l.DocumentID == nil || !l.Open() || l.Lapsed(s.BusinessNow(in)) || s.Offers == nil {
		return err
	}
	sending, err := s.store.Sending(ctx, in, *l.DocumentID)
	if err != nil || sending.RequestedAt == nil || sending.SentAt != nil {
		return err
	}
	t := &document.Terms{Lease: &l}
	if err := s.fill(ctx, in, t); err != nil {
		return err
	}
	blocked, err := s.blockers(ctx, in, t)
	if err != nil || len(blocked) > 0 {
		return err
	}
	sending.SentAt = new(s.Moment(ctx, in))
	if err := s.store.SaveSending(ctx, in, *l.DocumentID, sending); err != nil {
		return err
	}
	return s.Offers.SendLinks(ctx, in, leaseID)
}

// mostWaiting is how many leases are read at a time.
const mostWaiting = 100

// Waiting is a lease that is to be sent once nothing blocks a signature.
type Waiting struct {
	In      access.Portfolio
	LeaseID string
}

// SendUnblocked sends the leases that wait for it and that nothing blocks any more. One that fails keeps no other
// back.
func (s *Service) SendUnblocked(ctx context.Context) error {
	var failed []error
	behind := ""
	for {
		all, err := s.store.WaitingToSend(ctx, behind, mostWaiting)
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
		for _, w := range all {
			err := s.Tx.Exclusively(ctx, w.In, func(ctx context.Context) error {
				return s.SendWaiting(ctx, w.In, w.LeaseID)
			})
			if err != nil {
				failed = append(failed, fmt.Errorf("send the lease %s: %w", w.LeaseID, err))
			}
			behind = w.LeaseID
		}
		if len(all) < mostWaiting {
			return errors.Join(failed...)
		}
	}
}
