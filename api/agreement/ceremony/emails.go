package ceremony

import (
	"context"
	"embed"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/mail"
	"portal/api/portfolio"
)

//go:embed emails
var templateFiles embed.FS

var templates = mail.ReadTemplates(templateFiles, map[string]any{
	"date":  clock.Date.Words,
	"fecha": language.Date,
})

// linkEmail asks a signer to sign, reminds them, or tells them that they have more time.
func (s *Service) linkEmail(o *signing, topic evidence.Topic) (*mail.Message, error) {
	subject := o.language.Say("Sign the lease for ", "Firme el contrato de ")
	if topic == evidence.ReminderMail {
		subject = o.language.Say("Reminder: sign the lease for ", "Recordatorio: firme el contrato de ")
	}
	if topic == evidence.ExtensionMail {
		subject = o.language.Say("More time to sign the lease for ", "Más tiempo para firmar el contrato de ")
	}
	until := clock.DateOf(o.lease.CreatedAt.Std(), o.landlord.Zone)
	if o.lease.ExpiresAt != nil {
		until = clock.DateOf(o.lease.ExpiresAt.Std(), o.landlord.Zone)
	}
	return templates.Fill(o.language.Template(string(topic)), &mail.Message{
		AccountID: o.landlord.AccountID,
		Portfolio: o.in,
		About:     o.signer.ID,
		To:        o.email,
		Subject:   subject + o.lease.RentalAddress,
	}, struct {
		Name, Landlord, Address, Link string
		Until                         clock.Date
	}{
		o.signer.Name, o.landlord.Name, o.lease.RentalAddress,
		o.language.Link(s.agreements.LinkOf(&o.signer)), until,
	})
}

// tellEarlier tells the address that a signer had before that the links sent to it have ended.
func (s *Service) tellEarlier(ctx context.Context, o *signing, earlier string) error {
	m, err := templates.Fill(o.language.Template("readdressed"), &mail.Message{
		AccountID: o.landlord.AccountID,
		Portfolio: o.in,
		To:        earlier,
		Subject: o.language.Say("Another email address for the lease for ", "Otro correo para el contrato de ") +
			o.lease.RentalAddress,
	}, struct {
		Name, Landlord, Address string
		Signed                  bool // by all parties
	}{o.signer.Name, o.landlord.Name, o.lease.RentalAddress, o.lease.Status == portfolio.LeaseSigned})
	if err != nil {
		return err
	}
	return s.Send(ctx, m)
}

// tellOnPaper tells a party that the landlord has recorded their signature on paper.
func (s *Service) tellOnPaper(ctx context.Context, o *signing, on clock.Date) error {
	m, err := templates.Fill(o.language.Template("paper"), &mail.Message{
		AccountID: o.landlord.AccountID,
		Portfolio: o.in,
		To:        o.email,
		Subject: o.language.Say(
			"Recorded as signed on paper: the lease for ",
			"Registrado como firmado en papel: el contrato de ",
		) + o.lease.RentalAddress,
	}, struct {
		Name, Landlord, Address string
		On                      clock.Date
	}{o.signer.Name, o.landlord.Name, o.lease.RentalAddress, on})
	if err != nil {
		return err
	}
	return s.Send(ctx, m)
}

// sendCode sends a code to the address of a signer.
func (s *Service) sendCode(ctx context.Context, o *signing, code string, from Client) error {
	m, err := templates.Fill(o.language.Template("code"), &mail.Message{
		AccountID: o.landlord.AccountID,
		Portfolio: o.in,
		About:     o.signer.ID,
		To:        o.email,
		Subject: o.language.Say("Your code to sign the lease for ", "Su código para firmar el contrato de ") +
			o.lease.RentalAddress,
	}, struct{ Code, Name, Landlord, Address string }{code, o.signer.Name, o.landlord.Name, o.lease.RentalAddress})
	if err != nil {
		return err
	}
	return s.email(ctx, o, evidence.CodeMail, m, from)
}

// sendCopies sends everybody who has signed a lease, and every owner, the link of the signed document. It does
// not end.
func (s *Service) sendCopies(ctx context.Context, o *signing, l *portfolio.Lease) error {
	if l.DocumentSHA256 == nil {
		return nil // a document of an earlier release
	}
	signers, _, err := s.agreements.SignerStates(ctx, o.in, l.ID)
	if err != nil {
		return err
	}
	copied := copyMail{
		Address: l.RentalAddress,
		Link:    s.agreements.Link(*l.DocumentID),
		SHA256:  *l.DocumentSHA256,
		Starts:  l.StartDate,
	}
	for _, party := range l.Tenants {
		t, err := s.store.Tenant(ctx, o.in, party.ID)
		if err != nil {
			return err
		}
		if t.Email == nil {
			continue
		}
		var reads language.Language
		copied.Name, copied.Summary = party.Name, ""
		for i := range signers {
			if signers[i].TenantID == nil || *signers[i].TenantID != party.ID {
				continue
			}
			copied.Summary = s.agreements.LinkOf(&signers[i]) + SummaryPath
			if reads, err = s.languageOf(ctx, o.in, &signers[i]); err != nil {
				return err
			}
		}
		copied.Page = "" // a guarantor has none
		if s.TenantPages != nil && party.Role != portfolio.PartyGuarantor {
			if copied.Page, err = s.TenantPages.LinkFor(ctx, o.by, party.ID); err != nil {
				return err
			}
			copied.Page = reads.Link(copied.Page)
		}
		if err := s.sendCopy(ctx, o, l, *t.Email, reads, copied); err != nil {
			return err
		}
	}
	copied.Page, copied.Summary = "", "" // they open what is a tenant's
	if err := s.copyCoOwners(ctx, o, l, signers, copied); err != nil {
		return err
	}
	copied.Name, copied.Lease = o.landlord.Name, s.BaseURL+"/"+string(o.in.Mode)+"/leases/"+l.ID
	return s.tellOwners(ctx, o, "executed", copyTitle+l.RentalAddress, copied)
}

// copyCoOwners sends each co-owner the link of the signed document, in the language that they have signed in.
func (s *Service) copyCoOwners(
	ctx context.Context, o *signing, l *portfolio.Lease, signers []agreement.SignerState, copied copyMail,
) error {
	for i := range signers {
		n := signers[i].CoOwner(l)
		if n == 0 {
			continue
		}
		copied.Name, copied.Summary = signers[i].Name, s.agreements.LinkOf(&signers[i])+SummaryPath
		err := s.sendCopy(ctx, o, l, l.Terms.CoOwners[n-1].Email, signers[i].Language, copied)
		if err != nil {
			return err
		}
	}
	return nil
}

// copyTitle is the subject of a copy, in English and Spanish, before the address of the home.
const copyTitle, copyTitulo = "Signed by all: the lease for ", "Firmado por todos: el contrato de "

// sendCopy sends a signer the link of the signed document.
func (s *Service) sendCopy(
	ctx context.Context, o *signing, l *portfolio.Lease, to string, reads language.Language, copied copyMail,
) error {
	m, err := templates.Fill(reads.Template("executed"), &mail.Message{
		AccountID: o.landlord.AccountID,
		Portfolio: o.in,
		To:        to,
		Subject:   reads.Say(copyTitle, copyTitulo) + l.RentalAddress,
	}, copied)
	if err != nil {
		return err
	}
	return s.Send(ctx, m)
}

// SummaryPath is where the Spanish summary of a lease is, behind the link of a signer.
const SummaryPath = "/summary"

// copyMail is what the email with the signed document says.
type copyMail struct {
	Name, Address, Link, SHA256 string
	Lease                       string // address of its page in the dashboard, "" for who has no account
	Page                        string // address of the tenant's page, "" for who has none
	Summary                     string // address of the Spanish summary
	Starts                      clock.Date
}

// blocking are the codes of what is wrong with a lease itself: with its terms, or with another lease.
var blocking = []fault.Code{
	fault.LeaseDatesOverlap, fault.LeadPaintUnanswered, fault.OwnDocumentMissing, fault.DepositAboveMaximum,
	fault.LateFeeAboveMaximum,
}

// blockedMails is how often the owners are told that a lease cannot be signed.
const blockedMails = 24 * time.Hour

// tellBlocked tells the owners why somebody else could not sign a lease, where they alone can mend it: once a day
// at most. The signature was refused in a transaction of its own.
func (s *Service) tellBlocked(ctx context.Context, o *signing, refused error) error {
	why := fault.From(refused)
	if !slices.Contains(blocking, why.Code) || o.signer.Landlord() {
		return nil
	}
	return s.Tx.Exclusively(ctx, o.in, func(ctx context.Context) error {
		subject, now := "blocked "+o.lease.ID, clock.At(s.Now(o.in))
		wait, err := s.store.CountMail(ctx, subject, now, clock.Time(blockedMails.Milliseconds()), 1)
		if err != nil || wait > 0 {
			return err
		}
		words := []string{why.Message}
		for _, d := range why.Details[min(1, len(why.Details)):] { // the first one is the message
			words = append(words, d.Message)
		}
		return s.tellOwners(ctx, o, "blocked", "The lease for "+o.lease.RentalAddress+" can't be signed yet", struct {
			Name, Address, Link string
			Reasons             []string
		}{o.signer.Name, o.lease.RentalAddress, s.BaseURL + "/" + string(o.in.Mode) + "/leases/" + o.lease.ID, words})
	})
}

// tellDeclined tells the owners that a signer will not sign, and why.
func (s *Service) tellDeclined(ctx context.Context, o *signing, reason string) error {
	return s.tellOwners(ctx, o, "declined", o.signer.Name+" declined to sign the lease for "+o.lease.RentalAddress,
		struct{ Name, Address, Reason string }{o.signer.Name, o.lease.RentalAddress, reason})
}

// tellOwners sends an email to each owner of the landlord's account.
func (s *Service) tellOwners(ctx context.Context, o *signing, template, subject string, fields any) error {
	for _, r := range o.landlord.Readers {
		if r.Role != access.Owner {
			continue
		}
		m, err := templates.Fill(template, &mail.Message{
			AccountID: o.landlord.AccountID,
			Portfolio: o.in,
			To:        r.Email,
			Subject:   subject,
		}, fields)
		if err != nil {
			return err
		}
		if err := s.Send(ctx, m); err != nil {
			return err
		}
	}
	return nil
}
