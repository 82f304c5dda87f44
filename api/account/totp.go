package account

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // RFC 6238's default, the only one that every app knows; HMAC does not rest on collisions
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"time"
)

// Codes as every authenticator app makes them: six digits, a new one each 30 seconds. A
// clock that is a step off is forgiven.
const (
	totpStep   = 30 * time.Second
	totpDigits = 6
	totpSkew   = 1
)

// totpKey is the secret of an authenticator: 160 bits, as RFC 4226 recommends.
type totpKey []byte

var totpCode = base32.StdEncoding.WithPadding(base32.NoPadding)

func newTOTP() totpKey {
	b := make([]byte, 20)
	_, _ = rand.Read(b) // never fails
	return b
}

func (k totpKey) String() string { return totpCode.EncodeToString(k) }

// code is that of a step (RFC 4226, section 5.3).
func (k totpKey) code(step int64) string {
	mac := hmac.New(sha1.New, k)
	_ = binary.Write(mac, binary.BigEndian, step) // a hash takes everything
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0xf
	n := binary.BigEndian.Uint32(sum[at:]) & 0x7fffffff
	return fmt.Sprintf("%0*d", totpDigits, n%1_000_000)
}

// step finds the step near a moment whose code this is.
func (k totpKey) step(code string, now time.Time) (step int64, found bool) {
	present := now.Unix() / int64(totpStep.Seconds())
	for s := present - totpSkew; s <= present+totpSkew; s++ {
		if subtle.ConstantTimeCompare([]byte(k.code(s)), []byte(code)) == 1 {
			step, found = s, true
		}
	}
	return step, found
}

// uri is what an authenticator app reads from a QR code.
func (k totpKey) uri(issuer, email string) string {
	q := url.Values{
		"secret":    {k.String()},
		"issuer":    {issuer},
		"algorithm": {"SHA1"},
		"digits":    {"6"},
		"period":    {"30"},
	}
	return (&url.URL{
		Scheme:   "otpauth",
		Host:     "totp",
		Path:     "/" + issuer + ":" + email,
		RawQuery: q.Encode(),
	}).String()
}
