package account

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"portal/api/audit"
	"portal/api/fault"
)

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
