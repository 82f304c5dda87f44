package account

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // RFC 6238's default, the only one that every app knows; HMAC does not rest on collisions
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/secret"
)

// SecondFactors is what people prove beside their password.
type SecondFactors struct {
	*common
}

// TOTPPurpose is what the key of an authenticator app is sealed for, with the id of the user
// behind a space.
// TOTPPurpose is what the key of an authenticator app is sealed for, with the id of the user
// behind a space.
const TOTPPurpose = "totp"

// issuer is how apps name what a code is for.
const issuer = "Portal"

// Security is what a person has for signing in.
type Security struct {
	TOTPSince     *clock.Time // nil where there is none
	RecoveryCodes int         // that are left
	Passkeys      []Passkey
}

// Second reports whether the password alone does not do.
func (s *Security) Second() bool { return s.TOTPSince != nil || len(s.Passkeys) > 0 }

// Security is what the visitor has for signing in.
func (s *SecondFactors) Security(ctx context.Context, v *Visitor) (Security, error) {
	p, err := s.person(ctx, v.UserID)
	if err != nil {
		return Security{}, err
	}
	have := Security{TOTPSince: p.TOTPSince}
	if have.RecoveryCodes, err = s.Store.RecoveryCodes(ctx, p.ID); err != nil {
		return have, err
	}
	have.Passkeys, err = s.Store.PasskeysOf(ctx, p.ID)
	return have, err
}

// wrongCode is the answer for a code that is wrong, old or was used.
func wrongCode() *fault.Error {
	return fault.New(
		fault.InvalidField,
		"This code is wrong or was used already. Enter the newest code of your app, or a recovery code.",
	).At("code")
}

// useCode uses up a code of the authenticator or a recovery code, once on all nodes.
func (s *SecondFactors) useCode(ctx context.Context, p *Person, code string, from Client) (method string, err error) {
	code = plain(code)
	if len(code) != totpDigits {
		return "recovery code", s.useRecoveryCode(ctx, p, code, from)
	}
	return "totp", s.useTOTP(ctx, p, code)
}

// plain is a code without what people write between its parts.
func plain(code string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '-' {
			return -1
		}
		return unicode.ToUpper(r)
	}, code)
}

func (s *SecondFactors) useTOTP(ctx context.Context, p *Person, code string) error {
	if p.TOTP == nil {
		return wrongCode()
	}
	key, err := s.Box.Open(TOTPPurpose+" "+p.ID, p.TOTP)
	if err != nil {
		return fmt.Errorf("open a secret: %w", err)
	}
	step, found := totpKey(key).step(code, s.Now())
	if !found {
		return wrongCode()
	}
	unused, err := s.Store.UseStep(ctx, p.ID, step)
	if err == nil && !unused {
		err = wrongCode()
	}
	return err
}

func (s *SecondFactors) useRecoveryCode(ctx context.Context, p *Person, code string, from Client) error {
	return s.Store.Atomically(from.by(ctx, p.ID), func(ctx context.Context) error {
		there, err := s.Store.UseRecoveryCode(ctx, p.ID, secret.Hash(code))
		if err != nil {
			return err
		}
		if !there {
			return wrongCode()
		}
		left, err := s.Store.RecoveryCodes(ctx, p.ID)
		if err != nil {
			return err
		}
		if err := s.audit.Record(ctx, audit.Event{Action: "user.recovery_code_used", Target: p.ID}); err != nil {
			return err
		}
		return s.notify(ctx, p.Email, from, "A recovery code was used",
			"Someone signed in to your account with a recovery code. You have %d left.", left)
	})
}

// TOTPSetup is what a person needs to set up an authenticator app.
type TOTPSetup struct {
	Secret string // base32, to be typed
	URI    string // otpauth://…, for a QR code
	Sealed string // to be kept in the session, until the app has shown a code
}

// setupTime is how long setting up an authenticator app may take.
const setupTime = 30 * time.Minute

// StartTOTP begins to set up an authenticator app.
func (s *SecondFactors) StartTOTP(v *Visitor) (TOTPSetup, error) {
	if err := s.fresh(v); err != nil {
		return TOTPSetup{}, err
	}
	until := strconv.FormatInt(s.Now().Add(setupTime).Unix(), 10)
	key := newTOTP()
	sealed := s.Box.Seal("totp setup "+v.UserID, until+" "+string(key))
	return TOTPSetup{key.String(), key.uri(issuer, v.Email), base64.RawURLEncoding.EncodeToString(sealed)}, nil
}

// TOTPSetup is what StartTOTP gave, for showing it again.
func (s *SecondFactors) TOTPSetup(v *Visitor, sealed string) (TOTPSetup, error) {
	key, err := s.setup(v, sealed)
	return TOTPSetup{key.String(), key.uri(issuer, v.Email), sealed}, err
}

func (s *SecondFactors) setup(v *Visitor, sealed string) (totpKey, error) {
	b, err := base64.RawURLEncoding.DecodeString(sealed)
	if err == nil {
		var text string
		text, err = s.Box.Open("totp setup "+v.UserID, b)
		until, key, _ := strings.Cut(text, " ")
		if at, _ := strconv.ParseInt(until, 10, 64); err == nil && s.Now().Unix() < at {
			return totpKey(key), nil
		}
	}
	return nil, fault.New(fault.InvalidTransition, "Setting up the app took too long. Start again.").Because(err)
}

// AddTOTP ends setting up an authenticator app with the code that it shows (param code).
// The recovery codes are shown once; nil where there are some already.
func (s *SecondFactors) AddTOTP(
	ctx context.Context, v *Visitor, sealed, code string, from Client,
) (recovery []string, err error) {
	if err := s.fresh(v); err != nil {
		return nil, err
	}
	key, err := s.setup(v, sealed)
	if err != nil {
		return nil, err
	}
	step, right := key.step(plain(code), s.Now())
	if !right {
		return nil, fault.New(
			fault.InvalidField,
			"This is not the code that the app should show now. Check that the clock of your phone is right.",
		).At("code")
	}
	return s.change(ctx, v, from, "user.totp_added", v.UserID, func(ctx context.Context, p *Person) error {
		return s.Store.SetTOTP(ctx, p.ID, s.Box.Seal(TOTPPurpose+" "+p.ID, string(key)), new(s.moment()), step)
	}, "An authenticator app was added", "You now need a code from your authenticator app to sign in.")
}

// RemoveTOTP takes the authenticator app away, and with the last second factor the
// recovery codes.
func (s *SecondFactors) RemoveTOTP(ctx context.Context, v *Visitor, from Client) error {
	if err := s.fresh(v); err != nil {
		return err
	}
	_, err := s.change(ctx, v, from, "user.totp_removed", v.UserID, func(ctx context.Context, p *Person) error {
		if p.TOTP == nil {
			return fault.New(fault.NoRecord, "You have no authenticator app.")
		}
		return s.Store.SetTOTP(ctx, p.ID, nil, nil, p.TOTPStep)
	}, "The authenticator app was removed", "You no longer need a code from the authenticator app to sign in.")
	return err
}

// change changes the second factors of a visitor, puts it on record and tells them. With
// the first factor come recovery codes, with the last one they go.
func (s *SecondFactors) change(
	ctx context.Context,
	v *Visitor,
	from Client,
	action, target string,
	do func(context.Context, *Person) error,
	subject, what string,
	args ...any,
) (recovery []string, err error) {
	err = s.Store.Atomically(from.by(ctx, v.UserID), func(ctx context.Context) error {
		p, err := s.locked(ctx, v.UserID)
		if err != nil {
			return err
		}
		if err := do(ctx, p); err != nil {
			return err
		}
		if recovery, err = s.recoverable(ctx, p.ID); err != nil {
			return err
		}
		if err := s.audit.Record(ctx, audit.Event{Action: action, Target: target}); err != nil {
			return err
		}
		return s.notify(ctx, p.Email, from, subject, what, args...)
	})
	return recovery, err
}

// recoverable gives recovery codes to somebody who has a second factor and none of them, and takes
// them from somebody who has no second factor.
func (s *SecondFactors) recoverable(ctx context.Context, userID string) ([]string, error) {
	p, err := s.person(ctx, userID)
	if err != nil {
		return nil, err
	}
	left, err := s.Store.RecoveryCodes(ctx, userID)
	switch {
	case err != nil:
		return nil, err
	case p.second() && left == 0:
		return s.giveCodes(ctx, userID)
	case !p.second() && left > 0:
		return nil, s.Store.SetRecoveryCodes(ctx, userID, nil)
	}
	return nil, nil
}

// NewRecoveryCodes are ten codes that take the place of the earlier ones. They are shown
// once.
func (s *SecondFactors) NewRecoveryCodes(ctx context.Context, v *Visitor, from Client) (codes []string, err error) {
	if err := s.fresh(v); err != nil {
		return nil, err
	}
	_, err = s.change(ctx, v, from, "user.recovery_codes_made", v.UserID, func(ctx context.Context, p *Person) error {
		if !p.second() {
			return fault.New(
				fault.InvalidTransition,
				"Add an authenticator app or a passkey before you create recovery codes.",
			)
		}
		codes, err = s.giveCodes(ctx, p.ID)
		return err
	}, "New recovery codes", "new recovery codes were made for your account. The earlier ones do not work any more.")
	return codes, err
}

// recoveryCodes is how many there are, each of 80 random bits in four groups.
const recoveryCodes = 10

// recoveryAlphabet is Crockford's base 32, which has no letters that are taken for digits.
var recoveryAlphabet = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

func (s *SecondFactors) giveCodes(ctx context.Context, userID string) ([]string, error) {
	codes, hashes := make([]string, recoveryCodes), make([][]byte, recoveryCodes)
	for i := range codes {
		b := make([]byte, 10)
		_, _ = rand.Read(b) // never fails
		c := recoveryAlphabet.EncodeToString(b)
		codes[i], hashes[i] = c[:4]+"-"+c[4:8]+"-"+c[8:12]+"-"+c[12:], secret.Hash(c)
	}
	return codes, s.Store.SetRecoveryCodes(ctx, userID, hashes)
}

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
