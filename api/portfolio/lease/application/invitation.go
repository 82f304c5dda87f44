package application

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
)

// Invitations is how people are invited to apply for a unit.
type Invitations struct {
	*portfolio.Common
	store Store
}

// Invitation is an applicant lead: somebody who was asked to apply for a unit.
type Invitation struct {
	portfolio.Record `object:"tenant_invitation" prefix:"lead"`
	// The unit to apply for.
	UnitID string `json:"unit_id" format:"id" prefix:"unit"`
	// The property of the unit.
	PropertyID string `json:"property_id" format:"id" prefix:"prop"`
	// Where the invitation goes.
	Email string `json:"email" format:"email" maxlen:"254" example:"sam.rivera@example.com"`
	// Given name.
	FirstName *string `json:"first_name" minlen:"1" maxlen:"127" example:"Sam"`
	// Family name.
	LastName *string `json:"last_name" minlen:"1" maxlen:"127" example:"Rivera"`
	// Phone number in E.164.
	Phone *string `json:"phone" format:"phone" example:"+15125550142"`
	// Your own words in the email.
	Message *string `json:"message" maxlen:"1000" format:"text" example:"It was good to meet you at the viewing."`
	// When the applicant would like to move in.
	DesiredMoveInDate *clock.Date `json:"desired_move_in_date"`
	// Monthly rent that is offered, in dollars.
	OfferedRent *money.Cents `json:"offered_rent"`
	// Currency of the amounts.
	Currency string `json:"currency" const:"USD"`
	// Status of the invitation. opened: somebody opened the link; applied: the application was sent.
	Status InvitationStatus `json:"status" example:"sent"`
	// queued until a mail server accepts the email; email that is stored instead of sent (test mode,
	// no mail server) stays queued.
	EmailStatus EmailStatus `json:"email_status" example:"queued"`
	// The link to apply, only in the response that creates the invitation: we store only its hash.
	// Null in a preview.
	ApplyURL *string `json:"apply_url" format:"uri" secret:"true" example:"https://portal.example.com/apply/5S2vQ1"`
	// When the link expires: 30 days after its creation.
	ExpiresAt clock.Time `json:"expires_at"`
}

// DisplayName is the address that is invited; nobody outside the account wrote it.
func (i Invitation) DisplayName() (name string, outside bool) { return "to " + i.Email, false }

// SchemaName is the name of the OpenAPI component.
func (Invitation) SchemaName() string { return "TenantInviteOut" }

// invitationTime is how long a link stays good.
const invitationTime = clock.Time(30 * 24 * 60 * 60 * 1000)

// InvitationStatus is where an invitation stands.
type InvitationStatus string

// The statuses of an invitation.
const (
	InvitationSent      InvitationStatus = "sent"
	InvitationOpened    InvitationStatus = "opened"
	InvitationApplied   InvitationStatus = "applied"
	InvitationExpired   InvitationStatus = "expired"
	InvitationCancelled InvitationStatus = "cancelled"
)

// Values are all statuses of an invitation.
func (InvitationStatus) Values() []string {
	return []string{"sent", "opened", "applied", "expired", "cancelled"}
}

// EmailStatus is how far the email of an invitation has come.
type EmailStatus string

// The statuses of an invitation's email.
const (
	EmailQueued EmailStatus = "queued"
	EmailSent   EmailStatus = "sent"
	EmailFailed EmailStatus = "failed"
)

// Values are all statuses of an invitation's email.
func (EmailStatus) Values() []string { return []string{"queued", "sent", "failed"} }

// open reports whether an application may still be sent.
func (i *Invitation) open() bool {
	return slices.Contains(OpenInvitations(), i.Status)
}

// compute fills what is computed: an invitation is expired as soon as its time is
// over, whenever that is written down.
func (i *Invitation) compute(now clock.Time) {
	if i.open() && i.ExpiresAt <= now {
		i.Status = InvitationExpired
	}
}

// TenantInvite is what an invitation is made of.
type TenantInvite struct {
	// The unit to apply for, of the key's portfolio.
	UnitID string `json:"unit_id" format:"ref" prefix:"unit"`
	// Where the invitation goes.
	Email string `json:"email" format:"email" maxlen:"254" example:"sam.rivera@example.com"`
	// Given name; the email greets with it.
	FirstName *string `json:"first_name" minlen:"1" maxlen:"127" example:"Sam"`
	// Family name.
	LastName *string `json:"last_name" minlen:"1" maxlen:"127" example:"Rivera"`
	// Phone number; stored in E.164.
	Phone *string `json:"phone" format:"phone" example:"(512) 555-0142"`
	// Your own words in the email.
	Message *string `json:"message" maxlen:"1000" format:"text" example:"It was good to meet you at the viewing."`
	// When the applicant would like to move in; not in the past.
	DesiredMoveInDate *clock.Date `json:"desired_move_in_date"`
	// Monthly rent that is offered, in dollars.
	OfferedRent *money.Cents `json:"offered_rent" min:"0"`
}

// SchemaName is the name of the OpenAPI component.
func (TenantInvite) SchemaName() string { return "TenantInviteCreate" }

// Links are the hashes of the two tokens that an invitation's email carries.
type Links struct{ Apply, Unsubscribe []byte }

// InviteTenant makes an applicant lead for a unit and sends the apply-now email in
// the same transaction (docs/site/records.md).
func (s *Invitations) InviteTenant(
	ctx context.Context, by access.Actor, in TenantInvite,
) (*change.Result[Invitation], error) {
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[Invitation], error) {
		if err := fault.Invalid(in.Check(s.Today(by))); err != nil {
			return nil, err
		}
		return s.invite(ctx, by.Portfolio, in)
	})
}

// Check finds what no tag says: a move that would have been.
func (t TenantInvite) Check(today clock.Date) []fault.Detail {
	if t.DesiredMoveInDate == nil || *t.DesiredMoveInDate >= today {
		return nil
	}
	return []fault.Detail{portfolio.FieldFault("desired_move_in_date", fault.InvalidField, fmt.Sprintf(
		"must not be in the past; today is %s.", today))}
}

func (s *Invitations) invite(
	ctx context.Context, in access.Portfolio, t TenantInvite,
) (*change.Result[Invitation], error) {
	unit, err := portfolio.Find(ctx, in, id.Unit, t.UnitID, "unit", s.store.Unit)
	if err != nil {
		return nil, err
	}
	i := t.invitation(in, &unit, id.New(id.Invitation, s.Now(in)), clock.At(s.Now(in)))
	made := &change.Result[Invitation]{After: &i}
	if unit.Status != portfolio.UnitVacant {
		made.Warn("unit_not_vacant", fmt.Sprintf("The unit is not vacant: its status is %s.", unit.Status))
	}
	property, err := s.store.Property(ctx, in, unit.PropertyID)
	if err != nil {
		return nil, err
	}
	if property.Status == portfolio.PropertyArchived {
		made.Warn("property_archived", "The property of the unit is archived. Restore it before somebody moves in.")
	}
	again, err := s.store.Invited(ctx, in, unit.ID, i.Email, i.CreatedAt)
	if err != nil {
		return nil, err
	}
	if again {
		made.Warn("already_invited",
			"An invitation of this address to this unit is open already; it stays open beside the new one.")
	}
	unwanted, err := s.store.Unsubscribed(ctx, in, i.Email)
	if err != nil {
		return nil, err
	}
	if unwanted {
		i.EmailStatus = EmailFailed
		made.Warn(
			"recipient_unsubscribed",
			"This address wants no more invitations from this portfolio, so no email is sent. The link works; hand "+
				"it over yourself.",
		)
	}
	if !unwanted {
		if err := s.spareRecipient(ctx, in, i.Email); err != nil {
			return nil, err
		}
	}
	apply, unsubscribe := newToken(), newToken()
	if err := s.store.AddInvitation(ctx, in, &i, Links{
		Apply:       apply.hash(),
		Unsubscribe: unsubscribe.hash(),
	}); err != nil {
		return nil, err
	}
	if change.IsDryRun(ctx) {
		return made, nil
	}
	i.ApplyURL = new(s.link("/apply/", apply))
	if unwanted {
		return made, nil
	}
	return made, s.sendInvitation(ctx, in, &i, &unit, s.link("/mail/unsubscribe/", unsubscribe))
}

// spareRecipient counts an invitation to a recipient. It is the last check of an invitation, so nothing else that is
// refused counts, and neither do a preview and a replay.
func (s *Invitations) spareRecipient(ctx context.Context, in access.Portfolio, email string) error {
	err := mail.SpareRecipient(ctx, s.store, in, email, clock.At(s.Now(in)))
	if f, is := errors.AsType[*fault.Error](err); is && f.Code == fault.RateLimited {
		f.Message += " Wait until Retry-After is over."
	}
	return err
}

func (t *TenantInvite) invitation(in access.Portfolio, u *portfolio.Unit, id string, now clock.Time) Invitation {
	return Invitation{
		Record: portfolio.Record{
			ID:        id,
			Object:    "tenant_invitation",
			Mode:      in.Mode,
			Version:   1,
			CreatedAt: now,
			UpdatedAt: now,
		},
		UnitID:            u.ID,
		PropertyID:        u.PropertyID,
		Email:             t.Email,
		FirstName:         t.FirstName,
		LastName:          t.LastName,
		Phone:             t.Phone,
		Message:           t.Message,
		DesiredMoveInDate: t.DesiredMoveInDate,
		OfferedRent:       t.OfferedRent,
		Currency:          portfolio.Currency,
		Status:            InvitationSent,
		EmailStatus:       EmailQueued,
		ExpiresAt:         now.Later(in.Ahead) + invitationTime,
	}
}

func (s *Invitations) link(path string, t token) string {
	return strings.TrimRight(s.BaseURL, "/") + path + string(t)
}

func (s *Invitations) sendInvitation(
	ctx context.Context, in access.Portfolio, i *Invitation, u *portfolio.Unit, unsubscribe string,
) error {
	p, err := s.store.Property(ctx, in, i.PropertyID)
	if err != nil {
		return err
	}
	landlord, err := s.store.Landlord(ctx, in)
	if err != nil {
		return err
	}
	m, err := invitationEmail(&Lead{
		Invitation: *i,
		Property:   p,
		Unit:       *u,
		Landlord:   landlord,
		in:         in,
	}, unsubscribe)
	if err != nil {
		return err
	}
	return s.Send(ctx, m)
}

// MailWanted reports whether an email about a record should still leave: an invitation
// while it is open, to somebody who has not unsubscribed since.
func (s *Emails) MailWanted(ctx context.Context, in access.Portfolio, about, to string) (bool, error) {
	if !id.Valid(id.Invitation, about) {
		return true, nil
	}
	i, err := s.store.Invitation(ctx, in, about)
	if err != nil {
		return false, err
	}
	if i.compute(s.BusinessNow(in)); !i.open() {
		return false, nil
	}
	unwanted, err := s.store.Unsubscribed(ctx, in, to)
	return !unwanted, err
}

// MailFollowed writes down what became of an email about a record of the portfolio.
func (s *Emails) MailFollowed(ctx context.Context, in access.Portfolio, about string, f mail.Followed) error {
	if !id.Valid(id.Invitation, about) {
		return nil
	}
	to := EmailFailed
	if f.Status == mail.Sent {
		to = EmailSent
	}
	return s.store.SetEmailStatus(ctx, in, about, to, clock.At(s.Now(in)))
}

// Trace tells where an invitation stands.
func (i *Invitation) Trace(details map[string]string) { details["status"] = string(i.Status) }
