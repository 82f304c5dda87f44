package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
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

// ListenSecret is the signing secret of events that are forwarded to a developer's machine
// for an API key. It is always the same for a key, so that a receiver keeps it over
// restarts; nothing is stored, and the key cannot be found from it.
func ListenSecret(key string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte("signing secret of portal listen"))
	return scheme + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// issue gives an endpoint a new secret, which it shows, and seals it. A preview
// gets none: it would be shown and then never sign anything.
func (s *Service) issue(ctx context.Context, e *Endpoint) (sealed []byte) {
	secret, prefix := scheme, scheme
	if !change.IsDryRun(ctx) {
		secret, prefix = NewSecret()
		e.Secret = &secret
	}
	e.SecretPrefix = prefix
	return s.vault.Seal(SecretPurpose, secret)
}
