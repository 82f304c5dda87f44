package payment

import (
	"context"
	"embed"

	"portal/api/access"
	"portal/api/mail"
)

//go:embed emails
var templateFiles embed.FS

var templates = mail.ReadTemplates(templateFiles, nil)

// noteProblem keeps what a processor says differently from an attempt, and emails the owners the first time.
func (s *Service) noteProblem(ctx context.Context, by access.Actor, a *Attempt, problem string) error {
	told := a.Problem != nil && *a.Problem == problem
	a.Problem = &problem
	if told || s.Post == nil {
		return nil
	}
	who, err := s.store.Landlord(ctx, by.Portfolio)
	if err != nil {
		return err
	}
	l, err := s.store.Lease(ctx, by.Portfolio, a.LeaseID)
	if err != nil {
		return err
	}
	for _, r := range who.Readers {
		if r.Role != access.Owner {
			continue
		}
		m, err := templates.Fill("payment_problem", &mail.Message{
			AccountID: who.AccountID,
			Portfolio: by.Portfolio,
			To:        r.Email,
			Subject:   "A payment needs a look: " + l.RentalAddress,
		}, struct{ Home, Payment, Amount, Problem, Link string }{
			l.RentalAddress, a.ID, a.Amount.Dollars(), problem,
			s.BaseURL + "/" + string(by.Portfolio.Mode) + "/leases/" + l.ID,
		})
		if err != nil {
			return err
		}
		if err := s.Send(ctx, m); err != nil {
			return err
		}
	}
	return nil
}
