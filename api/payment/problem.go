package payment

import (
	"context"
	"embed"

	"portal/api/access"
	"portal/api/mail"
	"portal/api/portfolio"
)

//go:embed emails
var templateFiles embed.FS

var templates = mail.ReadTemplates(templateFiles, nil)

// noteProblem keeps what a processor says differently from an attempt, and emails the owners the first time.
func (s *Service) noteProblem(ctx context.Context, by access.Actor, a *Attempt, problem string) error {
	told := a.Problem != nil && *a.Problem == problem
	a.Problem, a.noted = &problem, true
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
	return s.mailOwners(ctx, by, who, "payment_problem", &mail.Message{
		Subject: "A payment needs a look: " + l.RentalAddress,
	}, struct{ Home, Payment, Amount, Problem, Link string }{
		l.RentalAddress, a.ID, a.Total().Dollars(), problem,
		s.BaseURL + "/" + string(by.Portfolio.Mode) + "/leases/" + l.ID,
	})
}

// mailOwners emails each owner of an account what a template says.
func (s *Service) mailOwners(
	ctx context.Context, by access.Actor, who portfolio.Landlord, template string, m *mail.Message, values any,
) error {
	for _, r := range who.Readers {
		if r.Role != access.Owner {
			continue
		}
		own := *m
		own.AccountID, own.Portfolio, own.To = who.AccountID, by.Portfolio, r.Email
		filled, err := templates.Fill(template, &own, values)
		if err != nil {
			return err
		}
		if err := s.Send(ctx, filled); err != nil {
			return err
		}
	}
	return nil
}
