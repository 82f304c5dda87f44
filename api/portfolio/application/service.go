package application

import "portal/api/portfolio"

// Store is what invitations and applications need of the store.
type Store interface {
	invitationStore
	applicationStore
	applicantStore
	emailStore
}

// Services is the way from an invitation to a tenant, by who does what.
type Services struct {
	Invitations  *Invitations
	Applications *Applications
	Applicants   *Applicants
	Emails       *Emails
}

// New makes the services beside the rules of a portfolio, whose parts it shares.
func New(p *portfolio.Service, store Store) *Services {
	return &Services{
		Invitations:  &Invitations{p.Common, store},
		Applications: &Applications{p.Common, store},
		Applicants:   &Applicants{p.Common, store},
		Emails:       &Emails{p.Common, store},
	}
}
