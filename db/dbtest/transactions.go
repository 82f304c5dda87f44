package dbtest

import (
	"context"
	"fmt"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
)

// User adds a user, in a transaction if the context is of one.
func (r *Fixture) User(ctx context.Context, name string) error {
	added, err := r.Accounts.AddUser(ctx, developer.User{
		ID:           id.New(id.User, Now),
		Email:        name,
		PasswordHash: "-",
		Role:         developer.Staff,
		CreatedAt:    clock.At(Now),
	})
	if err == nil && !added {
		err = fmt.Errorf("%s is there already", name)
	}
	return err
}

// Known reports whether a user is stored.
func (r *Fixture) Known(ctx context.Context, name string) bool {
	_, found, err := r.Accounts.User(ctx, name)
	if err != nil {
		r.Error(err)
	}
	return found
}
