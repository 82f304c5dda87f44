package agreement

import (
	"context"
	"strconv"

	"portal/api/access"
	"portal/api/agreement/document/pdf"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// Details are what leases of a portfolio say of the landlord beyond the name of the account.
type Details struct {
	// Always lease_details.
	Object string `json:"object" const:"lease_details"`
	// test for the demo portfolio, live for the real one.
	Mode access.Mode `json:"mode"`
	// One more with each write that changes something. The ETag of the record.
	Version int64 `json:"version" min:"1"`
	// The person or company that owns or manages the homes; null to use the account's name.
	Name *string `json:"name" maxlen:"127" example:"Harbor Lane Rentals LLC"`
	// Street address for notices and legal papers, in one line. No lease is generated without it.
	Address *string `json:"address" maxlen:"200" example:"12 Harbor Lane, Austin, TX 78701"`
	// Phone number for everyday matters.
	Phone *string `json:"phone" maxlen:"20" example:"+15125550142"`
	// Who signs for the landlord; null if the landlord signs.
	Signer *string `json:"signer" maxlen:"127" example:"Dana Whitfield"`
	// Title of who signs.
	Title *string `json:"title" maxlen:"60" example:"Owner"`
	// LeadWarning is the Lead Warning Statement as an owner has entered it, "" before.
	LeadWarning string `json:"-"`
}

// SchemaName is the name of the OpenAPI component.
func (Details) SchemaName() string { return "LeaseDetailsOut" }

// Revision is the version, the ETag of the details.
func (d *Details) Revision() int64 { return d.Version }

// DetailsUpdate changes what leases say of the landlord; what is absent stays.
type DetailsUpdate struct {
	// The person or company that owns or manages the homes; null to use the account's name.
	Name change.Field[*string] `json:"name" minlen:"1" maxlen:"127" example:"Harbor Lane Rentals LLC"`
	// Street address for notices and legal papers, in one line.
	Address change.Field[*string] `json:"address" minlen:"1" maxlen:"200" example:"12 Harbor Lane, Austin, TX 78701"`
	// Phone number for everyday matters, in E.164 or as it is written in the US.
	Phone change.Field[*string] `json:"phone" format:"phone"`
	// Who signs for the landlord; null if the landlord signs.
	Signer change.Field[*string] `json:"signer" minlen:"1" maxlen:"127" example:"Dana Whitfield"`
	// Title of who signs, such as Owner or Property manager.
	Title change.Field[*string] `json:"title" minlen:"1" maxlen:"60" example:"Owner"`
}

// SchemaName is the name of the OpenAPI component.
func (DetailsUpdate) SchemaName() string { return "LeaseDetailsUpdate" }

// Check finds characters that a document cannot show.
func (u DetailsUpdate) Check(clock.Date) (all []fault.Detail) {
	for _, field := range []struct {
		name string
		text *string
	}{{"name", u.Name.Value}, {"address", u.Address.Value}, {"signer", u.Signer.Value}, {"title", u.Title.Value}} {
		if field.text == nil {
			continue
		}
		if runes := pdf.Missing(*field.text); len(runes) > 0 {
			all = append(all, fault.Wrong(field.name, CannotShow(runes)))
		}
	}
	return all
}

// CannotShow ends a sentence about a text with characters that the font lacks.
func CannotShow(runes []rune) string {
	return "has characters that the document cannot show: " + strconv.Quote(string(runes)) + "."
}

// Details are those of the portfolio.
func (s *Service) Details(ctx context.Context, by access.Actor) (*Details, error) {
	return s.details(ctx, by.Portfolio)
}

// details are those that were said, or those that a portfolio begins with: a demo portfolio can generate
// leases at once.
func (s *Service) details(ctx context.Context, in access.Portfolio) (*Details, error) {
	d, found, err := s.store.LeaseDetails(ctx, in)
	switch {
	case found || err != nil:
	case in.Mode == access.Test:
		d = DemoDetails()
	default:
		d = Details{Version: 1}
	}
	d.Object, d.Mode = "lease_details", in.Mode
	if err != nil {
		return nil, err
	}
	return &d, nil
}

// DemoDetails are what leases of a demo portfolio say of the landlord until somebody changes it.
func DemoDetails() Details {
	return Details{
		Version: 1,
		Address: new("12 Harbor Lane, Austin, TX 78701"),
		Phone:   new("+15125550100"),
		Signer:  new("Ruth Calloway"),
		Title:   new("Owner"),
	}
}

// UpdateDetails changes those of the portfolio, for an owner. Documents that are made from then on say
// them.
func (s *Service) UpdateDetails(
	ctx context.Context, by access.Actor, t change.Target, u DetailsUpdate,
) (*change.Result[Details], error) {
	if by.Role != access.Owner {
		return nil, fault.New(fault.OwnerRequired, "Only an owner of the account can change its lease details.")
	}
	if err := fault.Invalid(u.Check(s.Today(by))); err != nil {
		return nil, err
	}
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[Details], error) {
		before, err := s.Details(ctx, by)
		if err != nil {
			return nil, err
		}
		if err := t.Check("record of lease details", before.Version); err != nil {
			return nil, err
		}
		after := *before
		u.onto(&after)
		if sameDetails(&after, before) {
			return &change.Result[Details]{Before: before, After: &after}, nil
		}
		after.Version++
		if err := s.store.SaveLeaseDetails(ctx, by.Portfolio, &after, clock.At(s.Now(by.Portfolio))); err != nil {
			return nil, err
		}
		m := &change.Result[Details]{Before: before, After: &after}
		return m, s.RecordDone(ctx, by, "account.lease_details_updated", by.AccountID, nil)
	})
}

func (u DetailsUpdate) onto(d *Details) {
	u.Name.Into(&d.Name)
	u.Address.Into(&d.Address)
	u.Phone.Into(&d.Phone)
	u.Signer.Into(&d.Signer)
	u.Title.Into(&d.Title)
}

func sameDetails(a, b *Details) bool {
	return or(a.Name, "") == or(b.Name, "") && or(a.Address, "") == or(b.Address, "") &&
		or(a.Phone, "") == or(b.Phone, "") &&
		or(a.Signer, "") == or(b.Signer, "") && or(a.Title, "") == or(b.Title, "")
}
