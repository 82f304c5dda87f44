package tenantportal

import (
	"context"
	"embed"
	"strconv"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/agreement/notice"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/language"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/onetimecode"
	"portal/api/portfolio"
	"portal/api/secret"
)

// State is how the page of a tenant stands for the landlord.
type State struct {
	Link  *Link       // that is live, nil for none
	Until *clock.Date // the last day on which it opens, where that is known
	// Why the tenant can have no link, "" where they can.
	Without string
}

// State is how the page of a tenant stands.
func (s *Service) State(ctx context.Context, by access.Actor, tenantID string) (*State, error) {
	v, found, err := s.live(ctx, by, tenantID)
	if err != nil {
		return nil, err
	}
	state := &State{}
	if found {
		state.Link = &v.Link
	}
	if until, ends := v.Until(); ends && len(v.Leases) > 0 {
		state.Until = &until
	}
	if !v.open() {
		state.Without = v.without()
	}
	return state, nil
}

// without says why the page of a tenant does not open.
func (v *Visit) without() string {
	if len(v.Leases) == 0 {
		return "No signed lease names this tenant."
	}
	return "The tenancy has ended more than 30 days ago."
}

// Preview is the page of a tenant as the tenant sees it, for a member of the account, whether they have a link or
// not.
func (s *Service) Preview(ctx context.Context, by access.Actor, tenantID string) (*Visit, error) {
	v, _, err := s.live(ctx, by, tenantID)
	if err == nil && !v.open() {
		err = fault.New(fault.InvalidTransition, "%s has no tenant page. %s", v.Tenant.Name, v.without())
	}
	return v, err
}

// live is what the landlord sees of a tenant's page, with the link that is live, and whether there is one.
func (s *Service) live(ctx context.Context, by access.Actor, tenantID string) (v *Visit, found bool, err error) {
	t, err := portfolio.Find(ctx, by.Portfolio, id.Tenant, tenantID, "tenant", s.store.Tenant)
	if err != nil {
		return nil, false, err
	}
	l, found, err := s.store.LiveLink(ctx, by.Portfolio, t.ID)
	if err != nil {
		return nil, false, err
	}
	l.TenantID = t.ID
	v, err = s.visitBy(ctx, by.Portfolio, l, &t)
	return v, found, err
}

// NewLink is an address that opens the page of a tenant, for who hands it on themselves. Those that were given out
// before go on to open it, unless renew ends them.
func (s *Service) NewLink(
	ctx context.Context, by access.Actor, tenantID string, renew bool,
) (address string, err error) {
	if err := by.Need(access.Write); err != nil {
		return "", err
	}
	err = s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		v, err := s.issue(ctx, by, tenantID, renew)
		if err != nil {
			return err
		}
		if address, err = s.address(ctx, v); err != nil {
			return err
		}
		return s.RecordDone(ctx, by, "tenant.link_made", tenantID, nil)
	})
	return address, err
}

// SendLink emails a tenant an address that opens their page. Those that were given out before go on to open it,
// unless renew ends them.
func (s *Service) SendLink(ctx context.Context, by access.Actor, tenantID string, renew bool) error {
	if err := by.Need(access.Write); err != nil {
		return err
	}
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		v, err := s.issue(ctx, by, tenantID, renew)
		if err != nil {
			return err
		}
		if v.Tenant.Email == nil {
			return fault.New(fault.InvalidTransition, "%s has no email address. Add one first.", v.Tenant.Name)
		}
		now := clock.At(s.Now(by.Portfolio))
		if err := mail.SpareRecipient(ctx, s.store, by.Portfolio, *v.Tenant.Email, now); err != nil {
			return err
		}
		if err := s.mailLink(ctx, v); err != nil {
			return err
		}
		return s.RecordDone(ctx, by, "tenant.link_sent", tenantID, nil)
	})
}

// RevokeLink ends whatever opens the page of a tenant. Where nothing does it changes nothing.
func (s *Service) RevokeLink(ctx context.Context, by access.Actor, tenantID string) error {
	if err := by.Need(access.Write); err != nil {
		return err
	}
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		t, err := portfolio.Find(ctx, by.Portfolio, id.Tenant, tenantID, "tenant", s.store.Tenant)
		if err != nil {
			return err
		}
		ended, err := s.store.EndLink(ctx, by.Portfolio, t.ID, clock.At(s.Now(by.Portfolio)))
		if err != nil || !ended {
			return err
		}
		return s.RecordDone(ctx, by, "tenant.link_revoked", t.ID, nil)
	})
}

// LinkFor is an address that opens the page of a tenant, for an email about something else, "" where they can have
// none, or the landlord has revoked it; in the transaction of the context.
func (s *Service) LinkFor(ctx context.Context, by access.Actor, tenantID string) (string, error) {
	v, found, err := s.live(ctx, by, tenantID)
	if err != nil || !v.open() {
		return "", err
	}
	if revoked, err := s.revoked(ctx, v, found); err != nil || revoked {
		return "", err
	}
	if err := s.link(ctx, v, found, false); err != nil {
		return "", err
	}
	return s.address(ctx, v)
}

// revoked reports whether the landlord has revoked the page of a tenant, for whom a link is live or not. It stays so
// until the landlord makes another link: no email does.
func (s *Service) revoked(ctx context.Context, v *Visit, live bool) (bool, error) {
	if live {
		return false, nil
	}
	return s.store.HadLink(ctx, v.By.Portfolio, v.Tenant.ID)
}

// issue makes the link of a tenant who has none, or anew, in the transaction of the context.
func (s *Service) issue(ctx context.Context, by access.Actor, tenantID string, renew bool) (*Visit, error) {
	v, found, err := s.live(ctx, by, tenantID)
	if err != nil {
		return nil, err
	}
	if !v.open() {
		return nil, fault.New(fault.InvalidTransition, "%s cannot have a page. %s", v.Tenant.Name, v.without())
	}
	return v, s.link(ctx, v, found, renew)
}

// link gives the page of a tenant a link where none is live, or anew, in the transaction of the context.
func (s *Service) link(ctx context.Context, v *Visit, found, renew bool) (err error) {
	in, now := v.By.Portfolio, s.Now(v.By.Portfolio)
	if found && renew {
		if _, err := s.store.EndLink(ctx, in, v.Tenant.ID, clock.At(now)); err != nil {
			return err
		}
	}
	if v.Link.Language == language.Unchosen { // they may have chosen one by an earlier link, or as a signer
		if v.Link.Language, err = s.store.TenantLanguage(ctx, in, v.Tenant.ID); err != nil {
			return err
		}
	}
	if found && !renew {
		return nil
	}
	stopped, err := s.store.MailStopped(ctx, in, v.Tenant.ID)
	if err != nil {
		return err
	}
	v.Link = Link{
		ID:            id.New(id.TenantLink, now),
		CreatedAt:     clock.At(now),
		TenantID:      v.Tenant.ID,
		MailStoppedAt: stopped, // who wanted no emails wants none by another link
		Language:      v.Link.Language,
	}
	return s.store.AddTenantLinks(ctx, in, v.Link)
}

// address gives out another token of a link.
func (s *Service) address(ctx context.Context, v *Visit) (string, error) {
	token, at := secret.New(), clock.At(s.Now(v.By.Portfolio))
	return s.BaseURL + Path + token, s.store.AddToken(ctx, v.By.Portfolio, v.Link.ID, secret.Hash(token), at)
}

// MailWanted reports whether an email with a link or a code should still leave: while the link opens something, and the
// tenant has the address that it goes to.
func (s *Service) MailWanted(ctx context.Context, in access.Portfolio, linkID, to string) (bool, error) {
	l, err := s.store.LinkByID(ctx, in, linkID)
	if fault.Is(err, fault.NoRecord) {
		return false, nil
	}
	if err != nil || l.EndedAt != nil {
		return false, err
	}
	t, err := s.store.Tenant(ctx, in, l.TenantID)
	return err == nil && t.Email != nil && *t.Email == to, err
}

// MailFollowed writes down what became of an email with a link.
func (s *Service) MailFollowed(ctx context.Context, in access.Portfolio, linkID string, f mail.Followed) error {
	return s.store.SaveLinkSent(ctx, in, linkID, nil, string(f.Status))
}

//go:embed emails
var templateFiles embed.FS

var templates = mail.ReadTemplates(templateFiles, map[string]any{
	"dollars": exact,
	"named":   func(n *notice.Notice, in language.Language) string { return n.Kind.Name(in) },
	"says":    (*notice.Notice).Sentences,
})

// exact is an amount with its cents.
func exact(c money.Cents) string {
	words := c.Words()
	if !strings.Contains(words, ".") {
		words += ".00"
	}
	return words
}

// mailLink emails a tenant another address that opens their page.
func (s *Service) mailLink(ctx context.Context, v *Visit) error {
	address, err := s.address(ctx, v)
	if err != nil {
		return err
	}
	now := clock.At(s.Now(v.By.Portfolio))
	if err := s.store.SaveLinkSent(ctx, v.By.Portfolio, v.Link.ID, &now, string(mail.Queued)); err != nil {
		return err
	}
	subject := v.Link.Language.Say("Your page for ", "Su página para ") + v.Home().RentalAddress
	return s.mail(ctx, v, "link", subject, struct {
		Name, Landlord, Address, Link string
	}{v.Tenant.FirstName, v.Landlord.Name, v.Home().RentalAddress, v.Link.Language.Link(address)})
}

// mailCode emails a tenant the code that shows money and documents.
func (s *Service) mailCode(ctx context.Context, v *Visit, code string) error {
	subject := v.Link.Language.Say("Your code for your page at ", "Su código para su página de ")
	return s.mail(ctx, v, "code", subject+v.Home().RentalAddress, struct {
		Name, Landlord, Address, Code string
	}{v.Tenant.FirstName, v.Landlord.Name, v.Home().RentalAddress, code})
}

// mail sends a tenant an email about their link.
func (s *Service) mail(ctx context.Context, v *Visit, template, subject string, values any) error {
	m, err := templates.Fill(v.Link.Language.Template(template), &mail.Message{
		AccountID: v.Landlord.AccountID,
		Portfolio: v.By.Portfolio,
		About:     v.Link.ID,
		To:        v.email(),
		Subject:   subject,
	}, values)
	if err != nil {
		return err
	}
	return s.Send(ctx, m)
}

// photoTime is for how long the link of a photo works.
const photoTime = time.Hour

// photoPurpose is what links of photos are signed for.
const photoPurpose = "link of a photo"

// PhotoPath is where links of photos begin.
const PhotoPath = "/photos/"

// PhotoLink is the address that opens a photo for whoever has it, for an hour from a moment on.
func (s *Service) PhotoLink(photoID string, now time.Time) string {
	until := strconv.FormatInt(now.Add(photoTime).Unix(), 10)
	return s.BaseURL + PhotoPath + photoID + "." + until + "." + s.box.Sign(photoPurpose, photoID+" "+until)
}

// LinkedPhoto is the photo that the end of a link opens, as JPEG, or fault.NotFound.
func (s *Service) LinkedPhoto(ctx context.Context, token string) ([]byte, error) {
	photoID, rest, _ := strings.Cut(token, ".")
	until, signature, _ := strings.Cut(rest, ".")
	end, err := strconv.ParseInt(until, 10, 64)
	if err != nil || !id.Valid(id.Photo, photoID) || !s.box.Signed(photoPurpose, photoID+" "+until, signature) {
		return nil, fault.NotFound("photo")
	}
	in, content, err := s.store.LinkedPhoto(ctx, photoID)
	if err == nil && clock.At(s.Now(in)) >= clock.Time(end*1000) {
		err = fault.NotFound("photo")
	}
	return content, err
}

// UnlockTime is for how long a code shows money and documents to the browser in which it was typed.
const UnlockTime = 12 * time.Hour

// unlockPurpose is what proofs of a code are signed for.
const unlockPurpose = "unlocked page of a tenant"

// keepLanguage notes the language in which a tenant sends a form: emails to them are in it from then on.
func (s *Service) keepLanguage(ctx context.Context, v *Visit) error {
	if v.FormLanguage == language.Unchosen || v.FormLanguage == v.Link.Language {
		return nil
	}
	v.Link.Language = v.FormLanguage
	return s.store.SaveLinkLanguage(ctx, v.By.Portfolio, v.Link.ID, v.FormLanguage)
}

// SendCode emails the code that shows money and documents, in the language of the page that asked for it.
func (s *Service) SendCode(ctx context.Context, token string, chosen language.Language) error {
	v, err := s.Open(ctx, token)
	if err != nil {
		return err
	}
	if v.Tenant.Email == nil {
		return fault.New(fault.InvalidTransition,
			"There is no email address to send a code to. Ask %s to add it.", v.Landlord.Name)
	}
	return s.Tx.Exclusively(ctx, v.By.Portfolio, func(ctx context.Context) error {
		v.FormLanguage = chosen
		if err := s.keepLanguage(ctx, v); err != nil {
			return err
		}
		code, err := s.codes.Make(ctx, v.owner(), clock.At(s.Now(v.By.Portfolio)))
		if err != nil {
			return err
		}
		return s.mailCode(ctx, v, code)
	})
}

// owner is whom the codes of a page are for: who reads the mail of the tenant.
func (v *Visit) owner() onetimecode.Owner {
	return onetimecode.Owner{In: v.By.Portfolio, Subject: v.Link.ID, Address: v.email()}
}

func (v *Visit) email() string {
	if v.Tenant.Email == nil {
		return ""
	}
	return *v.Tenant.Email
}

// MaskedEmail is where codes go, with all but its ends left out, "" where there is no address.
func (v *Visit) MaskedEmail() string { return onetimecode.Masked(v.email()) }

// Unlock takes a code, and gives a proof of it for the browser to keep.
func (s *Service) Unlock(ctx context.Context, token, code string) (proof string, err error) {
	v, err := s.Open(ctx, token)
	if err != nil {
		return "", err
	}
	now := clock.At(s.Now(v.By.Portfolio))
	mac, err := s.codes.Try(ctx, v.owner(), code, now)
	if err != nil {
		return "", err
	}
	if err := s.Tx.Exclusively(ctx, v.By.Portfolio, func(ctx context.Context) error {
		return s.codes.Use(ctx, v.owner(), mac)
	}); err != nil {
		return "", err
	}
	until := strconv.FormatInt(s.Now(v.By.Portfolio).Add(UnlockTime).Unix(), 10)
	return until + "." + s.box.Sign(unlockPurpose, v.unlocks(until)), nil
}

// unlocks is what a proof is signed of: it ends with the link, and where the tenant's address changes.
func (v *Visit) unlocks(until string) string { return v.Link.ID + " " + v.email() + " " + until }

// Unlocked reports whether a proof shows money and documents.
func (s *Service) Unlocked(v *Visit, proof string) bool {
	until, signature, _ := strings.Cut(proof, ".")
	end, err := strconv.ParseInt(until, 10, 64)
	return err == nil && s.Now(v.By.Portfolio).Unix() < end && s.box.Signed(unlockPurpose, v.unlocks(until), signature)
}
