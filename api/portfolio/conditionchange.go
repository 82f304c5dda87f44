package portfolio

import (
	"context"

	"portal/api/access"
	"portal/api/language"
)

// ConditionChanges is how the condition of a home has changed during a tenancy, by the reports of moving in and out.
type ConditionChanges struct {
	// Agreed reports whether the landlord and all tenants have signed both reports.
	Agreed bool              `json:"agreed"`
	Items  []ConditionChange `json:"items"`
}

// ConditionChange is an item of a home which the landlord has found in another condition at moving out.
type ConditionChange struct {
	Room     Translated `json:"room"`
	Item     Translated `json:"item"`
	MovedIn  Translated `json:"moved_in"` // what the landlord says, with a note, and what the tenants say beside it
	MovedOut Translated `json:"moved_out"`
}

// Translated is a text in both languages. What people wrote is the same in both.
type Translated struct {
	English string `json:"en"`
	Spanish string `json:"es"`
}

// In is the text in a language.
func (t Translated) In(l language.Language) string { return l.Say(t.English, t.Spanish) }

// Conditions knows how the condition of homes has changed.
type Conditions interface {
	// Changes is how a home has changed during the tenancy that a lease belongs to, as far as the landlord says so in
	// reports that the tenants have seen; nil where there are no two of them.
	Changes(ctx context.Context, by access.Actor, leaseID string) (*ConditionChanges, error)
}
