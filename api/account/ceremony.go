package account

import (
	"context"
	"time"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/secret"
)

// CeremonyPurpose is what the data of a ceremony is sealed for, with the purpose of the
// ceremony behind a space.
const CeremonyPurpose = "ceremony"

// ceremonyTime is how long an answer is waited for.
const ceremonyTime = 5 * time.Minute

// Ceremony is something that a browser was asked and has to answer once. Its id is kept in
// the session of the browser, so that no other one can answer.
type Ceremony struct {
	IDHash    []byte
	UserID    *string // who was asked, nil where that comes out with the answer
	Purpose   string
	Data      []byte // sealed
	ExpiresAt clock.Time
}

// ask begins a ceremony and gives its id.
func (s *Passkeys) ask(ctx context.Context, userID, purpose, data string) (string, error) {
	id := secret.New()
	c := &Ceremony{
		IDHash:    secret.Hash(id),
		Purpose:   purpose,
		Data:      s.Box.Seal(CeremonyPurpose+" "+purpose, data),
		ExpiresAt: clock.At(s.Now().Add(ceremonyTime)),
	}
	if userID != "" {
		c.UserID = &userID
	}
	return id, s.Store.AddCeremony(ctx, c)
}

// answered ends a ceremony, whatever comes of it, and gives what was kept with it.
func (s *Passkeys) answered(ctx context.Context, id, userID, purpose string) (string, error) {
	var c Ceremony
	var found bool
	err := s.Store.Atomically(ctx, func(ctx context.Context) (err error) {
		c, found, err = s.Store.TakeCeremony(ctx, secret.Hash(id), s.moment())
		return err
	})
	if err != nil {
		return "", err
	}
	if !found || c.Purpose != purpose || userID != value(c.UserID) {
		return "", fault.New(
			fault.InvalidTransition,
			"This took longer than five minutes, or was answered already. Start again.",
		)
	}
	return s.Box.Open(CeremonyPurpose+" "+purpose, c.Data)
}

// value is a text that may be absent.
func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
