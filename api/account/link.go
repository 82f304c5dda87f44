package account

import (
	"context"
	"time"

	"portal/api/clock"
	"portal/api/secret"
)

// Purpose is what a link in an email does.
type Purpose string

// The purposes of links.
const (
	ResetPassword Purpose = "reset"
	ConfirmEmail  Purpose = "email"
	UndoEmail     Purpose = "undo"
)

// linkTimes are how long links work.
var linkTimes = map[Purpose]time.Duration{
	ResetPassword: time.Hour,
	ConfirmEmail:  24 * time.Hour,
	UndoEmail:     7 * 24 * time.Hour,
}

// Link is a link in an email to a user.
type Link struct {
	TokenHash []byte
	UserID    string
	Purpose   Purpose
	Email     string // the address that it went to
	CreatedAt clock.Time
	ExpiresAt clock.Time
}

// addLink makes a link for a user that went to an address, and gives its token.
func (s *common) addLink(
	ctx context.Context, userID string, p Purpose, email string,
) (token string, l *Link, err error) {
	token = secret.New()
	l = &Link{
		TokenHash: secret.Hash(token),
		UserID:    userID,
		Purpose:   p,
		Email:     email,
		CreatedAt: s.moment(),
		ExpiresAt: clock.At(s.Now().Add(linkTimes[p])),
	}
	return token, l, s.Store.AddLink(ctx, l)
}

// link reads a link without using it.
func (s *common) link(ctx context.Context, token string, p Purpose) (Link, error) {
	l, found, err := s.Store.Link(ctx, secret.Hash(token), p, s.moment())
	if err == nil && !found {
		err = noLink()
	}
	return l, err
}

// use uses a link up, within the transaction of the context.
func (s *common) use(ctx context.Context, token string, p Purpose) (Link, *Person, error) {
	l, found, err := s.Store.TakeLink(ctx, secret.Hash(token), p, s.moment())
	if err == nil && !found {
		err = noLink()
	}
	if err != nil {
		return l, nil, err
	}
	person, err := s.locked(ctx, l.UserID)
	return l, person, err
}
