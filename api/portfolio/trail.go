package portfolio

import (
	"context"
	"strconv"

	"portal/api/access"
	"portal/api/change"
)

// note takes down what a person has made or changed of leases, tickets and the ledger.
// The other rules say themselves what was done.
func (s *Service) note(ctx context.Context, by access.Actor, o change.Outcome) error {
	details := map[string]string{}
	var r *Record
	switch v := o.Shown().(type) {
	case *Lease:
		r = &v.Record
	case *Ticket:
		r = &v.Record
	case *Payment:
		r = &v.Record
		v.trace(details)
	default:
		return nil
	}
	action := r.Object + ".created"
	if before, there := o.Earlier().(interface{ Revision() int64 }); there {
		if action = r.Object + ".changed"; before.Revision() == r.Version {
			return nil
		}
	}
	details["version"] = strconv.FormatInt(r.Version, 10)
	return s.recordDone(ctx, by, action, r.ID, details)
}

// trace tells how a ledger row stands: of parts of a payment the ledger keeps the sum
// alone.
func (p *Payment) trace(details map[string]string) {
	details["status"], details["amount"], details["amount_paid"] = string(p.Status), p.Amount.String(), p.AmountPaid.String()
	if p.Method != nil {
		details["method"] = string(*p.Method)
	}
}
