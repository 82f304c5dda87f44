package account

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/go-webauthn/webauthn/webauthn"

	"portal/api/clock"
	"portal/api/fault"
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
