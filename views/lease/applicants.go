package lease

import "portal/views/kit"

// Applicant is the page of one who was invited to apply.
type Applicant struct {
	kit.Record
	Message string   // of the landlord, in the email
	Answers *Answers // nil: no application was sent
}

// Answers are what an applicant said.
type Answers struct {
	Name, Email, Phone, MoveIn, Household, Income, Pets, Notes string
	Sent                                                       kit.Time
}

// InvitedApplicant is shown once an invitation is made.
type InvitedApplicant struct {
	kit.Frame
	kit.Heading
	Warnings []string
	Mail     string // where the email is, "" for nowhere
	Kept     string // address of the emails that are kept, "" where it is sent
	Secret   kit.Secret
	Path     string // of the invitation
}
