package account

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/secret"
)

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
