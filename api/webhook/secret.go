package webhook

import (
	"context"
	"crypto/rand"
	"encoding/base64"

	"portal/api/change"
)

// SecretPurpose is what the vault seals signing secrets for.
const SecretPurpose = "webhook_secret"

const (
	scheme = "whsec_"
	shown  = len(scheme) + 4 // how much of a secret stays visible
)

// NewSecret makes a signing secret of 256 random bits: whsec_ and base64, the
// form that the libraries of Stripe and of Standard Webhooks take.
func NewSecret() (secret, prefix string) {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	secret = scheme + base64.StdEncoding.EncodeToString(b)
	return secret, secret[:shown]
}

// issue gives an endpoint a new secret, which it shows, and seals it. A preview
// gets none: it would be shown and then never sign anything.
func (s *Service) issue(ctx context.Context, e *Endpoint) (sealed []byte) {
	secret, prefix := scheme, scheme
	if !change.Rehearsed(ctx) {
		secret, prefix = NewSecret()
		e.Secret = &secret
	}
	e.SecretPrefix = prefix
	return s.vault.Seal(SecretPurpose, secret)
}
