package application

import (
	"fmt"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/operation"
	"portal/api/texts"
)

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
