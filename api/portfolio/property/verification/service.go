package verification

import "portal/api/portfolio/records"

// New makes the rules of verification beside those of a portfolio, whose parts
// they share.
func New(p *records.Service, store Store) *Verifications { return &Verifications{p.Common, store} }
