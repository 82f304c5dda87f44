package ceremony

import (
	"context"
	"encoding/json"
	"fmt"

	"portal/api/agreement"
	"portal/api/agreement/document"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/onetimecode"
	"portal/api/portfolio"
)

// Standing is how a signing stands for one signer.
type Standing string

// The standings of a signing.
const (
	ToReview Standing = "to_review" // the latest version has yet to be looked at
	ToSign   Standing = "to_sign"
	Signed   Standing = "signed"   // by this signer; others may have to sign yet
	Executed Standing = "executed" // by all
	Declined Standing = "declined" // by this signer or another one
	Voided   Standing = "voided"   // by the landlord
	Expired  Standing = "expired"
)

// Page is what the link of a signer shows.
type Page struct {
	Standing Standing
	Landlord string
	Address  string // that is rented
	Signer   agreement.Signer
	All      []agreement.Signer // who signs, the landlord last
	Email    string             // of the signer with all but its ends left out, "" where there is none
	Version  int
	Document *document.Document // nil where it cannot be signed any more
	// Summary is what the first page of the document says, in Spanish. Documents of an earlier release have none.
	Summary []document.Row
	// Language is the one that the signer has chosen.
	Language language.Language
	Changes  []string   // what is said otherwise than in the version that the signer has looked at
	Until    clock.Date // the last day to sign, where the landlord is
	// Consented reports whether the signer has agreed to electronic records, and was sent a code.
	Consented bool
	// Extendable reports whether the time to sign is over and the landlord can extend it.
	Extendable bool
	Copied     bool // whether there is a copy that all have signed
}

// Page is what a link shows. It records nothing: mail programs look behind links too.
func (s *Service) Page(ctx context.Context, token string) (*Page, error) {
	o, err := s.open(ctx, token)
	if err != nil {
		return nil, err
	}
	all, err := s.agreements.Signers(ctx, o.in, o.lease.ID)
	if err != nil {
		return nil, err
	}
	p := &Page{
		Standing:  o.standing(clock.At(s.Now(o.in))),
		Landlord:  o.landlord.Name,
		Address:   o.lease.RentalAddress,
		All:       all,
		Email:     onetimecode.Masked(o.email),
		Version:   o.document.Number,
		Language:  o.language,
		Consented: o.signer.ConsentedAt != nil,
		Copied:    o.lease.Binding() && o.lease.DocumentSHA256 != nil,
	}
	p.Extendable = p.Standing == Expired && o.extendable()
	for i := range all {
		if all[i].ID == o.signer.ID {
			p.Signer = all[i]
		}
	}
	if o.lease.ExpiresAt != nil {
		p.Until = clock.DateOf(o.lease.ExpiresAt.Std(), o.landlord.Zone)
	}
	if p.Standing == Declined || p.Standing == Voided || p.Standing == Expired {
		return p, nil
	}
	if p.Standing == Executed && o.document.Body == "" { // signed with an earlier release
		return p, nil
	}
	d, err := body(o.document.Body)
	if err != nil {
		return nil, err
	}
	if p.Summary = d.Spanish; p.Standing == Executed {
		return p, nil
	}
	p.Document = d
	p.Changes, err = s.changes(ctx, o, p.Document)
	return p, err
}

// PDF is the PDF of the version that a link shows, the one with all signatures once there is one, and nil where
// the lease has ended unsigned.
func (s *Service) PDF(ctx context.Context, token string) ([]byte, *Page, error) {
	o, err := s.open(ctx, token)
	if err != nil {
		return nil, nil, err
	}
	p, err := s.Page(ctx, token)
	switch {
	case err != nil:
		return nil, nil, err
	case p.Standing == Executed:
		e, err := s.agreements.Execution(ctx, o.document.ID)
		if fault.Is(err, fault.NoRecord) { // signed with an earlier release
			err = nil
		}
		return e.Content, p, err
	case p.Document == nil:
		return nil, p, nil
	}
	return o.document.Content, p, nil
}

// extendable reports whether a lease whose time to sign is over stays one that can be extended: somebody has signed.
func (o *signing) extendable() bool {
	return o.lease.Revivable() || o.lease.Status == portfolio.LeasePendingSignature
}

// standing is where a signer stands at a real moment. The time to sign ends by the test clock.
func (o *signing) standing(now clock.Time) Standing {
	switch {
	case o.lease.Status == portfolio.LeaseDeclined:
		return Declined
	case o.lease.Lapsed(now.Later(o.in.Ahead)) || o.lease.Revivable():
		return Expired
	case o.lease.Status == portfolio.LeaseVoided:
		return Voided
	case !o.lease.Open():
		return Executed
	case o.signer.SignedAt != nil:
		return Signed
	case o.signer.ViewedVersion < o.document.Number:
		return ToReview
	}
	return ToSign
}

func body(text string) (*document.Document, error) {
	var d document.Document
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		return nil, fmt.Errorf("what a version says: %w", err)
	}
	return &d, nil
}

// changes are the texts of a document that the version did not have which the signer has looked at.
func (s *Service) changes(ctx context.Context, o *signing, d *document.Document) (added []string, err error) {
	if o.signer.ViewedVersion == 0 || o.signer.ViewedVersion == o.document.Number {
		return nil, nil
	}
	err = s.agreements.EachVersion(ctx, o.in, o.document.ID, func(v *agreement.Version) error {
		if v.Number != o.signer.ViewedVersion || v.Body == "" {
			return nil
		}
		before, err := body(v.Body)
		if err != nil {
			return err
		}
		said := map[string]bool{}
		before.Texts(func(text string) { said[text] = true })
		d.Texts(func(text string) {
			if !said[text] {
				said[text] = true
				added = append(added, text)
			}
		})
		return nil
	})
	return added, err
}
