package account

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"portal/api/fault"
	"portal/api/id"
)

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
