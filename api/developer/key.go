package developer

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"slices"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/operation"
)

// Key is an API key as it is shown. Plaintext is set once, in the answer of its creation.
type Key struct {
	// Identifier of the key, not the key.
	ID string `json:"id" format:"id" prefix:"key"`
	// What the key is for.
	Name string `json:"name" minlen:"1" maxlen:"120" example:"Accounting sync"`
	// The portfolio it opens.
	Mode access.Mode `json:"mode" example:"test"`
	// First characters of the key.
	KeyPrefix string `json:"key_prefix" example:"sk_test_pm_4fKq2Z"`
	// When it was created.
	CreatedAt clock.Time `json:"created_at"`
	// When it was last used, known within about a second.
	LastUsedAt *clock.Time `json:"last_used_at"`
	// When it was revoked.
	RevokedAt *clock.Time `json:"revoked_at"`
	// When it expires or expired.
	ExpiresAt *clock.Time `json:"expires_at"`
	// The whole key, only in the response that creates it.
	Plaintext *string `json:"plaintext,omitempty" format:"password" secret:"true"`

	Scopes  access.Scopes `json:"-"`
	Hash    []byte        `json:"-"`
	Creator string        `json:"-"` // email address of the user who made it, where that was read

	OfSession bool `json:"-"` // was made for the documentation in a session
}

// SchemaName is the name of the OpenAPI component.
func (Key) SchemaName() string { return "ApiKeyOut" }

// KeyCreate is what a new key shall be.
type KeyCreate struct {
	// What the key is for.
	Name string `json:"name" minlen:"1" maxlen:"120"`
	// The portfolio that it opens.
	Mode access.Mode `json:"mode"`
	// What it may do; none is read alone.
	Scopes []string `json:"scopes"`
	// When it stops; left out, it does not.
	ExpiresAt *clock.Time `json:"expires_at"`
	OfSession bool        `json:"-"` // for the documentation in a session: it ends with what its creator may do
}

// Check refuses scopes that there are not.
func (c KeyCreate) Check(clock.Date) []fault.Detail {
	if _, err := access.ScopesOf(c.Scopes...); err != nil {
		return []fault.Detail{{Param: "scopes", Code: fault.InvalidField, Message: fault.From(err).Message}}
	}
	return nil
}

var keyCreate = operation.DefineInput[KeyCreate]("create_key")

func (s *Service) checkKey(c KeyCreate) error {
	if err := keyCreate.Check(&c, s.today()); err != nil {
		return err
	}
	if c.ExpiresAt != nil && *c.ExpiresAt <= clock.At(s.now()) {
		return fault.New(fault.InvalidField, "The expiry must be in the future.").At("expires_at")
	}
	return nil
}

// today is the present day in UTC.
func (s *Service) today() clock.Date { return clock.DateOf(s.now(), time.UTC) }

// CreateKey makes a key in the name of a landlord whose access was approved. The
// answer alone carries the plaintext.
func (s *Service) CreateKey(ctx context.Context, email string, c KeyCreate) (k Key, err error) {
	if err := s.checkKey(c); err != nil {
		return Key{}, err
	}
	err = s.store.Atomically(ctx, func(ctx context.Context) error {
		u, a, err := s.lock(ctx, email, "")
		if err == nil {
			k, err = s.issue(ctx, Member{UserID: u.ID, AccountID: a.ID}, c)
		}
		return err
	})
	return k, err
}

// issue adds a key, within the transaction of the context. Who makes it is its creator.
func (s *Service) issue(ctx context.Context, by Member, c KeyCreate) (Key, error) {
	request, found, err := s.store.OpenAccessRequest(ctx, by.AccountID)
	if err != nil {
		return Key{}, err
	}
	if !found || request.Status != Approved {
		return Key{}, fault.New(
			fault.InvalidTransition,
			"API access of the account has not been approved; a key can be created after that.",
		)
	}
	in, err := s.store.PortfolioOf(ctx, by.AccountID, c.Mode)
	if err != nil {
		return Key{}, err
	}
	scopes, err := access.ScopesOf(c.Scopes...)
	if err != nil {
		return Key{}, err
	}
	secret := newKey(c.Mode)
	k := Key{
		ID:        id.New(id.Key, s.now()),
		Name:      c.Name,
		Mode:      c.Mode,
		KeyPrefix: secret[:prefixShown],
		CreatedAt: clock.At(s.now()),
		ExpiresAt: c.ExpiresAt,
		Plaintext: &secret,
		Scopes:    scopes,
		Hash:      hashKey(secret),
		OfSession: c.OfSession,
	}
	if err := s.store.AddKey(ctx, by.AccountID, by.UserID, in, k); err != nil {
		return Key{}, err
	}
	err = s.audit.Record(ctx, audit.Event{
		AccountID: by.AccountID,
		Action:    "key.created",
		Target:    k.ID,
		Details:   map[string]string{"name": k.Name, "mode": string(k.Mode), "scopes": scopes.String()},
	})
	if err != nil {
		return Key{}, err
	}
	return k, s.tellKey(ctx, by.AccountID, &k)
}

// RevokeKeysOf stops the keys that somebody made in an account who leaves it or is an owner
// no longer, within the transaction of the context: all of them, or, where they are kept,
// those of sessions alone. It tells how many worked.
func (s *Service) RevokeKeysOf(ctx context.Context, accountID, userID string, keep bool) (int, error) {
	ids, err := s.store.RevokeKeysOf(ctx, accountID, userID, keep, clock.At(s.now()))
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := s.audit.Record(ctx, audit.Event{
			AccountID: accountID,
			Action:    "key.revoked",
			Target:    id,
			Details:   map[string]string{"creator": userID},
		}); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

// Keys are all keys of a landlord's account, revoked ones too.
func (s *Service) Keys(ctx context.Context, email string) ([]Key, error) {
	_, a, err := s.Account(ctx, email)
	if err != nil {
		return nil, err
	}
	return s.KeysOf(ctx, a.ID)
}

// KeysOf are all keys of an account, revoked ones too.
func (s *Service) KeysOf(ctx context.Context, accountID string) ([]Key, error) {
	return s.store.Keys(ctx, accountID)
}

// RevokeKey stops a key; it acts on the next request.
func (s *Service) RevokeKey(ctx context.Context, keyID string) error {
	return s.store.Atomically(ctx, func(ctx context.Context) error {
		accountID, err := s.store.RevokeKey(ctx, keyID, clock.At(s.now()))
		if err != nil {
			return err
		}
		if accountID == "" {
			return fault.New(fault.NoRecord, "No key has the id %s.", keyID)
		}
		return s.audit.Record(ctx, audit.Event{AccountID: accountID, Action: "key.revoked", Target: keyID})
	})
}

// The form of a key (docs/site/authentication.md): sk_test_pm_ or sk_live_pm_, 43 base62
// characters of 256 random bits, 6 of a CRC-32 (IEEE) over what stands before.
const (
	headLength  = len("sk_test_pm_")
	bodyLength  = 43
	checkLength = 6
	keyLength   = headLength + bodyLength + checkLength
	prefixShown = headLength + 6
	digits62    = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// newKey makes a key of a mode.
func newKey(mode access.Mode) string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	key := "sk_" + string(mode) + "_pm_" + base62(new(big.Int).SetBytes(b), bodyLength)
	return key + checksum(key)
}

func checksum(s string) string {
	sum := crc32.ChecksumIEEE([]byte(s))
	return base62(big.NewInt(int64(sum)), checkLength)
}

// base62 writes a number with a fixed count of digits.
func base62(n *big.Int, width int) string {
	b := make([]byte, width)
	base, digit := big.NewInt(62), new(big.Int)
	for i := width - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		b[i] = digits62[digit.Int64()]
	}
	return string(b)
}

// wellFormed reports whether s has the form and the checksum of a key; a typo fails
// here without a look-up.
func wellFormed(s string) bool {
	if len(s) != keyLength || !strings.HasPrefix(s, "sk_test_pm_") && !strings.HasPrefix(s, "sk_live_pm_") {
		return false
	}
	for i := headLength; i < keyLength; i++ {
		if strings.IndexByte(digits62, s[i]) < 0 {
			return false
		}
	}
	return checksum(s[:keyLength-checkLength]) == s[keyLength-checkLength:]
}

// KeyMode tells the mode of a key from its form alone, without a look-up. It is false for
// what has not the form of a key, or not its checksum: then it was mistyped or not copied
// whole.
func KeyMode(key string) (access.Mode, bool) {
	if !wellFormed(key) {
		return "", false
	}
	return access.Mode(key[len("sk_"):len("sk_test")]), true
}

// hashKey is what is stored of a key. A fast hash is enough for 256 random bits.
func hashKey(s string) []byte {
	sum := sha256.Sum256([]byte(s))
	return sum[:]
}

// KeyState is how a key stands.
type KeyState string

// The states of a key.
const (
	KeyActive  KeyState = "active"
	KeyEnding  KeyState = "ending" // is active, and expires within a week
	KeyExpired KeyState = "expired"
	KeyRevoked KeyState = "revoked"
)

// soon is how long before its end a key is said to end.
const soon = 7 * 24 * time.Hour

// State is how the key stands at a moment.
func (k *Key) State(now time.Time) KeyState {
	switch {
	case k.RevokedAt != nil:
		return KeyRevoked
	case k.ExpiresAt == nil || k.ExpiresAt.Std().Sub(now) > soon:
		return KeyActive
	case *k.ExpiresAt <= clock.At(now):
		return KeyExpired
	}
	return KeyEnding
}

// AddKey makes a key in the name of an owner whose account's access was approved. The
// answer alone carries the plaintext.
func (s *Service) AddKey(ctx context.Context, by Member, c KeyCreate) (k Key, err error) {
	if err := s.checkKey(c); err != nil {
		return Key{}, err
	}
	err = s.lockedOwner(ctx, by, func(ctx context.Context) error {
		k, err = s.issue(ctx, by, c)
		return err
	})
	return k, err
}

// AccountKeys are all keys of a member's account, the newest first, revoked ones too.
func (s *Service) AccountKeys(ctx context.Context, by Member) ([]Key, error) {
	all, err := s.store.Keys(ctx, by.AccountID)
	slices.Reverse(all)
	return all, err
}

// KeyOf is a key of a member's account.
func (s *Service) KeyOf(ctx context.Context, by Member, keyID string) (Key, error) {
	k, found, err := s.store.Key(ctx, by.AccountID, keyID)
	if err == nil && !found {
		err = fault.New(fault.NoRecord, "The account has no key with the id %s.", keyID)
	}
	return k, err
}

// StopKey revokes a key of an owner's account; it acts on the next request.
func (s *Service) StopKey(ctx context.Context, by Member, keyID string) error {
	return s.locked(ctx, by, func(ctx context.Context) error {
		k, err := s.KeyOf(ctx, by, keyID)
		if err != nil {
			return err
		}
		if k.RevokedAt != nil {
			return fault.New(fault.InvalidTransition, "The key is already revoked.")
		}
		return s.RevokeKey(ctx, keyID)
	})
}

// Overlaps are how long the old key may go on beside the new one that it was rolled to.
var Overlaps = []time.Duration{0, time.Hour, 24 * time.Hour, 7 * 24 * time.Hour}

// RollKey makes a key with the name, the mode and the scopes of an old one, which ends
// after one of the overlaps. A key that was made to last a time is followed by one that
// lasts as long.
func (s *Service) RollKey(ctx context.Context, by Member, keyID string, overlap time.Duration) (k Key, err error) {
	err = s.lockedOwner(ctx, by, func(ctx context.Context) error {
		old, err := s.KeyOf(ctx, by, keyID)
		if err != nil {
			return err
		}
		now := s.now()
		if state := old.State(now); state == KeyRevoked || state == KeyExpired {
			return fault.New(fault.InvalidTransition, "The key is %s; create a new one instead.", state)
		}
		if k, err = s.issue(ctx, by, old.again(now)); err != nil {
			return err
		}
		ends := clock.At(now.Add(overlap))
		if old.ExpiresAt != nil {
			ends = min(ends, *old.ExpiresAt)
		}
		if err := s.store.EndKey(ctx, by.AccountID, keyID, ends); err != nil {
			return err
		}
		return s.audit.Record(ctx, audit.Event{
			AccountID: by.AccountID,
			Action:    "key.rolled",
			Target:    keyID,
			Details:   map[string]string{"to": k.ID, "ends": ends.String()},
		})
	})
	return k, err
}

// again is what a key has to be that takes the place of this one.
func (k *Key) again(now time.Time) KeyCreate {
	c := KeyCreate{Name: k.Name, Mode: k.Mode}
	for _, s := range k.Scopes {
		c.Scopes = append(c.Scopes, string(s))
	}
	if k.ExpiresAt != nil {
		c.ExpiresAt = new(clock.At(now.Add(k.ExpiresAt.Std().Sub(k.CreatedAt.Std()))))
	}
	return c
}

// Caller is the owner of a key, as the database knows it at this moment.
type Caller struct {
	Key       Key
	AccountID string
	Account   string // the account's name
	TimeZone  string
	Plan      Plan
	Portfolio access.Portfolio
	Role      access.Role // of the key's creator, "" when no longer a member
	Zone      *time.Location
}

// Actor is the caller as the rules see it.
func (c *Caller) Actor() *access.Actor {
	a := &access.Actor{
		Portfolio: c.Portfolio,
		AccountID: c.AccountID,
		KeyID:     c.Key.ID,
		Scopes:    c.Key.Scopes,
		Role:      c.Role,
		Zone:      c.Zone,
	}
	if c.Key.Mode == access.Live { // a demo's units do not count
		a.Units = new(c.Plan.Limits().Units)
	}
	return a
}

// Authenticate finds the caller of an Authorization header. It reads the database
// each time, so a key that was revoked a moment ago, on any node, is refused.
func (s *Service) Authenticate(ctx context.Context, header string) (*Caller, error) {
	key, err := keyOf(header)
	if err != nil {
		return nil, err
	}
	c, found, err := s.store.Caller(ctx, hashKey(key))
	if err != nil {
		return nil, err
	}
	switch {
	case !found:
		return nil, fault.Of(fault.UnknownAPIKey)
	case c.Key.RevokedAt != nil:
		return nil, fault.Of(fault.RevokedAPIKey)
	case c.Key.ExpiresAt != nil && *c.Key.ExpiresAt <= clock.At(s.now()):
		return nil, fault.Of(fault.ExpiredAPIKey)
	}
	c.Zone, err = clock.Zone(c.TimeZone)
	if err != nil {
		return nil, err
	}
	return &c, nil
}

// bearer is the scheme that keys are sent with (RFC 6750, section 2.1).
const bearer = "Bearer"

// otherSchemes are those that clients use for other services. Only these are named in messages:
// what stands in the place of a scheme may be a secret.
var otherSchemes = []string{
	"Basic", "Digest", "Token", "ApiKey", "OAuth", "DPoP", "Negotiate", "NTLM", "Hawk",
	"AWS4-HMAC-SHA256",
}

// keyOf is the key of an Authorization header, which has its form and checksum.
func keyOf(header string) (key string, err error) {
	if header == "" {
		return "", fault.Of(fault.MissingAPIKey)
	}
	scheme, key, _ := strings.Cut(header, " ")
	if strings.EqualFold(scheme, bearer) && wellFormed(key) {
		return key, nil
	}
	return "", misread(header)
}

// misread says what is wrong with a header, as far as that can be told without its secret.
func misread(header string) error {
	const send = "Send the whole key as Authorization: Bearer <API_KEY>."
	scheme, _, _ := strings.Cut(header, " ")
	for _, other := range otherSchemes {
		switch {
		case !strings.EqualFold(scheme, other):
		case other == "Basic":
			return fault.New(
				fault.MalformedAPIKey,
				"The Authorization header has the scheme Basic, as curl -u sends it; keys are sent with Bearer. "+send,
			)
		default:
			return fault.New(fault.MalformedAPIKey,
				"The Authorization header has the scheme %s; keys are sent with Bearer. %s",
				other, send)
		}
	}
	if wellFormed(header) {
		return fault.New(
			fault.MalformedAPIKey,
			"The Authorization header holds a key without the word Bearer before it. "+send,
		)
	}
	if !strings.EqualFold(scheme, bearer) {
		return fault.New(
			fault.MalformedAPIKey,
			"The Authorization header does not begin with the word Bearer and a space. "+send,
		)
	}
	return fault.Of(fault.MalformedAPIKey)
}
