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
		view.Agreed = append(view.Agreed, kit.Term{Name: line.Name, Text: line.Text})
	}
	for _, d := range of.Disclosures {
		view.Disclosures = append(view.Disclosures, views.Disclosure{
			Title:  d.Title,
			Why:    d.Reason,
			Law:    d.Authority,
			Asked:  d.Conditional || d.Applies != nil,
			Status: answered(d.Applies),
		})
	}
	if len(of.Signers) > 0 {
		view.Signing.Signers = nil
	}
	for i := range of.Signers {
		view.Signing.Signers = append(view.Signing.Signers, signerLine(v, &of.Signers[i]))
	}
	return p.withMail(v, l, view)
}

// signerLine is a signer with how far they are.
func signerLine(v *page.Request, s *agreement.Signer) views.Signer {
	line := views.Signer{
		Person: kit.Link{Name: s.Name, Path: v.PathTo("tenants", s.TenantID)},
		Role:   page.Label(s.Role),
		Status: kit.Status{Tone: kit.Idle, Text: "Not signed"},
	}
	if s.ViewedAt != nil {
		line.Trail = append(line.Trail, kit.Moment{Title: "Viewed", Time: v.Time(*s.ViewedAt)})
		line.Status = kit.Status{Tone: kit.Waiting, Text: "Viewed"}
	}
	if s.SignedAt != nil {
		line.Trail = append(line.Trail, kit.Moment{Title: "Signed", Time: v.Time(*s.SignedAt)})
		line.Status = kit.Status{Tone: kit.Done, Text: "Signed"}
	}
	if s.DeclinedAt != nil {
		line.Trail = append(line.Trail, kit.Moment{Title: "Declined", Time: v.Time(*s.DeclinedAt)})
		line.Status, line.Why = kit.Status{Tone: kit.Failed, Text: "Declined"}, page.OrEmpty(s.DeclineReason)
	}
	return line
}

// answered says what the landlord has answered about a disclosure.
func answered(applies *bool) kit.Status {
	if applies == nil {
		return kit.Status{Tone: kit.Waiting, Text: "Not answered"}
	}
	return kit.Status{
		Tone: kit.Done,
		Text: map[bool]string{true: "Applies", false: "Does not apply"}[*applies],
	}
}
