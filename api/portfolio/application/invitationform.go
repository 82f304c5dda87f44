package application

import (
	"context"
	"fmt"
	"strings"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
)

// InvitationForm is an invitation as a landlord typed it.
type InvitationForm struct {
	UnitID, Email, FirstName, LastName, Phone, Message, DesiredMoveInDate, OfferedRent string
}

// Invite is InviteTenant for what was typed into a form. All fields at fault are named at
// once.
func (s *Invitations) Invite(ctx context.Context, by access.Actor, f InvitationForm) (*change.Result[Invitation], error) {
	in, err := f.read(s.Today(by))
	if err != nil {
		return nil, err
	}
	return s.InviteTenant(ctx, by, in)
}

// read reads the form on a day.
func (f InvitationForm) read(today clock.Date) (TenantInvite, error) {
	var r formReader
	last := today.AddMonths(aheadMonths)
	t := TenantInvite{
		UnitID:    f.UnitID,
		Email:     reading(&r, "email", "the e-mail address of the applicant", f.Email, contact.Email, "an e-mail address, such as dana@example.com"),
		FirstName: r.optionalLine("first_name", f.FirstName, 127),
		LastName:  r.optionalLine("last_name", f.LastName, 127),
		Phone:     optional(&r, "phone", f.Phone, contact.Phone, "a phone number, such as (512) 555-0142"),
		Message:   r.text("message", f.Message, mostWords),
	}
	t.DesiredMoveInDate = optional(&r, "desired_move_in_date", f.DesiredMoveInDate, dayWithin(today, last), fmt.Sprintf("a day from %s to %s", today.Words(), last.Words()))
	t.OfferedRent = optional(&r, "offered_rent", f.OfferedRent, dollars, "an amount in dollars, such as 1,450")
	return t, fault.Invalid(r.details)
}

// optionalLine reads a text of one line that may be left out.
func (r *formReader) optionalLine(field, typed string, most int) *string {
	if strings.TrimSpace(typed) == "" {
		return nil
	}
	v := r.line(field, field, typed, most)
	return &v
}

// optional reads a field that may be left out, but has a form.
func optional[T any](r *formReader, field, typed string, parse func(string) (T, error), form string) *T {
	if strings.TrimSpace(typed) == "" {
		return nil
	}
	v := reading(r, field, field, typed, parse, form)
	return &v
}
