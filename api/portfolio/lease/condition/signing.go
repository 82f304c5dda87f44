package condition

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/fault"
	"portal/api/texts"
)

// Signing is how somebody signs.
type Signing struct {
	Name    string // as it was typed
	Seen    string // Report.SHA256 of the report that the page showed
	Address string // that the request came from, "" where it is not known
	Browser string // the User-Agent of the request, "" where it is not known
}

// SignAsLandlord signs a report for an owner of the account, once each item has a condition from the landlord, and
// shares it with the tenants. A report that has changed since it was shown is fault.StaleWrite.
func (s *Service) SignAsLandlord(
	ctx context.Context, by access.Actor, leaseID string, kind Kind, g Signing,
) (*Report, error) {
	return s.change(ctx, by, leaseID, kind, func(ctx context.Context, r *Report) error {
		if by.Role != access.Owner {
			return fault.New(fault.OwnerRequired, "Only an owner of the account can sign a condition report.")
		}
		if r.LandlordSignature() != nil {
			return fault.New(fault.InvalidTransition, "The landlord has signed the report already.")
		}
		name, err := typed(g.Name)
		if err != nil {
			return err
		}
		if err := r.ready(); err != nil {
			return err
		}
		if r.SHA256() != g.Seen {
			return stale()
		}
		signature := s.signature(by, r, &g)
		signature.Name, signature.UserID = name, audit.From(ctx).UserID
		signature.Address = cmp.Or(g.Address, audit.From(ctx).Address)
		r.Signatures = slices.Insert(r.Signatures, 0, signature)
		r.LandlordSignedAt = &signature.SignedAt
		if r.SharedAt == nil {
			r.SharedAt = &signature.SignedAt
		}
		if err := s.tell(ctx, by, r, NowSigned); err != nil {
			return err
		}
		return s.record(ctx, by, "signed", r)
	})
}

// ready refuses a report that does not say what it is there for.
func (r *Report) ready() error {
	switch n := r.Unjudged(); {
	case r.Items() == 0:
		return fault.New(fault.InvalidTransition, "The report has no items. Add what was looked at.")
	case n == 1:
		return fault.New(fault.InvalidTransition, "1 item has no condition yet. Choose one for each item.")
	case n > 1:
		return fault.New(fault.InvalidTransition, "%d items have no condition yet. Choose one for each item.", n)
	}
	return nil
}

// typed is a name that somebody types to sign.
func typed(name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	switch {
	case name == "":
		return "", fault.New(fault.MissingField, "Type your name to sign.").At("name")
	case utf8.RuneCountInString(name) > MostTypedName || texts.Unreadable(name, false):
		return "", fault.New(fault.InvalidField, "Type your name in at most %d characters.", MostTypedName).At("name")
	}
	return name, nil
}

// signature is one by the side of the actor, without the name.
func (s *Service) signature(by access.Actor, r *Report, g *Signing) Signature {
	return Signature{
		By:             sideOf(by),
		SignedAt:       s.BusinessNow(by.Portfolio),
		Address:        g.Address,
		Browser:        texts.ClipBytes(g.Browser, mostBrowserText),
		SHA256:         r.SHA256(),
		LandlordSHA256: r.LandlordSHA256(),
	}
}

// Reopen takes the landlord's signature back for an owner, while no tenant has signed. The tenants go on seeing the
// report.
func (s *Service) Reopen(ctx context.Context, by access.Actor, leaseID string, kind Kind) (*Report, error) {
	return s.change(ctx, by, leaseID, kind, func(ctx context.Context, r *Report) error {
		switch {
		case by.Role != access.Owner:
			return fault.New(fault.OwnerRequired, "Only an owner of the account can take the signature back.")
		case r.LandlordSignature() == nil:
			return fault.New(fault.InvalidTransition, "The landlord has not signed the report.")
		case !r.CanReopen():
			return frozen("a tenant has")
		}
		r.Signatures, r.LandlordSignedAt = []Signature{}, nil
		return s.record(ctx, by, "reopened", r)
	})
}

// SignAsTenant signs a report for the tenant who asks, who rents, once the landlord has signed it. The name is to be
// typed as the tenant's record has it. A report that says anything else than what was shown is fault.StaleWrite; that
// another tenant has signed it meanwhile does not matter.
func (s *Service) SignAsTenant(
	ctx context.Context, by access.Actor, leaseID string, kind Kind, g Signing,
) (*Report, error) {
	return s.changeAsTenant(ctx, by, leaseID, kind, func(ctx context.Context, r *Report) error {
		switch {
		case r.TenantSignature(by.TenantID) != nil:
			return fault.New(fault.InvalidTransition, "You have signed the report already.")
		case r.LandlordSignature() == nil:
			return fault.New(fault.InvalidTransition, "The landlord signs the report first.")
		}
		name, err := typed(g.Name)
		if err != nil {
			return err
		}
		t, err := s.store.Tenant(ctx, by.Portfolio, by.TenantID)
		if err != nil {
			return err
		}
		if own := t.FirstName + " " + t.LastName; !texts.SameName(name, own) {
			return fault.New(fault.InvalidField, "Type your name as it is here: %s.", own).At("name")
		}
		if r.SHA256() != g.Seen {
			return stale()
		}
		signature := s.signature(by, r, &g)
		signature.Name, signature.TenantID = name, &by.TenantID
		r.Signatures = append(r.Signatures, signature)
		l, err := s.leaseOf(ctx, by, leaseID)
		if err != nil {
			return err
		}
		if r.await(l); len(r.Awaited) == 0 {
			r.CompletedAt = &signature.SignedAt
			return s.tell(ctx, by, r, NowComplete)
		}
		return nil
	})
}
