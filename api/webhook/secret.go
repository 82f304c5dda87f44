package webhook

import (
	"crypto/rand"
	"encoding/base64"
)

// shown is how much of a secret stays visible: "whsec_" and four characters.
const shown = 10

// NewSecret makes a signing secret of 256 random bits: whsec_ and base64, the
// form that the libraries of Stripe and of Standard Webhooks take.
func NewSecret() (secret, prefix string) {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	secret = "whsec_" + base64.StdEncoding.EncodeToString(b)
	return secret, secret[:shown]
}
