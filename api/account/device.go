package account

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"time"

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

// device opens a cookie. One that is not ours, or is old, is a device that nobody knows.
func (s *Service) device(cookie string) (d device) {
	sealed, err := base64.RawURLEncoding.DecodeString(cookie)
	if err != nil {
		return device{}
	}
	text, err := s.Box.Open(devicePurpose, sealed)
	if err != nil || json.Unmarshal([]byte(text), &d) != nil || d.At+clock.Time(deviceTime.Milliseconds()) < s.moment() {
		return device{}
	}
	return d
}

func (d device) knows(userID string) bool { return slices.Contains(d.Users, userID) }

// remembered is the cookie of a device that a user has signed in with.
func (s *Service) remembered(cookie, userID string) (string, error) {
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
