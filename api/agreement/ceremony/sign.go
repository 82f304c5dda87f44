package ceremony

import (
	"context"
	"strings"

	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/onetimecode"
	"portal/api/portfolio/lease"
	"portal/api/texts"
)

// Review notes that a signer looks at the latest version of a lease.
func (s *Service) Review(ctx context.Context, token string, from Client) error {
	return s.do(ctx, token, from, func(ctx context.Context, o *signing, now clock.Time) error {
		if o.signer.SignedAt != nil || o.signer.ViewedVersion == o.document.Number {
			return nil
		}
		if o.signer.ViewedAt == nil {
			o.signer.ViewedAt = &now
		}
		o.signer.ViewedVersion = o.document.Number
		if err := s.store.SaveView(ctx, o.in, o.document.ID, &o.signer); err != nil {
			return err
		}
		return s.note(ctx, o, evidence.Viewed, from.Language.Say("", evidence.InSpanish), now, from)
	})
}

// SendCode notes that a signer agrees to electronic records, and sends the code that proves the address.
// A code takes the place of an earlier one.
func (s *Service) SendCode(ctx context.Context, token string, from Client) error {
	return s.do(ctx, token, from, func(ctx context.Context, o *signing, now clock.Time) error {
		switch {
		case o.signer.SignedAt != nil:
			return nil
		case o.signer.ViewedVersion != o.document.Number:
			return reviewFirst()
		case o.email == "":
			return fault.New(fault.InvalidTransition,
				"There is no email address to send a code to. Ask %s to add it.", o.landlord.Name)
		}
		if o.signer.ConsentedAt == nil {
			o.signer.ConsentedAt = &now
			if err := s.store.SaveConsent(ctx, o.in, &o.signer); err != nil {
				return err
			}
		}
		// Each time: another person may sign for the landlord than the one who agreed before.
		if err := s.note(ctx, o, evidence.Consented, "", now, from); err != nil {
			return err
		}
		code, err := s.codes.Make(ctx, o.owner(), now)
		if err != nil {
			return err
		}
		return s.sendCode(ctx, o, code, from)
	})
}

// owner is whom the codes of a signer are for.
func (o *signing) owner() onetimecode.Owner {
	return onetimecode.Owner{In: o.in, Subject: o.signer.ID, Address: o.email}
}

func reviewFirst() error {
	return fault.New(fault.StaleWrite, "The lease has changed since you viewed it. Review it again.").At("version")
}

// Signature is what a signer has typed to sign.
type Signature struct {
	Version int // of the document that was shown
	Code    string
	Name    string
	// Initials are typed for the attachments that ask for them, by their ids.
	Initials map[string]string
}

// Sign is the signature of a signer: of the version that was shown, with the code that was sent, under the
// name that was typed. Who has signed changes nothing by signing again.
func (s *Service) Sign(ctx context.Context, token string, g Signature, from Client) error {
	o, err := s.open(ctx, token)
	if err != nil {
		return err
	}
	if err := o.mayBe(&g); err != nil { // before a try is counted
		return err
	}
	mac, err := s.triedCode(ctx, token, o, &g)
	if err != nil {
		return err
	}
	err = s.do(ctx, token, from, func(ctx context.Context, o *signing, now clock.Time) error {
		if err := o.mayBe(&g); err != nil || o.signer.SignedAt != nil {
			return err
		}
		if err := s.codes.Use(ctx, o.owner(), mac); err != nil {
			return err
		}
		if err := s.note(ctx, o, evidence.CodeGiven, o.email, now, from); err != nil {
			return err
		}
		return s.sign(ctx, o, &g, now, from)
	})
	if err == nil {
		return nil
	}
	if told := s.tellBlocked(ctx, o, err); told != nil {
		return told
	}
	return err
}

// sign notes the signature of a signer whose address is proved. The last one makes the lease binding, and
// everybody is sent a copy.
func (s *Service) sign(ctx context.Context, o *signing, g *Signature, now clock.Time, from Client) error {
	if err := s.noteInitials(ctx, o, g, now, from); err != nil {
		return err
	}
	signature := lease.Signature{Version: g.Version, Name: strings.TrimSpace(g.Name), At: now}
	if err := s.note(ctx, o, evidence.Signed, signature.Name, now, from); err != nil {
		return err
	}
	return s.signAs(ctx, o, signature)
}

// signAs has the signature of a signer count, which the log has. A code that was sent to them and not used, as they
// signed on paper or in the dashboard, ends.
func (s *Service) signAs(ctx context.Context, o *signing, signature lease.Signature) error {
	if err := s.codes.Drop(ctx, o.owner()); err != nil {
		return err
	}
	if o.signer.TenantID != nil {
		signature.TenantID = *o.signer.TenantID
	}
	signature.CoOwner = o.signer.CoOwner(&o.lease)
	made, err := s.leases.Sign(ctx, o.by, o.lease.ID, signature)
	if err != nil || made.After.Open() {
		return err
	}
	return s.sendCopies(ctx, o, made.After)
}

// mayBe refuses a signature for what it is beside its code.
func (o *signing) mayBe(g *Signature) error {
	switch {
	case o.signer.SignedAt != nil:
		return nil
	case o.document.Number != g.Version || o.signer.ViewedVersion != g.Version:
		return reviewFirst()
	case o.signer.ConsentedAt == nil:
		return fault.New(fault.InvalidField, "Agree to use electronic records before you sign.").At("consent")
	case !texts.SameName(g.Name, o.signer.Name):
		return fault.New(fault.InvalidField, "Type the name as the lease has it: %s.", o.signer.Name).At("name")
	}
	return o.mayInitial(g)
}

// triedCode counts a try, in a transaction of its own, so that it counts whatever comes of it. The code of who has
// signed meanwhile in another way is gone, and nothing depends on it.
func (s *Service) triedCode(ctx context.Context, token string, o *signing, g *Signature) (mac string, err error) {
	if o.signer.SignedAt != nil {
		return "", nil
	}
	mac, err = s.codes.Try(ctx, o.owner(), g.Code, clock.At(s.Now(o.in)))
	if !fault.Is(err, fault.InvalidField) {
		return mac, err
	}
	if now, e := s.open(ctx, token); e != nil || now.signer.SignedAt != nil {
		return "", e
	}
	return "", err
}

// Decline notes that a signer will not sign, and why. Nobody can sign the lease any more.
func (s *Service) Decline(ctx context.Context, token, reason string, from Client) error {
	return s.do(ctx, token, from, func(ctx context.Context, o *signing, now clock.Time) error {
		if o.signer.SignedAt != nil {
			return fault.New(fault.InvalidTransition, "You have signed already.")
		}
		o.signer.DeclinedAt = &now
		if reason != "" {
			o.signer.DeclineReason = &reason
		}
		if err := s.store.SaveDecline(ctx, o.in, &o.signer); err != nil {
			return err
		}
		if err := s.note(ctx, o, evidence.Declined, reason, now, from); err != nil {
			return err
		}
		if _, err := s.leases.Decline(ctx, o.by, o.lease.ID); err != nil {
			return err
		}
		return s.tellDeclined(ctx, o, reason)
	})
}

// do is a step of the ceremony, while nobody else writes to the portfolio and the lease can be signed.
func (s *Service) do(
	ctx context.Context, token string, from Client,
	step func(ctx context.Context, o *signing, now clock.Time) error,
) error {
	o, err := s.open(ctx, token)
	if err != nil {
		return err
	}
	return s.Tx.Exclusively(ctx, o.in, func(ctx context.Context) error {
		o, err := s.open(ctx, token)
		if err != nil {
			return err
		}
		now := s.agreements.Moment(ctx, o.in)
		switch standing := o.standing(now); standing {
		case Declined, Expired, Voided:
			if standing == Expired && o.extendable() {
				return fault.New(fault.InvalidTransition, "The time to sign is over. Ask %s for more time.",
					o.landlord.Name)
			}
			return fault.New(
				fault.InvalidTransition,
				"This lease can no longer be signed. Ask %s for a new one.",
				o.landlord.Name,
			)
		case ToReview, ToSign, Signed, Executed:
		}
		if o.signer.SignedAt == nil {
			if err := s.keepLanguage(ctx, o, from.Language); err != nil {
				return err
			}
		}
		return step(ctx, o, now)
	})
}

// keepLanguage notes the language in which a signer has sent a form: emails to them are in it from then on.
func (s *Service) keepLanguage(ctx context.Context, o *signing, chosen language.Language) error {
	if chosen == language.Unchosen || chosen == o.signer.Language {
		return nil
	}
	o.signer.Language, o.language = chosen, chosen
	return s.store.SaveLanguage(ctx, o.in, &o.signer)
}

// note writes an entry about the signer into the log of the document.
func (s *Service) note(
	ctx context.Context, o *signing, kind evidence.Kind, words string, now clock.Time, from Client,
) error {
	return s.agreements.Note(ctx, o.in, &o.document, evidence.Entry{
		At:       now,
		Kind:     kind,
		Party:    o.signer.ID,
		Name:     o.signer.Name,
		Address:  from.Address,
		Browser:  from.Browser,
		Document: o.document.SHA256,
		Note:     words,
	})
}
