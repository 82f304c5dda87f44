package amendment

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/texts"
)

// Signing is how somebody signs.
type Signing struct {
	Name    string // as it was typed
	Seen    string // Amendment.SHA256 of the amendment that the page showed
	Address string // that the request came from, "" where it is not known
	Browser string // the User-Agent of the request, "" where it is not known
}

// Sizes of what is kept of who signs.
const (
	mostTypedName   = 200 // characters
	mostBrowserText = 500 // bytes
	mostReason      = 500 // characters
)

// Send signs a draft for an owner of the account and lets the parties see it. From then on what it says is fixed. A
// draft that would say anything else than what was shown is fault.StaleWrite.
func (s *Service) Send(
	ctx context.Context, by access.Actor, leaseID, amendmentID string, g Signing,
) (*Amendment, error) {
	return s.amend(ctx, by, leaseID, amendmentID, func(ctx context.Context, l *portfolio.Lease, a *Amendment) error {
		if err := s.maySend(ctx, by, l, a); err != nil {
			return err
		}
		name, err := typed(g.Name)
		if err != nil {
			return err
		}
		if a.SHA256() != g.Seen {
			return stale()
		}
		signature := s.signature(ctx, by, a, &g)
		signature.Name, signature.UserID = name, audit.From(ctx).UserID
		signature.Address = cmp.Or(g.Address, audit.From(ctx).Address)
		a.Signatures, a.Status, a.SentAt = []Signature{signature}, Sent, &signature.SignedAt
		return s.record(ctx, by, "sent", a)
	})
}

// maySend refuses to send an amendment for who asks, for what the lease is, and for what the law forbids.
func (s *Service) maySend(ctx context.Context, by access.Actor, l *portfolio.Lease, a *Amendment) error {
	switch {
	case by.Role != access.Owner:
		return fault.New(fault.OwnerRequired, "Only an owner of the account can sign an amendment for the landlord.")
	case a.Status != Draft:
		return fault.New(fault.InvalidTransition, "The amendment is %s already.", a.Status.words())
	}
	if err := a.refused(l, s.Today(by)); err != nil {
		return err
	}
	if a.Content.Address == "" {
		return fault.Of(fault.LandlordAddressRequired)
	}
	return s.rules.Leases.CheckAgreed(ctx, by, l, a.agreed(a.Content.After))
}

// typed is a name that somebody types to sign.
func typed(name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	switch {
	case name == "":
		return "", fault.New(fault.MissingField, "Type your name to sign.").At("name")
	case utf8.RuneCountInString(name) > mostTypedName || texts.Unreadable(name, false):
		return "", fault.New(fault.InvalidField, "Type your name in at most %d characters.", mostTypedName).At("name")
	}
	return name, nil
}

// signature is one of what an amendment says, without the name.
func (s *Service) signature(ctx context.Context, by access.Actor, a *Amendment, g *Signing) Signature {
	return Signature{
		SignedAt: s.agreements.Moment(ctx, by.Portfolio),
		Address:  g.Address,
		Browser:  texts.ClipBytes(g.Browser, mostBrowserText),
		SHA256:   a.SHA256(),
	}
}

// Withdraw takes back an amendment for an owner, while a party has yet to sign it.
func (s *Service) Withdraw(
	ctx context.Context, by access.Actor, leaseID, amendmentID, reason string,
) (*Amendment, error) {
	return s.amend(ctx, by, leaseID, amendmentID, func(ctx context.Context, _ *portfolio.Lease, a *Amendment) error {
		if by.Role != access.Owner {
			return fault.New(fault.OwnerRequired, "Only an owner of the account can withdraw an amendment.")
		}
		if a.Status != Sent {
			return fault.New(
				fault.InvalidTransition,
				"Only an amendment that waits for signatures can be withdrawn, and "+
					"this one is %s.",
				a.Status.words(),
			)
		}
		why, err := reasonOf(reason)
		if err != nil {
			return err
		}
		s.close(by, a, Withdrawn, why)
		return s.record(ctx, by, "withdrawn", a)
	})
}

// reasonOf is a reason as it is kept.
func reasonOf(reason string) (string, error) {
	reason = strings.TrimSpace(reason)
	switch n := utf8.RuneCountInString(reason); {
	case texts.Unreadable(reason, true):
		return "", fault.New(fault.InvalidField, "%s", fault.Invisible+".").At("reason")
	case n > mostReason:
		return "", fault.New(fault.InvalidField, "%s", fault.Characters(n, nil, new(mostReason))).At("reason")
	}
	return reason, nil
}

// leaseOf is a lease that the tenant who asks is a party of. Guarantors are.
func (s *Service) leaseOf(ctx context.Context, by access.Actor, leaseID string) (*portfolio.Lease, error) {
	if by.TenantID == "" || !id.Valid(id.Lease, leaseID) {
		return nil, fault.NotFound("lease")
	}
	l, err := s.Tx.Lease(ctx, by.Portfolio, leaseID)
	if err == nil && (!l.Binding() || !slices.Contains(l.TenantIDs, by.TenantID)) {
		err = fault.NotFound("lease")
	}
	if err != nil {
		return nil, err
	}
	return &l, nil
}

// shownTo reports whether the tenant who asks sees an amendment: it was sent to them.
func (a *Amendment) shownTo(by access.Actor) bool {
	return a.SentAt != nil && a.Content.party(by.TenantID) != nil
}

// AmendmentsForTenant are those of a lease that were sent to the tenant who asks, the newest first.
func (s *Service) AmendmentsForTenant(ctx context.Context, by access.Actor, leaseID string) ([]Amendment, error) {
	if _, err := s.leaseOf(ctx, by, leaseID); err != nil {
		return nil, err
	}
	all, err := s.store.Amendments(ctx, by.Portfolio, leaseID)
	return slices.DeleteFunc(all, func(a Amendment) bool { return !a.shownTo(by) }), err
}

// ForTenant is an amendment that was sent to the tenant who asks, or fault.NotFound.
func (s *Service) ForTenant(ctx context.Context, by access.Actor, leaseID, amendmentID string) (*Amendment, error) {
	l, err := s.leaseOf(ctx, by, leaseID)
	if err != nil {
		return nil, err
	}
	a, err := s.find(ctx, by, l, amendmentID)
	if err == nil && !a.shownTo(by) {
		err = fault.NotFound(noun)
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

// DocumentForTenant is Document for a tenant to whom the amendment was sent.
func (s *Service) DocumentForTenant(
	ctx context.Context, by access.Actor, leaseID, amendmentID string,
) ([]byte, error) {
	if _, err := s.ForTenant(ctx, by, leaseID, amendmentID); err != nil {
		return nil, err
	}
	return s.store.AmendmentDocument(ctx, by.Portfolio, leaseID, amendmentID)
}

// SignAsTenant signs an amendment for the tenant or guarantor who asks, whose name is to be typed as it is there. The
// last signature makes the PDF, and changes the lease where the day has come. Where the lease is not any more what the
// parties have before them, the amendment becomes void, and the signature is fault.InvalidTransition.
func (s *Service) SignAsTenant(
	ctx context.Context, by access.Actor, leaseID, amendmentID string, g Signing,
) (*Amendment, error) {
	return s.answer(ctx, by, leaseID, amendmentID, func(
		ctx context.Context, l *portfolio.Lease, a *Amendment, who *Party,
	) error {
		name, err := typed(g.Name)
		if err != nil {
			return err
		}
		switch {
		case !texts.SameName(name, who.Name):
			return fault.New(fault.InvalidField, "Type your name as it is here: %s.", who.Name).At("name")
		case a.SHA256() != g.Seen:
			return stale()
		case !a.intact():
			return fault.New(
				fault.InvalidTransition,
				"What the amendment says was changed since the landlord signed it.",
			)
		}
		signature := s.signature(ctx, by, a, &g)
		signature.Name, signature.TenantID = name, &who.TenantID
		a.Signatures = append(a.Signatures, signature)
		if len(a.Awaited()) > 0 {
			return nil
		}
		return s.complete(ctx, by, l, a, signature.SignedAt)
	})
}

// intact reports whether all signatures stand for what the amendment says.
func (a *Amendment) intact() bool {
	says := a.SHA256()
	return !slices.ContainsFunc(a.Signatures, func(s Signature) bool { return s.SHA256 != says })
}

// complete is that all have signed: the PDF is made and kept, and the lease changes where the day has come.
func (s *Service) complete(
	ctx context.Context, by access.Actor, l *portfolio.Lease, a *Amendment, at clock.Time,
) error {
	a.Status, a.SignedAt = Signed, &at
	content, err := s.agreements.Sealed(ctx, by.Portfolio, compose(a), at)
	if err != nil {
		return err
	}
	if !change.IsDryRun(ctx) {
		sum := sha256.Sum256(content)
		a.DocumentSHA256 = new(hex.EncodeToString(sum[:]))
		if err := s.store.SaveAmendmentDocument(ctx, by.Portfolio, a.ID, content); err != nil {
			return err
		}
	}
	system := by // the lease changes as all have agreed, whatever the last of them may change alone
	system.TenantID, system.Scopes = "", access.Scopes{access.Read, access.Write, access.Payments}
	return s.settle(ctx, system, l, a)
}

// Decline notes that the tenant or guarantor who asks does not agree. Nobody can sign the amendment any more.
func (s *Service) Decline(
	ctx context.Context, by access.Actor, leaseID, amendmentID, reason string,
) (*Amendment, error) {
	return s.answer(ctx, by, leaseID, amendmentID, func(
		_ context.Context, _ *portfolio.Lease, a *Amendment, _ *Party,
	) error {
		why, err := reasonOf(reason)
		if err != nil {
			return err
		}
		s.close(by, a, Declined, why)
		return nil
	})
}

// answer is what a party does with an amendment that waits for them.
func (s *Service) answer(
	ctx context.Context, by access.Actor, leaseID, amendmentID string,
	do func(context.Context, *portfolio.Lease, *Amendment, *Party) error,
) (*Amendment, error) {
	ended := false
	a, err := s.amendOf(ctx, by, func(ctx context.Context) (*portfolio.Lease, error) {
		return s.leaseOf(ctx, by, leaseID)
	}, amendmentID, func(ctx context.Context, l *portfolio.Lease, a *Amendment) error {
		ended = false
		switch {
		case !a.shownTo(by):
			return fault.NotFound(noun)
		case a.SignatureOf(by.TenantID) != nil:
			return fault.New(fault.InvalidTransition, "You have signed the amendment already.")
		case a.Status != Sent:
			return fault.New(fault.InvalidTransition, "The amendment can't be signed any more: it is %s.",
				a.Status.words())
		}
		if why := a.Content.contradiction(l); why != "" {
			ended = true
			s.close(by, a, Void, why)
			return nil
		}
		return do(ctx, l, a, a.Content.party(by.TenantID))
	})
	if err == nil && ended {
		return nil, fault.New(fault.InvalidTransition, "The amendment can't be signed any more. %s", *a.Reason)
	}
	return a, err
}
