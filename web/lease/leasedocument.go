package lease

import (
	"context"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/portfolio"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/page"
)

// Terms reads what the document of a lease says.
type Terms interface {
	Lease(ctx context.Context, by access.Actor, id string) (*agreement.LeaseWithTerms, error)
}

// withDocument adds what the document of a lease says to its page.
func (p *leasePages) withDocument(v *page.Request, l *portfolio.Lease, view *views.Lease) error {
	if l.DocumentID == nil || p.Terms == nil {
		return nil
	}
	of, err := p.Terms.Lease(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return err
	}
	for _, line := range of.Terms.Lines() {
		view.Terms = append(view.Terms, kit.Term{Name: line.Name, Text: line.Text})
	}
	for _, d := range of.Disclosures {
		view.Disclosures = append(view.Disclosures, views.Disclosure{
			Title:  d.Title,
			Why:    d.Reason,
			Law:    d.Authority,
			Status: answered(d.Conditional, d.Applies),
		})
	}
	for i := range of.Signers {
		s := &of.Signers[i]
		line := views.Signer{
			Party: views.Party{
				Tenant: kit.Link{Name: s.Name, Path: v.PathTo("tenants", s.TenantID)},
				Role:   page.Label(s.Role),
				Signed: v.TimeOr(s.SignedAt, "not yet"),
			},
			Viewed: v.TimeOr(s.ViewedAt, "not yet"),
		}
		if s.DeclinedAt != nil {
			line.Declined, line.Why = v.Time(*s.DeclinedAt), page.OrEmpty(s.DeclineReason)
		}
		view.Signers = append(view.Signers, line)
	}
	return p.withMail(v, l, view)
}

// answered says what the landlord has answered about a disclosure.
func answered(conditional bool, applies *bool) kit.Status {
	switch {
	case applies == nil && conditional:
		return kit.Status{Tone: kit.Waiting, Text: "Not answered"}
	case applies == nil:
		return kit.Status{Tone: kit.Idle, Text: "Always"}
	}
	return kit.Status{
		Tone: kit.Done,
		Text: map[bool]string{true: "Applies", false: "Does not apply"}[*applies],
	}
}
