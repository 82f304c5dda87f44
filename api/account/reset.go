package account

import (
	"context"

	"portal/api/audit"
	"portal/api/fault"
)

// Passwords is how people change a password or set a new one.
type Passwords struct {
	*common
	signIns *SignIns
}

// AskReset sends a link for choosing a new password, where the address (param email) is
// somebody's. What it answers is alike in any case.
func (s *Passwords) AskReset(ctx context.Context, email string, from Client) error {
	email, err := address(email)
	if err != nil {
		return err
	}
	if err := s.take(ctx, asking(from)); err != nil {
		return err
	}
	return s.evenly(ctx, func() error {
		return s.ifMailable(ctx, email, from, func(ctx context.Context) error {
			p, found, err := s.Store.PersonByEmail(ctx, email)
			if err != nil || !found {
				return err
			}
			return s.sendReset(from.by(ctx, p.ID), &p, from)
		})
	})
}

func (s *Passwords) sendReset(ctx context.Context, p *Person, from Client) error {
	token, l, err := s.addLink(ctx, p.ID, ResetPassword, p.Email)
	if err != nil {
		return err
	}
	if err := s.audit.Record(ctx, audit.Event{Action: "user.reset_asked", Target: p.ID}); err != nil {
		return err
	}
	return s.write(ctx, "reset", from, emailData{
		To:      p.Email,
		Subject: "Reset your password",
		Link:    s.BaseURL + "/reset/" + token,
		Do:      "Choose a new password",
		Until:   words(l.ExpiresAt),
	})
}

// ResetOf is whose password a link is for, or fault.NoRecord.
func (s *Passwords) ResetOf(ctx context.Context, token string) (email string, err error) {
	l, err := s.link(ctx, token, ResetPassword)
	return l.Email, err
}

// Reset sets a new password (param password) by a link, once. All sessions end, links that
// were asked for before end too, and a second factor is still asked for.
func (s *Passwords) Reset(ctx context.Context, token, plain string, from Client) (proof *Proof, err error) {
	l, err := s.link(ctx, token, ResetPassword)
	if err != nil {
		return nil, err
	}
	hash, err := s.hashOf(ctx, plain, l.Email)
	if err != nil {
		return nil, err
	}
	err = s.Store.Atomically(from.by(ctx, l.UserID), func(ctx context.Context) error {
		l, p, err := s.use(ctx, token, ResetPassword)
		if err != nil {
			return err
		}
		if l.Email != p.Email { // it went to an address that is not theirs any more
			return noLink()
		}
		if err := s.setPassword(ctx, p, hash, "", "user.password_reset", from); err != nil {
			return err
		}
		proof = p.proof("reset", !p.second(), nil)
		return nil
	})
	return proof, err
}

// setPassword changes a password: sessions but one and whatever was asked for by email
// end, and the person is told.
func (s *Passwords) setPassword(ctx context.Context, p *Person, hash, except, action string, from Client) error {
	if err := s.Store.SetPassword(ctx, p.ID, hash); err != nil {
		return err
	}
	p.PasswordHash = hash
	if err := s.Store.RevokeSessions(ctx, p.ID, except); err != nil {
		return err
	}
	for _, purpose := range []Purpose{ResetPassword, ConfirmEmail} {
		if err := s.Store.EndLinks(ctx, p.ID, purpose); err != nil {
			return err
		}
	}
	if err := s.audit.Record(ctx, audit.Event{Action: action, Target: p.ID}); err != nil {
		return err
	}
	return s.notify(
		ctx,
		p.Email,
		from,
		"Your password was changed",
		"The password of your account was changed. All other sessions ended.",
	)
}

// ChangePassword sets a new password (param password) for somebody who knows the old one (param
// old_password). The other sessions end; the visitor's goes on with Continue.
func (s *Passwords) ChangePassword(ctx context.Context, v *Visitor, old, plain string, from Client) error {
	if err := v.whole(); err != nil {
		return err
	}
	_, budgets, err := s.signIns.checkPassword(ctx, v, v.Email, old, from)
	if err != nil {
		return oldPassword(err)
	}
	var accounts []string
	if v.Account != nil {
		accounts = append(accounts, v.Account.Name)
	}
	hash, err := s.hashOf(ctx, plain, v.Email, accounts...)
	if err != nil {
		return err
	}
	return s.Store.Atomically(from.by(ctx, v.UserID), func(ctx context.Context) error {
		p, err := s.locked(ctx, v.UserID)
		if err != nil {
			return err
		}
		if err := s.giveBack(ctx, budgets...); err != nil {
			return err
		}
		return s.setPassword(ctx, p, hash, v.SessionID, "user.password_changed", from)
	})
}

// oldPassword is errWrong beside the field of the old password.
func oldPassword(err error) error {
	if fault.Is(err, fault.InvalidField) {
		return fault.New(fault.InvalidField, "The old password is wrong.").At("old_password")
	}
	return err
}
