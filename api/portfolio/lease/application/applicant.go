package application

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/money"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/texts"
)

// Applicants is what a landlord can do with those who were invited.
type Applicants struct {
	*portfolio.Common
	store Store
}

// Applicant is an invitation with the home that it is about and what came of it, as the
// landlord sees it. Of the landlord nothing is filled.
type Applicant struct {
	Lead
	Application *Application // nil: none was sent
}

// Identity is the id of the invitation.
func (a *Applicant) Identity() string { return a.Invitation.ID }

// Revision is always the same: what changes of an applicant does not move them in a list.
func (a *Applicant) Revision() int64 { return 1 }

// Decision is what a landlord makes of an application.
type Decision string

// The decisions. Each is final.
const (
	Undecided Decision = ""
	Accepted  Decision = "accepted"
	Declined  Decision = "declined"
)

// Standing is where an applicant stands: the status of the invitation, and beyond it what
// the landlord decided.
type Standing string

// The standings that no status of an invitation says.
const (
	ToDecide    Standing = "to_decide"
	HasAccepted Standing = Standing(Accepted)
	HasDeclined Standing = Standing(Declined)
)

// Values are all standings, in the order in which they follow each other.
func (Standing) Values() []string {
	return []string{"sent", "opened", "to_decide", "accepted", "declined", "expired", "cancelled"}
}

// Status is how far the applicant is.
func (a *Applicant) Status() Standing {
	switch {
	case a.Invitation.Status != InvitationApplied || a.Application == nil:
		return Standing(a.Invitation.Status)
	case a.Application.Decision == Undecided:
		return ToDecide
	}
	return Standing(a.Application.Decision)
}

// Open reports whether an application may still be sent.
func (a *Applicant) Open() bool { return a.Invitation.open() }

// ApplicantFilter narrows a list of applicants.
type ApplicantFilter struct {
	Standing  Standing // "" for all
	Before    string   // only those behind the invitation of this id in the list, "" for all
	Ascending bool     // the oldest first
	Limit     int
}

// Applicants lists the people who were invited to apply, the newest first unless they are to ascend.
func (s *Applicants) Applicants(ctx context.Context, by access.Actor, f ApplicantFilter) ([]Applicant, error) {
	now := s.BusinessNow(by.Portfolio)
	all, err := s.store.Applicants(ctx, by.Portfolio, f, now)
	for i := range all {
		all[i].Invitation.compute(now)
	}
	return all, err
}

// ApplicantCounts counts the people who were invited to apply by how far they are, list.Most of
// each at most.
func (s *Applicants) ApplicantCounts(ctx context.Context, by access.Actor) (list.Counts[Standing], error) {
	return s.store.ApplicantCounts(ctx, by.Portfolio, s.BusinessNow(by.Portfolio))
}

// Applicant is one of them, by the invitation.
func (s *Applicants) Applicant(ctx context.Context, by access.Actor, invitationID string) (*Applicant, error) {
	a, err := s.store.Applicant(ctx, by.Portfolio, invitationID)
	a.Invitation.compute(s.BusinessNow(by.Portfolio))
	if err != nil {
		return nil, err
	}
	return &a, nil
}

// Create is the application that a lead sends. It comes from a stranger: its texts must not change
// the direction of the text around them.
type Create struct {
	// First name.
	FirstName string `json:"first_name" minlen:"1" maxlen:"127"`
	// Last name.
	LastName string `json:"last_name" minlen:"1" maxlen:"127"`
	// Email address.
	Email string `json:"email" format:"email"`
	// Phone number.
	Phone string `json:"phone" format:"phone"`
	// The day on which the household would like to move in.
	MoveInDate clock.Date `json:"move_in_date"`
	// How many adults will live there.
	Adults int `json:"adults" min:"1" max:"20"`
	// How many children will live there.
	Children *int `json:"children" min:"0" max:"20"`
	// Pets: which, how many and how large.
	Pets *string `json:"pets" format:"text" maxlen:"300"`
	// Monthly income of the household in dollars, before taxes.
	MonthlyIncome money.Cents `json:"monthly_income"`
	// What the landlord should know.
	Notes *string `json:"notes" format:"text" maxlen:"2000"`
}

// aheadMonths is how far ahead a move may lie.
const aheadMonths = 24

// Check finds what the fields' own rules do not.
func (c Create) Check(today clock.Date) (all []fault.Detail) {
	for _, field := range []struct {
		name string
		text *string
	}{{"first_name", &c.FirstName}, {"last_name", &c.LastName}, {"pets", c.Pets}, {"notes", c.Notes}} {
		if field.text != nil && texts.Reordered(*field.text) {
			all = append(all, fault.Wrong(field.name, fault.Invisible+"."))
		}
	}
	if last := today.AddMonths(aheadMonths); c.MoveInDate < today || c.MoveInDate > last {
		all = append(all, fault.Wrong("move_in_date", fmt.Sprintf("must be a day from %s to %s.",
			today.Words(), last.Words())))
	}
	return all
}

var create = operation.DefineInput[Create]("apply")

// application is what is kept of it.
func (c Create) application() Application {
	a := Application{
		FirstName:     c.FirstName,
		LastName:      c.LastName,
		Email:         c.Email,
		Phone:         c.Phone,
		MoveInDate:    c.MoveInDate,
		Adults:        c.Adults,
		Pets:          c.Pets,
		MonthlyIncome: c.MonthlyIncome,
		Notes:         c.Notes,
	}
	if c.Children != nil {
		a.Children = *c.Children
	}
	return a
}
