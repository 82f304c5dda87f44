package application

import (
	"portal/api/portfolio/records"
)

// Stores keep invitations, applications and what became of their emails, each as one of the
// Services needs them.
type Stores struct {
	Invitations  InvitationStore
	Applications FormStore
	Applicants   ApplicantStore
	Emails       EmailStore
}

// Services are the steps from an invitation to a tenant.
type Services struct {
	Invitations  *Invitations
	Applications *Applications
	Applicants   *Applicants
	Emails       *Emails
}

// New makes the services beside the rules of a portfolio, whose parts it shares.
func New(p *records.Service, stores Stores) *Services {
	return &Services{
		Invitations:  &Invitations{p.Common, stores.Invitations},
		Applications: &Applications{p.Common, stores.Applications},
		Applicants:   &Applicants{p.Common, stores.Applicants},
		Emails:       &Emails{p.Common, stores.Emails},
	}
}
