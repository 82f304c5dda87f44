// Package signature signs deliveries, and tells what is wrong with a signature that a receiver
// has refused.
//
// It knows nothing of endpoints, deliveries or how they are sent.
package signature

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers that sign a delivery. The first is this service's own (docs/webhooks.md),
// in the form that Stripe's libraries verify; the others are
// those of Standard Webhooks, version 1.
const (
	ServiceHeader   = "X-Service-Signature"
	IDHeader        = "Webhook-Id"
	TimestampHeader = "Webhook-Timestamp"
	StandardHeader  = "Webhook-Signature"
)

// Secrets are the signing secrets of an endpoint. Previous is "" but while a secret
// that was rotated away still signs.
type Secrets struct{ Present, Previous string }

// Sign adds the headers that sign a body at a time. X-Service-Signature always has
// one signature, with the present secret; webhook-signature is a list and has one
// with each.
func Sign(h http.Header, id string, at time.Time, body []byte, s Secrets) {
	t := strconv.FormatInt(at.Unix(), 10)
	h[ServiceHeader] = []string{"t=" + t + ",v1=" + serviceSignature(s.Present, t, body)}
	h[IDHeader] = []string{id}
	h[TimestampHeader] = []string{t}
	h[StandardHeader] = []string{standardSignatures(id, t, body, s)}
}

// serviceSignature is lowercase hex over timestamp, a dot and the body; the key is the
// whole text of the secret.
func serviceSignature(secret, t string, body []byte) string {
	return hex.EncodeToString(mac([]byte(secret), []byte(t+"."), body))
}

// standardSignatures are base64 over id, timestamp and body with dots between; the key
// is what the secret holds behind its prefix, decoded.
func standardSignatures(id, t string, body []byte, s Secrets) string {
	head := []byte(id + "." + t + ".")
	signed := "v1," + base64.StdEncoding.EncodeToString(mac(bytesOf(s.Present), head, body))
	if s.Previous != "" {
		signed += " v1," + base64.StdEncoding.EncodeToString(mac(bytesOf(s.Previous), head, body))
	}
	return signed
}

// bytesOf are the random bytes of a secret; what is no secret of ours has none.
func bytesOf(secret string) []byte {
	b, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, SecretPrefix))
	if err != nil {
		return nil
	}
	return b
}

func mac(key []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

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
