package portfolio

import (
	"context"
	"strconv"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
)

// note records in the audit trail what a person has created or changed, unless the rule has
// recorded it by itself.
func (s *Common) note(ctx context.Context, by access.Actor, o change.Outcome) error {
	shown, is := o.Shown().(interface{ itself() *Record })
	if !is || alreadyRecorded(o) {
		return nil
	}
	r, details := shown.itself(), map[string]string{}
	action := r.Object + ".created"
	if before, there := o.Earlier().(interface{ Revision() int64 }); there {
		if action = r.Object + ".changed"; before.Revision() == r.Version {
			return nil
		}
	}
	if v, more := shown.(interface{ Trace(map[string]string) }); more {
		v.Trace(details)
	}
	details["version"] = strconv.FormatInt(r.Version, 10)
	return s.RecordDone(ctx, by, action, r.ID, details)
}

// itself is the record, whatever it is part of.
func (r *Record) itself() *Record { return r }

// alreadyRecorded reports whether the rule has recorded the change by itself: the property was archived,
// restored or verified.
func alreadyRecorded(o change.Outcome) bool {
	after, is := o.Shown().(*Property)
	before, was := o.Earlier().(*Property)
	return is && was && before.Location() == after.Location() &&
		(before.Status != after.Status || before.VerificationStatus != after.VerificationStatus)
}

// Trace adds the state of a ledger row to the details. The ledger keeps only the sum of partial
// payments, so the trail shows each of them.
func (p *Payment) Trace(details map[string]string) {
	details["status"] = string(p.Status)
	details["amount"] = p.Amount.String()
	details["amount_paid"] = p.AmountPaid.String()
	if p.Method != nil {
		details["method"] = string(*p.Method)
	}
}

// RecordDone takes down what a person did. What a key does is in the log of requests.
func (s *Common) RecordDone(
	ctx context.Context, by access.Actor, action, target string, details map[string]string,
) error {
	if s.Trail.Store == nil || audit.From(ctx).UserID == "" {
		return nil
	}
	if details == nil {
		details = map[string]string{}
	}
	if by.Portfolio.Mode != "" { // what belongs to the account as a whole has none
		details["mode"] = string(by.Portfolio.Mode)
	}
	return s.Trail.Record(ctx, audit.Event{
		AccountID: by.AccountID,
		Action:    action,
		Target:    target,
		Details:   details,
	})
}
