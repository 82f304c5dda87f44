package developer

import (
	"context"
	"embed"
	"fmt"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/mail"
	"portal/api/texts"
)

//go:embed emails
var templateFiles embed.FS

var templates = mail.ReadTemplates(templateFiles, nil)

// subjects are those of the emails to an applicant, by what was decided.
var subjects = map[RequestStatus]string{
	Approved: "Your API access is approved",
	Denied:   "Your request for API access was denied",
	Revoked:  "Your API access was revoked",
}

// ownerNotice is something that every owner of an account gets to know, whatever mail they want.
type ownerNotice struct {
	template string // its name
	Subject  string
	Link     string
	By       string // email address of the user who did it, or the operator
	Name     string // of a key, or the email address of an owner

	Mode, Prefix, Scopes string // of a key

	Account, At, Address string // filled in when it is told
}

// operator stands for the person at the command line.
const operator = "The operator of the service"

// tellOwners writes to every owner of an account as it is now, with the transaction of the
// context.
func (s *Service) tellOwners(ctx context.Context, accountID string, n ownerNotice) error {
	if s.Post == nil {
		return nil
	}
	all, err := s.store.HoldersOf(ctx, accountID)
	if err != nil {
		return err
	}
	n.At, n.Address = s.now().UTC().Format("January 2, 2006, 15:04 UTC"), audit.From(ctx).Address
	for _, h := range all {
		if h.Role != access.Owner {
			continue
		}
		n.Account = h.Account
		m := &mail.Message{AccountID: accountID, To: h.Email, Subject: n.Subject}
		if err := s.send(ctx, n.template, m, n); err != nil {
			return err
		}
	}
	return nil
}

// send sends a message with the text of a template.
func (s *Service) send(ctx context.Context, template string, m *mail.Message, data any) error {
	m, err := templates.Fill(template, m, data)
	if err != nil {
		return fmt.Errorf("write the email %s: %w", template, err)
	}
	return s.Post.Send(ctx, m)
}

// tellKey tells every owner about a new key.
func (s *Service) tellKey(ctx context.Context, accountID string, k *Key) error {
	by, err := s.actingUser(ctx, accountID)
	if err != nil {
		return err
	}
	may := map[string]string{
		"read":                "read",
		"read,write":          "read and write",
		"read,write,payments": "read, write and change rents",
	}[k.Scopes.String()]
	return s.tellOwners(ctx, accountID, ownerNotice{
		template: "key",
		Subject:  "API key created: " + k.Name,
		By:       by,
		Name:     k.Name,
		Mode:     string(k.Mode),
		Prefix:   k.KeyPrefix,
		Scopes:   may,
		Link:     s.BaseURL + "/keys/" + k.ID,
	})
}

// actingUser is the email address of the user of the context, or the operator.
func (s *Service) actingUser(ctx context.Context, accountID string) (string, error) {
	id := audit.From(ctx).UserID
	if id == "" {
		return operator, nil
	}
	all, err := s.store.HoldersOf(ctx, accountID)
	for _, h := range all {
		if h.UserID == id {
			return h.Email, nil
		}
	}
	return operator, err
}

// TellNewOwner tells every owner of an account, the new one among them, that somebody
// became one, with the transaction of the context.
func (s *Service) TellNewOwner(ctx context.Context, accountID, email string) error {
	return s.tellOwners(ctx, accountID, ownerNotice{
		template: "owner",
		Subject:  "New owner: " + email,
		Name:     email,
		Link:     s.BaseURL + "/team",
	})
}

// TellFormerOwner tells the owners who remain of an account that somebody is none any more,
// because they were removed, became a manager or left, with the transaction of the context.
func (s *Service) TellFormerOwner(ctx context.Context, accountID, userID, email string) error {
	by, err := s.actingUser(ctx, accountID)
	if err != nil {
		return err
	}
	if audit.From(ctx).UserID == userID { // who has left is not in the team any more
		by = email
	}
	n := ownerNotice{
		template: "formerowner",
		Subject:  "No longer an owner: " + email,
		By:       by,
		Name:     email,
		Link:     s.BaseURL + "/team",
	}
	return s.tellOwners(ctx, accountID, n)
}

// tell writes to the applicant what was decided.
func (s *Service) tell(ctx context.Context, r *AccessRequest) error {
	if s.Post == nil {
		return nil
	}
	return s.send(ctx, string(r.Status), &mail.Message{
		AccountID: r.AccountID,
		To:        r.ContactEmail,
		Subject:   subjects[r.Status],
	}, struct {
		Link, Reason, ID string
	}{
		s.BaseURL,
		value(r.DenialReason),
		r.ID,
	})
}

// tellUnits writes the answer to a request for more units, with the transaction of the context.
func (s *Service) tellUnits(ctx context.Context, r *UnitRequest, limit int) error {
	if s.Post == nil {
		return nil
	}
	members, err := s.store.HoldersOf(ctx, r.AccountID)
	if err != nil {
		return err
	}
	name, path, subject := "unitsgranted", "/live/properties", "You can now have "+texts.Number(limit)+" units"
	if r.Reason != nil {
		name, path, subject = "unitsdeclined", "/usage/units", "Your request for more units was declined"
	}
	for _, m := range unitRecipients(members, r) {
		err := s.send(ctx, name, &mail.Message{AccountID: r.AccountID, To: m.Email, Subject: subject}, struct {
			Link, Account, Asked, Limit, Reason, ID string
		}{
			s.BaseURL + path,
			m.Account,
			texts.Number(r.Units),
			texts.Number(limit),
			value(r.Reason),
			r.ID,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// tellStaff writes to each person of the staff about a new request for more units than a limit, with the transaction
// of the context. The emails are in no account's list.
func (s *Service) tellStaff(ctx context.Context, r *UnitRequest, limit int) error {
	if s.Post == nil {
		return nil
	}
	account, _, err := s.store.AccountByID(ctx, r.AccountID)
	if err != nil {
		return err
	}
	staff, err := s.store.StaffEmails(ctx)
	if err != nil {
		return err
	}
	for _, email := range staff {
		subject := account.Name + " asks for " + texts.Number(r.Units) + " units"
		err := s.send(ctx, "unitsasked", &mail.Message{To: email, Subject: subject}, struct {
			Link, Account, Asked, Limit, ID string
		}{
			s.BaseURL + "/staff/accounts/" + r.AccountID,
			account.Name,
			texts.Number(r.Units),
			texts.Number(limit),
			r.ID,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
