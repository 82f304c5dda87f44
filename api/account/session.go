package account

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/secret"
)

// Sessions is what begins with a sign-in and ends with a sign-out.
type Sessions struct {
	*common
}

// limits are how long a session lasts.
type limits struct{ idle, absolute time.Duration }

// The limits of a landlord's session, of one of the staff, and of one that waits for the
// second factor.
var (
	landlordLimits = limits{14 * 24 * time.Hour, Absolute}
	staffLimits    = limits{12 * time.Hour, 24 * time.Hour}
	pendingLimits  = limits{10 * time.Minute, 10 * time.Minute}
)

// Absolute is the longest that any session lasts.
const Absolute = 30 * 24 * time.Hour

// FreshTime is how long after signing in or confirming nobody is asked again
// (docs/decisions/0022).
const FreshTime = 10 * time.Minute

// seenEvery is how exactly it is known when a session was last seen.
const seenEvery = time.Minute

// Visitor is whose session it is, as the database knows it at this moment.
type Visitor struct {
	SessionID       string
	UserID          string
	Email           string
	Role            developer.UserRole
	Pending         bool       // nothing but the second factor may be shown
	AuthenticatedAt clock.Time // of the last full authentication
	CreatedAt       clock.Time
	LastSeenAt      clock.Time
	ExpiresAt       clock.Time  // if it is not idle before
	Account         *Membership // the current one, nil where there is none
}

// Fresh reports whether the person has shown who they are within FreshTime.
func (v *Visitor) Fresh(now clock.Time) bool {
	return !v.Pending && now < v.AuthenticatedAt+clock.Time(FreshTime.Milliseconds())
}

// CurrentAccount is the id of the account that is looked at, "" for none.
func (v *Visitor) CurrentAccount() string {
	if v.Account == nil {
		return ""
	}
	return v.Account.AccountID
}

// whole refuses a session whose second factor is still to be shown.
func (v *Visitor) whole() error {
	if v.Pending {
		return nobody()
	}
	return nil
}

// Actor is the visitor as the rules of a portfolio see them; members may do there what a
// key with every scope may.
func (v *Visitor) Actor(mode access.Mode) access.Actor {
	if v.Account == nil {
		return access.Actor{}
	}
	return v.Account.actor(mode)
}

// NewSession is a session that begins.
type NewSession struct {
	ID              string
	TokenHash       string
	UserID          string
	AccountID       string // the current one, "" for the oldest
	Pending         bool
	AuthenticatedAt clock.Time // 0 while pending
	CreatedAt       clock.Time
	ExpiresAt       clock.Time
	IdleTime        clock.Time
	Address         string
	UserAgent       string
}

// Session is one of a person's sessions, as they are shown them.
type Session struct {
	ID         string
	CreatedAt  clock.Time
	LastSeenAt clock.Time
	Address    string
	UserAgent  string
	Current    bool
}

// BeginResult is what comes of a proof.
type BeginResult struct {
	Pending   bool
	Device    string     // the cookie of the device, known from now on; "" while pending
	ExpiresAt clock.Time // of the session
}

// TokenHash is what is stored of a session's token, as scs makes it with HashTokenInStore.
func TokenHash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// errRenew says that a page has not made a new token: with the old one, an attacker who planted
// it would be signed in too.
var errRenew = errors.New("the token of the session was not renewed")

// nobody is the answer for somebody who is not signed in.
func nobody() *fault.Error { return fault.New(fault.NoRecord, "You are not signed in.") }

// there is what was found of somebody, who is to be signed in.
func there[T any](v T, found bool, err error) (*T, error) {
	if err == nil && !found {
		err = nobody()
	}
	if err != nil {
		return nil, err
	}
	return &v, nil
}

// again is the answer for a proof that has been overtaken.
func again() *fault.Error {
	return fault.New(fault.InvalidTransition, "Your password was just changed. Sign in again.")
}

// Begin signs somebody in with a token that no session has had. The session in which a
// second factor was waited for, or which was confirmed, ends.
func (s *Sessions) Begin(ctx context.Context, p *Proof, token string, from Client) (*BeginResult, error) {
	n := p.session(s.Now(), token, from)
	begun := &BeginResult{Pending: n.Pending, ExpiresAt: n.ExpiresAt}
	err := s.Store.Atomically(
		ctx, func(ctx context.Context) error { return s.begin(from.by(ctx, p.userID), p, n, from) },
	)
	if err != nil || n.Pending {
		return begun, err
	}
	begun.Device, err = s.remembered(from.Device, p.userID)
	return begun, err
}

func (s *Sessions) begin(ctx context.Context, p *Proof, n *NewSession, from Client) error {
	person, err := s.locked(ctx, p.userID)
	if err != nil {
		return err
	}
	if person.PasswordHash != p.stamp {
		return again()
	}
	if p.from != nil {
		if there, err := s.Store.RevokeSession(ctx, p.userID, p.from.SessionID, n.CreatedAt); err != nil || !there {
			return cmp.Or(err, error(nobody()))
		}
	}
	added, err := s.Store.AddSession(ctx, n)
	if err != nil {
		return fmt.Errorf("begin a session: %w", err)
	}
	if !added {
		return errRenew
	}
	if n.Pending {
		return nil
	}
	if err := s.audit.Record(ctx, audit.Event{
		Action:  "user.signed_in",
		Target:  n.ID,
		Details: map[string]string{"method": p.method},
	}); err != nil {
		return err
	}
	if p.again() || s.device(from.Device).knows(p.userID) {
		return nil
	}
	return s.tellOfDevice(ctx, person, from)
}

// again reports whether somebody goes on with what they have just begun, or confirms who they
// are. These sign-ins are expected, so no warning is sent.
func (p *Proof) again() bool {
	return p.method == bySignUp || p.method == byInvitation || p.from != nil && !p.from.Pending
}

func (p *Proof) session(at time.Time, token string, from Client) *NewSession {
	l, now := p.limits(), clock.At(at)
	n := &NewSession{
		ID:        id.New(id.Session, at),
		TokenHash: TokenHash(token),
		UserID:    p.userID,
		Pending:   !p.complete,
		CreatedAt: now,
		ExpiresAt: clock.At(at.Add(l.absolute)),
		IdleTime:  clock.Time(l.idle.Milliseconds()),
		Address:   from.IP(),
		UserAgent: from.Agent(),
	}
	if p.complete {
		n.AuthenticatedAt = now
	}
	if p.from != nil && p.from.Account != nil {
		n.AccountID = p.from.Account.AccountID
	}
	return n
}

func (p *Proof) limits() limits {
	switch {
	case !p.complete:
		return pendingLimits
	case p.role == developer.Staff:
		return staffLimits
	}
	return landlordLimits
}

// Visitor is whose session a token is of, as it is at this moment on every node, or
// fault.NoRecord. It notes within a minute that the session was seen, unless nobody was there.
func (s *Sessions) Visitor(ctx context.Context, token string, from Client) (*Visitor, error) {
	now := s.moment()
	v, err := there(s.Store.Visitor(ctx, TokenHash(token), now))
	if err != nil {
		return nil, err
	}
	if v.Pending || from.Unattended || v.LastSeenAt+clock.Time(seenEvery.Milliseconds()) > now {
		return v, nil
	}
	return v, s.Store.Seen(ctx, v.SessionID, now, from.IP(), from.Agent())
}

// Former is the user of a session that is over, by its token. fault.NoRecord: nobody was,
// or the session lasts.
func (s *Sessions) Former(ctx context.Context, token string) (*Visitor, error) {
	return there(s.Store.FormerVisitor(ctx, TokenHash(token), s.moment()))
}

// Continue goes on with a session under another token, for a privilege has changed.
func (s *Sessions) Continue(ctx context.Context, v *Visitor, token string) error {
	there, err := s.Store.ContinueSession(ctx, v.SessionID, TokenHash(token))
	if err == nil && !there {
		err = nobody()
	}
	return err
}

// SignOut ends the visitor's session.
func (s *Sessions) SignOut(ctx context.Context, v *Visitor, from Client) error {
	return s.endSession(ctx, v, v.SessionID, from)
}

// Sessions are the visitor's, the newest first.
func (s *Sessions) Sessions(ctx context.Context, v *Visitor) ([]Session, error) {
	if err := v.whole(); err != nil {
		return nil, err
	}
	all, err := s.Store.SessionsOf(ctx, v.UserID, s.moment())
	for i := range all {
		all[i].Current = all[i].ID == v.SessionID
	}
	return all, err
}

// EndSession ends one of the visitor's sessions, on the next request of anybody who has it.
func (s *Sessions) EndSession(ctx context.Context, v *Visitor, sessionID string, from Client) error {
	if err := v.whole(); err != nil {
		return err
	}
	return s.endSession(ctx, v, sessionID, from)
}

func (s *Sessions) endSession(ctx context.Context, v *Visitor, sessionID string, from Client) error {
	return s.Store.Atomically(from.by(ctx, v.UserID), func(ctx context.Context) error {
		found, err := s.Store.RevokeSession(ctx, v.UserID, sessionID, s.moment())
		if err != nil {
			return err
		}
		if !found {
			return fault.New(fault.NoRecord, "This session has already ended.")
		}
		return s.audit.Record(ctx, audit.Event{Action: "session.ended", Target: sessionID})
	})
}

// EndOtherSessions ends all of the visitor's sessions but this one.
func (s *Sessions) EndOtherSessions(ctx context.Context, v *Visitor, from Client) error {
	if err := v.whole(); err != nil {
		return err
	}
	return s.Store.Atomically(from.by(ctx, v.UserID), func(ctx context.Context) error {
		if _, err := s.locked(ctx, v.UserID); err != nil {
			return err
		}
		if err := s.Store.RevokeSessions(ctx, v.UserID, v.SessionID); err != nil {
			return err
		}
		return s.audit.Record(ctx, audit.Event{Action: "session.others_ended", Target: v.UserID})
	})
}

// Stale says that the visitor has to confirm first that it is them.
type Stale struct{ cause *fault.Error }

func (e Stale) Error() string { return e.cause.Error() }

// Unwrap is the fault to show where nobody is asked to confirm.
func (e Stale) Unwrap() error { return e.cause }

// IsStale reports whether an error asks for a confirmation.
func IsStale(err error) bool {
	_, stale := errors.AsType[Stale](err)
	return stale
}

// fresh refuses a visitor who has not shown lately who they are.
func (s *common) fresh(v *Visitor) error {
	if v.Fresh(s.moment()) {
		return nil
	}
	return Stale{fault.New(fault.InvalidTransition, "Confirm that it is you first.")}
}

// deviceTime is how long a device stays known, the longest that browsers keep a cookie.
const deviceTime = 400 * 24 * time.Hour

// mostUsers is how many people a device is known for.
const mostUsers = 8

// devicePurpose binds what is sealed to this use.
const devicePurpose = "known device"

// device is a browser that people have signed in with. It is kept in a cookie of the
// browser, sealed, and nowhere else.
type device struct {
	ID    string     `json:"id"`
	Users []string   `json:"users"`
	At    clock.Time `json:"at"` // of the last time somebody signed in
}

// The ways of beginning a session by which a user is made.
const (
	bySignUp     = "sign-up"
	byInvitation = "invitation"
)

// tellOfDevice writes to somebody who has signed in with a device that is not known for them. Whom
// an account belongs to can do everything in it, so its other owners get to know too; where
// from is told to the person alone.
func (s *Sessions) tellOfDevice(ctx context.Context, p *Person, from Client) error {
	if err := s.notify(
		ctx,
		p.Email,
		from,
		"A sign-in from a new device",
		"Someone signed in to your account from a new device.",
	); err != nil {
		return err
	}
	told := map[string]bool{p.Email: true}
	all, err := s.Store.Memberships(ctx, p.ID)
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.Role != access.Owner {
			continue
		}
		members, err := s.Store.Members(ctx, m.AccountID)
		if err != nil {
			return err
		}
		for _, o := range members {
			if o.Role != access.Owner || told[o.Email] {
				continue
			}
			told[o.Email] = true
			l := emailData{
				To:      o.Email,
				Subject: "An owner signed in from a new device",
				Name:    m.Name,
				By:      p.Email,
				Link:    s.BaseURL + "/team",
			}
			if err := s.write(ctx, "device", Client{}, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// device opens a cookie. One that is not ours, or is old, is a device that nobody knows.
func (s *common) device(cookie string) (d device) {
	sealed, err := base64.RawURLEncoding.DecodeString(cookie)
	if err != nil {
		return device{}
	}
	text, err := s.Box.Open(devicePurpose, sealed)
	if err != nil || json.Unmarshal([]byte(text), &d) != nil ||
		d.At+clock.Time(deviceTime.Milliseconds()) < s.moment() {
		return device{}
	}
	return d
}

func (d device) knows(userID string) bool { return slices.Contains(d.Users, userID) }

// remembered is the cookie of a device that a user has signed in with.
func (s *Sessions) remembered(cookie, userID string) (string, error) {
	d := s.device(cookie)
	if d.ID == "" {
		d.ID = secret.New()[:22]
	}
	users := append([]string{userID}, slices.DeleteFunc(d.Users, func(u string) bool { return u == userID })...)
	d.Users, d.At = users[:min(len(users), mostUsers)], s.moment()
	text, err := json.Marshal(d)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(s.Box.Seal(devicePurpose, string(text))), nil
}

// What a User-Agent header is searched for, the more telling first: most name others too.
var (
	browsers = [][2]string{
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"SamsungBrowser", "Samsung Internet"},
		{"Firefox", "Firefox"},
		{"FxiOS", "Firefox"},
		{"CriOS", "Chrome"},
		{"Chrome", "Chrome"},
		{"Safari", "Safari"},
		{"curl", "curl"},
	}
	systems = [][2]string{
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Android", "Android"},
		{"CrOS", "ChromeOS"},
		{"Windows", "Windows"},
		{"Macintosh", "macOS"},
		{"Linux", "Linux"},
	}
)

// Browser names the browser and the system of a User-Agent header in words of ours, "" where
// it knows neither: the header is whatever a stranger wants a reader to see.
func Browser(agent string) string {
	browser, system := named(browsers, agent), named(systems, agent)
	if browser != "" && system != "" {
		return browser + " on " + system
	}
	return browser + system
}

func named(names [][2]string, agent string) string {
	for _, n := range names {
		if strings.Contains(agent, n[0]) {
			return n[1]
		}
	}
	return ""
}
