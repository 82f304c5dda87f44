package developer

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
)

// UnitRequest is a request for more live units than the plan of an account has.
type UnitRequest struct {
	ID         string      `json:"id"`
	Units      int         `json:"units"` // that the account wants to have altogether
	AskedAt    clock.Time  `json:"asked_at"`
	AnsweredAt *clock.Time `json:"answered_at"` // nil while it is open
	Reason     *string     `json:"reason"`      // why it was declined, nil where the units were granted
	AskedBy    string      `json:"user_id"`     // id of the user who asked last

	AccountID string `json:"-"`
}

// UnitCase is an open request for more units as the staff sees it.
type UnitCase struct {
	UnitRequest
	Account string // the account's name
	Plan    Plan
	Asker   string // email address of the user who asked
}

// AskForUnits files a request of a member's account for so many live units altogether, and tells staff by email. Where
// one is open already, it gets the new number and keeps its place in the queue, without an email.
func (s *Service) AskForUnits(ctx context.Context, by Member, units int) (r UnitRequest, err error) {
	err = s.lockedAccount(ctx, by.AccountID, func(ctx context.Context) error {
		plan, err := s.PlanOf(ctx, by)
		if err != nil {
			return err
		}
		if limit := plan.Limits().Units; units <= limit {
			return fault.New(fault.InvalidTransition, "The plan already allows %d units.", limit)
		}
		var open bool
		if r, open, err = s.store.OpenUnitRequest(ctx, by.AccountID); err != nil || open && r.Units == units {
			return err
		}
		r.Units, r.AskedBy, r.AskedAt = units, by.UserID, clock.At(s.now())
		save := s.store.ChangeUnitRequest
		if !open {
			r.ID, r.AccountID = id.New(id.UnitRequest, s.now()), by.AccountID
			save = s.store.AddUnitRequest
		}
		if err := save(ctx, r); err != nil {
			return err
		}
		if !open {
			if err := s.tellStaff(ctx, &r, plan.Limits().Units); err != nil {
				return err
			}
		}
		return s.recordUnits(ctx, "units.requested", &r)
	})
	return r, err
}

// OpenUnitRequest is the request of a member's account for more units that is not answered, false where there is none.
func (s *Service) OpenUnitRequest(ctx context.Context, by Member) (UnitRequest, bool, error) {
	return s.store.OpenUnitRequest(ctx, by.AccountID)
}

// UnitRequestsOf are the requests of a member's account for more units, the newest first.
func (s *Service) UnitRequestsOf(ctx context.Context, by Member) ([]UnitRequest, error) {
	return s.store.UnitRequestsOf(ctx, by.AccountID)
}

// UnitCases are the open requests for more units of all accounts, the oldest first, list.Max of them at most.
func (s *Reviews) UnitCases(ctx context.Context) ([]UnitCase, error) {
	return s.service.store.UnitCases(ctx, list.Max)
}

// DeclineUnits closes the open request of an account for more units, with a reason that is mailed to the person who
// asked. It leaves a request open that has another id than the one that staff have seen.
func (s *Reviews) DeclineUnits(ctx context.Context, accountID, requestID, reason string) error {
	if strings.TrimSpace(reason) == "" {
		return fault.New(fault.InvalidField, "Give a reason. The person who asked reads it.").At("reason")
	}
	if err := fits(reason, "reason"); err != nil {
		return err
	}
	return s.service.lockedAccount(ctx, accountID, func(ctx context.Context) error {
		r, open, err := s.service.store.OpenUnitRequest(ctx, accountID)
		if err != nil || !open || r.ID != requestID {
			return cmp.Or(err, error(fault.New(fault.InvalidTransition, "This request was already answered.")))
		}
		r.Reason = &reason
		return s.service.answerUnits(ctx, &r, 0)
	})
}

// grantUnits answers the open request of an account where a limit covers it, in the transaction of the context.
func (s *Service) grantUnits(ctx context.Context, accountID string, limit int) error {
	r, open, err := s.store.OpenUnitRequest(ctx, accountID)
	if err != nil || !open || limit < r.Units {
		return err
	}
	return s.answerUnits(ctx, &r, limit)
}

// answerUnits closes a request and mails the answer: the reason where it was declined, else the new limit.
func (s *Service) answerUnits(ctx context.Context, r *UnitRequest, limit int) error {
	r.AnsweredAt = new(clock.At(s.now()))
	if err := s.store.ChangeUnitRequest(ctx, *r); err != nil {
		return err
	}
	if err := s.tellUnits(ctx, r, limit); err != nil {
		return err
	}
	action := "units.granted"
	if r.Reason != nil {
		action = "units.declined"
	}
	return s.recordUnits(ctx, action, r)
}

func (s *Service) recordUnits(ctx context.Context, action string, r *UnitRequest) error {
	return s.audit.Record(ctx, audit.Event{
		AccountID: r.AccountID,
		Action:    action,
		Target:    r.ID,
		Details:   map[string]string{"units": strconv.Itoa(r.Units)},
	})
}

// endUnitRequest closes the open request of an account that is closed, without an email.
func (s *Service) endUnitRequest(ctx context.Context, accountID string) error {
	r, open, err := s.store.OpenUnitRequest(ctx, accountID)
	if err != nil || !open {
		return err
	}
	r.AnsweredAt, r.Reason = new(clock.At(s.now())), new("The account was closed.")
	return s.store.ChangeUnitRequest(ctx, r)
}

// unitRecipients are the members who get the answer to a request: the one who asked, or the owners if they have left.
func unitRecipients(members []AccountMember, r *UnitRequest) (to []AccountMember) {
	for _, m := range members {
		if m.UserID == r.AskedBy {
			return []AccountMember{m}
		}
		if m.Role == access.Owner {
			to = append(to, m)
		}
	}
	return to
}
