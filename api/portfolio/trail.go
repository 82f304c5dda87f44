package portfolio

import (
	"context"
	"strconv"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
)

// Trail keeps what people did, along with the transaction.
type Trail interface {
	Record(ctx context.Context, e audit.Event) error
}

// traced is a record that the trail can name.
type traced interface {
	Identity() string
	Revision() int64
	kind() string
}

// kind is what sort of record it is.
func (r *Record) kind() string { return r.Object }

// note keeps in the trail what a person has made or changed. What a program does is in the
// log of requests, and what the calendar does is nobody's.
func (s *Service) note(ctx context.Context, by access.Actor, o change.Outcome) error {
	after, named := o.Shown().(traced)
	if s.Trail == nil || !named || audit.From(ctx).UserID == "" {
		return nil
	}
	before, there := o.Earlier().(traced)
	if there && before.Revision() == after.Revision() {
		return nil
	}
	e := audit.Event{AccountID: by.AccountID, Action: after.kind() + ".created", Target: after.Identity(),
		Details: map[string]string{"mode": string(by.Portfolio.Mode), "version": strconv.FormatInt(after.Revision(), 10)}}
	if there {
		e.Action = after.kind() + ".changed"
	}
	if p, money := o.Shown().(*Payment); money { // of parts of a payment the ledger keeps the sum alone
		p.trace(e.Details)
	}
	return s.Trail.Record(ctx, e)
}

// trace tells how a ledger row stands.
func (p *Payment) trace(details map[string]string) {
	details["status"], details["amount"], details["amount_paid"] = string(p.Status), p.Amount.String(), p.AmountPaid.String()
	if p.Method != nil {
		details["method"] = string(*p.Method)
	}
}
