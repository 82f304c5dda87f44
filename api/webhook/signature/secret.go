package signature

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// The form of a secret.
const (
	SecretPrefix = "whsec_"
	shown        = len(SecretPrefix) + 4 // how much of a secret stays visible
)

// NewSecret makes a signing secret of 256 random bits: whsec_ and base64, the
// form that the libraries of Stripe and of Standard Webhooks take.
func NewSecret() (secret, prefix string) {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	secret = SecretPrefix + base64.StdEncoding.EncodeToString(b)
	return secret, secret[:shown]
}

// ListenSecret is the signing secret of events that are forwarded to a developer's machine
// for an API key. It is always the same for a key, so that a receiver keeps it over
// restarts; nothing is stored, and the key cannot be found from it.
func ListenSecret(key string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte("signing secret of portal listen"))
	return SecretPrefix + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
