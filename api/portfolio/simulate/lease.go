package simulate

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/portfolio"
)

// signing is a lease that all parties can sign: one that is out for signature or, without an id, one that is to
// be generated.
type signing struct {
	leaseID string
	lease   *agreement.LeaseGenerate
}

// findSigning finds the first generated lease that is out for signature or, where none is, what can be leased: a
// vacant unit, or else a home whose lease can be renewed.
func (s *Session) findSigning(ctx context.Context) (found signing, err error) {
	leases, err := s.Store.Leases(ctx, s.by.Portfolio, portfolio.LeaseFilter{Query: all})
	if err != nil {
		return found, err
	}
	b := &bookings{leases, s.Portfolio.BusinessNow(s.by.Portfolio)}
	if found.leaseID, err = s.signable(ctx, b); err == nil && found.leaseID == "" {
		found.lease, err = s.tenancy(ctx, b)
	}
	return found, err
}

// signFound lets all parties sign the lease that was found, each on the page that their link opens. It is errTaken
// where others have signed or voided it meanwhile, or let its unit.
func (s *Session) signFound(ctx context.Context, found signing) (string, error) {
	b := &bookings{now: s.Portfolio.BusinessNow(s.by.Portfolio)}
	if found.lease == nil {
		l, err := s.Portfolio.Leases.Lease(ctx, s.by, found.leaseID)
		switch {
		case fault.Is(err, fault.NoRecord) || err == nil && !b.open(l):
			return "", errTaken
		case err != nil:
			return "", err
		}
		return l.ID, s.signAll(ctx, l.ID)
	}
	var err error
	b.leases, err = s.Store.Leases(ctx, s.by.Portfolio, portfolio.LeaseFilter{Query: all, UnitID: *found.lease.UnitID})
	if err != nil {
		return "", err
	}
	if b.let(found.lease.StartDate) {
		return "", errTaken
	}
	made, err := s.Agreements.Generate(ctx, s.by, *found.lease)
	if err != nil {
		return "", err
	}
	return made.After.ID, s.signAll(ctx, made.After.ID)
}

// signThis lets all parties sign a lease by its id.
func (s *Session) signThis(ctx context.Context, leaseID string) (string, error) {
	l, err := s.lease(ctx, leaseID)
	if err != nil {
		return "", err
	}
	b := &bookings{now: s.Portfolio.BusinessNow(s.by.Portfolio)}
	switch {
	case l.Landlord == nil:
		return "", nothing("This lease was not generated here, so it has no document to be signed.")
	case !b.open(l):
		return "", nothing("This lease is " + string(l.Status) + ". Only one that is not signed by all can be signed.")
	}
	return l.ID, s.signAll(ctx, l.ID)
}

// lease is the one that the field lease_id of a body names.
func (s *Session) lease(ctx context.Context, leaseID string) (*portfolio.Lease, error) {
	return portfolio.Find(ctx, s.by.Portfolio, id.Lease, leaseID, "lease",
		func(ctx context.Context, _ access.Portfolio, id string) (*portfolio.Lease, error) {
			return s.Portfolio.Leases.Lease(ctx, s.by, id)
		})
}

// signable is the first lease that is out for signature and that nothing keeps its parties from signing, "" for
// none.
func (s *Session) signable(ctx context.Context, b *bookings) (string, error) {
	for _, l := range b.outForSignature() {
		reachable, err := s.reachable(ctx, l.TenantIDs)
		if err != nil {
			return "", err
		}
		whole, err := s.Agreements.Lease(ctx, s.by, l.ID)
		if err != nil {
			return "", err
		}
		if reachable && len(whole.BlockedBy) == 0 {
			return l.ID, nil
		}
	}
	return "", nil
}

// reachable reports whether all of these tenants have an email address.
func (s *Session) reachable(ctx context.Context, tenantIDs []string) (bool, error) {
	for _, tenantID := range tenantIDs {
		t, err := s.Store.Tenant(ctx, s.by.Portfolio, tenantID)
		if err != nil || t.Email == nil {
			return false, err
		}
	}
	return true, nil
}

// tenancy is a lease that can be generated and signed.
func (s *Session) tenancy(ctx context.Context, b *bookings) (*agreement.LeaseGenerate, error) {
	last, err := s.vacated(ctx, b)
	if err != nil {
		return nil, err
	}
	people, err := s.newcomers(ctx, b)
	if err != nil {
		return nil, err
	}
	g := b.newTenancy(last, people, nextFirst(s.Portfolio.Today(s.by)))
	for _, l := range b.renewals() {
		if g != nil {
			break
		}
		reachable, err := s.reachable(ctx, l.TenantIDs)
		if err != nil {
			return nil, err
		}
		if reachable {
			g = renewal(l)
		}
	}
	if g == nil {
		return nil, nothing(
			"the demo portfolio has no lease to sign: no unit is vacant that was let before, or nobody looks for " +
				"one, and no lease ends that could be renewed",
		)
	}
	return g, nil
}

// signAll has every party of a lease sign it that has not yet, the landlord last.
func (s *Session) signAll(ctx context.Context, leaseID string) error {
	all, version, err := s.Agreements.SignerStates(ctx, s.by.Portfolio, leaseID)
	for i := 0; i < len(all) && err == nil; i++ {
		if all[i].SignedAt == nil {
			err = s.sign(ctx, &all[i], version)
		}
	}
	return err
}

// browser is the browser of the parties.
var browser = ceremony.Client{Browser: "Simulated by the demo portfolio"}

// sign has a party look at a lease, agree to electronic records, read the code in the mail, and sign.
func (s *Session) sign(ctx context.Context, signer *agreement.SignerState, version int) error {
	token := s.Agreements.SigningToken(signer)
	if err := s.Signings.Review(ctx, token, browser); err != nil {
		return err
	}
	if err := s.Signings.SendCode(ctx, token, browser); err != nil {
		return err
	}
	code, err := s.code(ctx, signer.ID)
	if err != nil {
		return err
	}
	p, err := s.Signings.Page(ctx, token)
	if err != nil {
		return err
	}
	return s.Signings.Sign(ctx, token, ceremony.Signature{
		Version: version, Code: code, Name: signer.Name, Initials: p.Initials(),
	}, browser)
}

var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

// code is the one that was just sent to a signer, in the mail that the demo portfolio keeps.
func (s *Session) code(ctx context.Context, signerID string) (string, error) {
	newest, err := s.Mail.MailsIn(ctx, s.by.Portfolio, mail.Filter{Limit: 1})
	if err != nil {
		return "", err
	}
	if len(newest) == 0 || newest[0].About == nil || *newest[0].About != signerID {
		return "", fmt.Errorf("no code was sent to the signer %s", signerID)
	}
	m, err := s.Mail.MailIn(ctx, s.by.Portfolio, newest[0].ID)
	if err != nil {
		return "", err
	}
	return sixDigits.FindString(m.Content.Text), nil
}

// nextFirst is the first day of the month after a day.
func nextFirst(d clock.Date) clock.Date {
	return d.LastOfMonth().AddDays(1)
}

// vacated are the last leases of the units that are vacant and that nobody is about to
// move into, the latest first.
func (s *Session) vacated(ctx context.Context, b *bookings) (last []*portfolio.Lease, err error) {
	seen := map[string]bool{}
	for i := range slices.Backward(b.leases) {
		l := &b.leases[i]
		if !l.Binding() || seen[l.UnitID] ||
			slices.ContainsFunc(b.leases, func(o portfolio.Lease) bool { return o.UnitID == l.UnitID && b.runs(&o) }) {
			continue
		}
		seen[l.UnitID] = true
		u, err := s.Store.Unit(ctx, s.by.Portfolio, l.UnitID)
		if err != nil {
			return nil, err
		}
		p, err := s.Store.Property(ctx, s.by.Portfolio, l.PropertyID)
		if err != nil {
			return nil, err
		}
		if u.Status == portfolio.UnitVacant && p.Status != portfolio.PropertyArchived {
			last = append(last, l)
		}
	}
	return last, nil
}

// newcomers live nowhere and are about to move in nowhere: those who have asked, and
// then those who have left.
func (s *Session) newcomers(ctx context.Context, b *bookings) (people []portfolio.Tenant, err error) {
	for _, status := range []portfolio.TenantStatus{portfolio.TenantProspect, portfolio.TenantPast} {
		found, err := s.Store.Tenants(ctx, s.by.Portfolio, portfolio.TenantFilter{Query: all, Status: status})
		if err != nil {
			return nil, err
		}
		people = append(people, found...)
	}
	return slices.DeleteFunc(people, func(t portfolio.Tenant) bool {
		return t.Email == nil || slices.ContainsFunc(b.leases, func(l portfolio.Lease) bool {
			return b.runs(&l) &&
				slices.Contains(l.TenantIDs, t.ID)
		})
	}), nil
}
