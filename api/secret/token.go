package secret

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// New is 256 random bits, fit for an address.
func New() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// Hash is the SHA-256 of a token, which is what is stored of it.
func Hash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
