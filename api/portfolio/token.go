package portfolio

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// token is the secret part of a link that opens one record to whoever holds it: 256
// random bits. Only its hash is stored.
type token string

func newToken() token {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return token(base64.RawURLEncoding.EncodeToString(b))
}

func (t token) hash() []byte {
	sum := sha256.Sum256([]byte(t))
	return sum[:]
}
