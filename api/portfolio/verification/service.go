package verification

import "portal/api/portfolio"

// New makes the rules of verification beside those of a portfolio, whose parts
// they share.
func New(p *portfolio.Service, store Store) *Verifications {
	return &Verifications{p.Common, store}
}
