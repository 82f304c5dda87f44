package account

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/secret"
)

// Passkeys is how people register and use passkeys.
type Passkeys struct {
	*common
	secondFactors *SecondFactors
}

// Passkey is a credential of WebAuthn that a person signs in with.
type Passkey struct {
	ID         string
	UserID     string
	Name       string
	CreatedAt  clock.Time
	LastUsedAt *clock.Time
	ClonedAt   *clock.Time // when its count went backwards, as that of a copy does; it is refused since

	CredentialID []byte
	Credential   []byte // what the library keeps of it, as JSON
}

// relyingParty is what browsers bind passkeys to: the host of the base URL, and its
// origin. An IP address can be none (WebAuthn, section 5.1.2), so there are no passkeys.
func relyingParty(baseURL string) *webauthn.WebAuthn {
	u, err := url.Parse(baseURL)
	if err != nil {
		return nil
	}
	w, err := webauthn.New(&webauthn.Config{RPID: u.Hostname(), RPDisplayName: issuer, RPOrigins: []string{baseURL}})
	if err != nil || u.Hostname() == "" {
		return nil
	}
	return w
}

// Passkeys reports whether there can be passkeys here.
func (s *Passkeys) Passkeys() bool { return s.passkeys != nil }

func (s *Passkeys) party() (*webauthn.WebAuthn, error) {
	if s.passkeys == nil {
		return nil, fault.New(
			fault.InvalidTransition, "Passkeys need a host name; this service is reached by an IP address.",
		)
	}
	return s.passkeys, nil
}

// passkeyUser is a person as the library sees them. The handle that an authenticator keeps is
// the id of the user, which tells nothing of them.
type passkeyUser struct {
	id, email   string
	credentials []webauthn.Credential
}

// WebAuthnID is the handle.
func (h *passkeyUser) WebAuthnID() []byte { return []byte(h.id) }

// WebAuthnName is what the authenticator shows.
func (h *passkeyUser) WebAuthnName() string { return h.email }

// WebAuthnDisplayName is what the authenticator shows.
func (h *passkeyUser) WebAuthnDisplayName() string { return h.email }

// WebAuthnCredentials are the passkeys of the person.
func (h *passkeyUser) WebAuthnCredentials() []webauthn.Credential { return h.credentials }

func (s *Passkeys) passkeyUser(ctx context.Context, userID string) (*passkeyUser, []Passkey, error) {
	p, err := s.person(ctx, userID)
	if err != nil {
		return nil, nil, err
	}
	keys, err := s.Store.PasskeysOf(ctx, userID)
	if err != nil {
		return nil, nil, err
	}
	h := &passkeyUser{id: p.ID, email: p.Email, credentials: make([]webauthn.Credential, len(keys))}
	for i, k := range keys {
		if err := json.Unmarshal(k.Credential, &h.credentials[i]); err != nil {
			return nil, nil, fmt.Errorf("read a passkey: %w", err)
		}
	}
	return h, keys, nil
}

// The purposes of ceremonies with passkeys.
const (
	adding    = "add a passkey"
	signingIn = "sign in with a passkey"
	proving   = "show a passkey"
)

// begun keeps what the library wants to know at the end, and gives what the browser is
// asked.
func (s *Passkeys) begun(
	ctx context.Context, userID, purpose string, options any, data *webauthn.SessionData,
) (asked []byte, ceremony string, err error) {
	kept, err := json.Marshal(data)
	if err != nil {
		return nil, "", err
	}
	if asked, err = json.Marshal(options); err != nil {
		return nil, "", err
	}
	ceremony, err = s.ask(ctx, userID, purpose, string(kept))
	return asked, ceremony, err
}

func (s *Passkeys) kept(ctx context.Context, ceremony, userID, purpose string) (data webauthn.SessionData, err error) {
	text, err := s.answered(ctx, ceremony, userID, purpose)
	if err == nil {
		err = json.Unmarshal([]byte(text), &data)
	}
	return data, err
}

// RenamePasskey gives one of the visitor's passkeys another name (param name).
func (s *Passkeys) RenamePasskey(ctx context.Context, v *Visitor, passkeyID, name string) error {
	if err := v.whole(); err != nil {
		return err
	}
	var c check
	if c.name("name", name); len(c) > 0 {
		return fault.Invalid(c)
	}
	return s.Store.Atomically(ctx, func(ctx context.Context) error {
		if _, err := s.locked(ctx, v.UserID); err != nil {
			return err
		}
		k, err := s.passkeyOf(ctx, v, passkeyID)
		if err != nil {
			return err
		}
		k.Name = name
		return s.Store.SavePasskey(ctx, &k)
	})
}

func (s *Passkeys) passkeyOf(ctx context.Context, v *Visitor, passkeyID string) (Passkey, error) {
	all, err := s.Store.PasskeysOf(ctx, v.UserID)
	if err != nil {
		return Passkey{}, err
	}
	for _, k := range all {
		if k.ID == passkeyID {
			return k, nil
		}
	}
	return Passkey{}, noPasskey()
}

func noPasskey() *fault.Error { return fault.New(fault.NoRecord, "This passkey does not exist.") }

// RemovePasskey takes one of the visitor's passkeys away, and with the last second factor
// the recovery codes.
func (s *Passkeys) RemovePasskey(ctx context.Context, v *Visitor, passkeyID string, from Client) error {
	if err := s.fresh(v); err != nil {
		return err
	}
	_, err := s.secondFactors.change(
		ctx,
		v,
		from,
		"user.passkey_removed",
		passkeyID,
		func(ctx context.Context, p *Person) error {
			there, err := s.Store.RemovePasskey(ctx, p.ID, passkeyID)
			if err == nil && !there {
				err = noPasskey()
			}
			return err
		},
		"A passkey was removed",
		"A passkey was removed from your account. It no longer signs you in.",
	)
	return err
}

// CeremonyPurpose is what the data of a ceremony is sealed for, with the purpose of the
// ceremony behind a space.
const CeremonyPurpose = "ceremony"

// ceremonyTime is how long an answer is waited for.
const ceremonyTime = 5 * time.Minute

// Ceremony is something that a browser was asked and has to answer once. Its id is kept in
// the session of the browser, so that no other one can answer.
type Ceremony struct {
	IDHash    []byte
	UserID    *string // who was asked, nil where that comes out with the answer
	Purpose   string
	Data      []byte // sealed
	ExpiresAt clock.Time
}

// ask begins a ceremony and gives its id.
func (s *Passkeys) ask(ctx context.Context, userID, purpose, data string) (string, error) {
	id := secret.New()
	c := &Ceremony{
		IDHash:    secret.Hash(id),
		Purpose:   purpose,
		Data:      s.Box.Seal(CeremonyPurpose+" "+purpose, data),
		ExpiresAt: clock.At(s.Now().Add(ceremonyTime)),
	}
	if userID != "" {
		c.UserID = &userID
	}
	return id, s.Store.AddCeremony(ctx, c)
}

// answered ends a ceremony, whatever comes of it, and gives what was kept with it.
func (s *Passkeys) answered(ctx context.Context, id, userID, purpose string) (string, error) {
	var c Ceremony
	var found bool
	err := s.Store.Atomically(ctx, func(ctx context.Context) (err error) {
		c, found, err = s.Store.TakeCeremony(ctx, secret.Hash(id), s.moment())
		return err
	})
	if err != nil {
		return "", err
	}
	if !found || c.Purpose != purpose || userID != value(c.UserID) {
		return "", fault.New(
			fault.InvalidTransition,
			"This took longer than five minutes, or was answered already. Start again.",
		)
	}
	return s.Box.Open(CeremonyPurpose+" "+purpose, c.Data)
}

// value is a text that may be absent.
func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// StartPasskey begins to add a passkey: options are for navigator.credentials.create, the
// ceremony is to be kept in the session.
func (s *Passkeys) StartPasskey(ctx context.Context, v *Visitor) (options []byte, ceremony string, err error) {
	if err := s.fresh(v); err != nil {
		return nil, "", err
	}
	party, err := s.party()
	if err != nil {
		return nil, "", err
	}
	h, _, err := s.passkeyUser(ctx, v.UserID)
	if err != nil {
		return nil, "", err
	}
	selection := protocol.AuthenticatorSelection{
		ResidentKey:        protocol.ResidentKeyRequirementRequired,
		RequireResidentKey: protocol.ResidentKeyRequired(),
		UserVerification:   protocol.VerificationRequired,
	}
	created, data, err := party.BeginRegistration(
		h,
		webauthn.WithAuthenticatorSelection(selection),
		webauthn.WithExclusions(webauthn.Credentials(h.credentials).CredentialDescriptors()),
		webauthn.WithConveyancePreference(protocol.PreferNoAttestation),
	)
	if err != nil {
		return nil, "", fmt.Errorf("begin to add a passkey: %w", err)
	}
	return s.begun(ctx, v.UserID, adding, created, data)
}

// mostPasskeys is how many a person may have.
const mostPasskeys = 20

// AddPasskey ends adding a passkey with what the browser answered. It has a name (param
// name). The recovery codes are shown once; nil where there are some already.
func (s *Passkeys) AddPasskey(
	ctx context.Context, v *Visitor, ceremony, name string, response []byte, from Client,
) (k Passkey, recovery []string, err error) {
	if err := s.fresh(v); err != nil {
		return k, nil, err
	}
	var c check
	if c.name("name", name); len(c) > 0 {
		return k, nil, fault.Invalid(c)
	}
	credential, err := s.created(ctx, v, ceremony, response)
	if err != nil {
		return k, nil, err
	}
	k = Passkey{
		ID:           id.New(id.Passkey, s.Now()),
		UserID:       v.UserID,
		Name:         name,
		CreatedAt:    s.moment(),
		CredentialID: credential.ID,
	}
	if k.Credential, err = json.Marshal(credential); err != nil {
		return k, nil, err
	}
	recovery, err = s.secondFactors.change(
		ctx,
		v,
		from,
		"user.passkey_added",
		k.ID,
		func(ctx context.Context, p *Person) error {
			if p.Passkeys >= mostPasskeys {
				return fault.New(
					fault.InvalidTransition, "There are %d passkeys already. Remove one first.", p.Passkeys,
				)
			}
			added, err := s.Store.AddPasskey(ctx, &k)
			if err == nil && !added {
				err = fault.New(fault.InvalidTransition, "You already added this passkey.")
			}
			return err
		},
		"A passkey was added",
		"You can now sign in with the passkey “%s”.",
		name,
	)
	return k, recovery, err
}

func (s *Passkeys) created(
	ctx context.Context, v *Visitor, ceremony string, response []byte,
) (*webauthn.Credential, error) {
	party, err := s.party()
	if err != nil {
		return nil, err
	}
	data, err := s.kept(ctx, ceremony, v.UserID, adding)
	if err != nil {
		return nil, err
	}
	answer, err := protocol.ParseCredentialCreationResponseBytes(response)
	if err != nil {
		return nil, badPasskey(err)
	}
	credential, err := party.CreateCredential(&passkeyUser{id: v.UserID, email: v.Email}, data, answer)
	if err != nil {
		return nil, badPasskey(err)
	}
	credential.Attestation = webauthn.CredentialAttestation{} // nobody asks where it comes from
	return credential, nil
}

// badPasskey is the answer for what a browser or an attacker sends.
func badPasskey(cause error) *fault.Error {
	return fault.New(
		fault.InvalidField, "The passkey was not accepted. Try again, or choose another way.",
	).At("passkey").Because(cause)
}

// StartPasskeySignIn begins to sign in with a passkey alone, before it is known whose: options are
// for navigator.credentials.get.
func (s *Passkeys) StartPasskeySignIn(ctx context.Context, from Client) (options []byte, ceremony string, err error) {
	party, err := s.party()
	if err != nil {
		return nil, "", err
	}
	if err := s.take(ctx, starting(from)); err != nil {
		return nil, "", err
	}
	asked, data, err := party.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return nil, "", fmt.Errorf("begin to sign in with a passkey: %w", err)
	}
	return s.begun(ctx, "", signingIn, asked, data)
}

// PasskeySignIn ends signing in with a passkey alone. Since the authenticator has verified
// its user no second factor is asked for.
func (s *Passkeys) PasskeySignIn(ctx context.Context, ceremony string, response []byte, from Client) (*Proof, error) {
	data, err := s.kept(ctx, ceremony, "", signingIn)
	if err != nil {
		return nil, err
	}
	return s.shown(ctx, nil, data, response, from)
}

// StartPasskeyProof begins to show a passkey of the visitor: as the second factor, or to
// confirm that it is them.
func (s *Passkeys) StartPasskeyProof(ctx context.Context, v *Visitor) (options []byte, ceremony string, err error) {
	party, err := s.party()
	if err != nil {
		return nil, "", err
	}
	h, keys, err := s.passkeyUser(ctx, v.UserID)
	if err != nil {
		return nil, "", err
	}
	if len(keys) == 0 {
		return nil, "", fault.New(fault.InvalidTransition, "You have no passkey for this site.")
	}
	asked, data, err := party.BeginLogin(h, webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return nil, "", fmt.Errorf("ask for a passkey: %w", err)
	}
	return s.begun(ctx, v.UserID, proving, asked, data)
}

// PasskeyProof ends showing a passkey.
func (s *Passkeys) PasskeyProof(
	ctx context.Context, v *Visitor, ceremony string, response []byte, from Client,
) (*Proof, error) {
	data, err := s.kept(ctx, ceremony, v.UserID, proving)
	if err != nil {
		return nil, err
	}
	return s.shown(ctx, v, data, response, from)
}

// shown checks what a browser answered with and finds whose passkey it is.
func (s *Passkeys) shown(
	ctx context.Context, v *Visitor, data webauthn.SessionData, response []byte, from Client,
) (*Proof, error) {
	answer, err := protocol.ParseCredentialRequestResponseBytes(response)
	if err != nil {
		return nil, badPasskey(err)
	}
	k, found, err := s.Store.PasskeyOf(ctx, answer.RawID)
	if err != nil {
		return nil, err
	}
	if !found || k.ClonedAt != nil || v != nil && k.UserID != v.UserID {
		return nil, badPasskey(nil)
	}
	credential, err := s.validated(ctx, &k, data, answer)
	if err != nil {
		return nil, err
	}
	return s.used(ctx, &k, credential, v, from)
}

func (s *Passkeys) validated(
	ctx context.Context, k *Passkey, data webauthn.SessionData, answer *protocol.ParsedCredentialAssertionData,
) (*webauthn.Credential, error) {
	h, _, err := s.passkeyUser(ctx, k.UserID)
	if err != nil {
		return nil, err
	}
	updateBackupFlag(h, answer)
	var credential *webauthn.Credential
	if data.UserID == nil {
		credential, err = s.passkeys.ValidateDiscoverableLogin(func(_, handle []byte) (webauthn.User, error) {
			if string(handle) != h.id {
				return nil, fault.New(fault.NoRecord, "This passkey belongs to another user.")
			}
			return h, nil
		}, data, answer)
	} else {
		credential, err = s.passkeys.ValidateLogin(h, data, answer)
	}
	if err != nil {
		return nil, badPasskey(err)
	}
	return credential, nil
}

// updateBackupFlag takes over whether a passkey can be copied to other devices of its owner. By the
// standard that never changes, and the library holds it to that; the passkeys of some
// password managers change it all the same, and nothing here depends on it.
func updateBackupFlag(h *passkeyUser, answer *protocol.ParsedCredentialAssertionData) {
	for i := range h.credentials {
		if string(h.credentials[i].ID) == string(answer.RawID) {
			h.credentials[i].Flags.BackupEligible = answer.Response.AuthenticatorData.Flags.HasBackupEligible()
		}
	}
}

// used notes that a passkey was used. One whose count does not grow may be a copy: it is
// refused from then on, and its owner is told.
func (s *Passkeys) used(
	ctx context.Context, k *Passkey, c *webauthn.Credential, v *Visitor, from Client,
) (proof *Proof, err error) {
	cloned := c.Authenticator.CloneWarning
	c.Authenticator.CloneWarning = false
	err = s.Store.Atomically(from.by(ctx, k.UserID), func(ctx context.Context) error {
		p, err := s.locked(ctx, k.UserID)
		if err != nil {
			return err
		}
		proof = p.proof("passkey", true, v)
		if cloned {
			return s.markCloned(ctx, p, k, from)
		}
		k.LastUsedAt = new(s.moment())
		if k.Credential, err = json.Marshal(c); err != nil {
			return err
		}
		return s.Store.SavePasskey(ctx, k)
	})
	if err == nil && cloned {
		err = badPasskey(nil)
	}
	if err != nil {
		return nil, err
	}
	return proof, nil
}

func (s *Passkeys) markCloned(ctx context.Context, p *Person, k *Passkey, from Client) error {
	k.ClonedAt = new(s.moment())
	if err := s.Store.SavePasskey(ctx, k); err != nil {
		return err
	}
	if err := s.audit.Record(ctx, audit.Event{Action: "user.passkey_cloned", Target: k.ID}); err != nil {
		return err
	}
	return s.notify(
		ctx,
		p.Email,
		from,
		"A passkey was refused",
		"A copy of the passkey “%s” may be in use, so it no longer works. Remove it and add a new one.",
		k.Name,
	)
}
