package developer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/fault"
)

// OwnedAccount is an account with the owner whose address stands for it: of its owners the
// one who is there the longest.
type OwnedAccount struct {
	Account
	OwnerEmail string
}

// String names the account for a person.
func (a OwnedAccount) String() string { return fmt.Sprintf("%s (%s, %s)", a.Name, a.OwnerEmail, a.ID) }

// SeveralAccounts says that somebody owns several accounts, and that none or more than one
// of them was named. Nothing is guessed: a key of the wrong account would open it.
type SeveralAccounts struct {
	Email   string
	Choices []OwnedAccount
}

// Error is error.
func (e *SeveralAccounts) Error() string {
	all := make([]string, len(e.Choices))
	for i, c := range e.Choices {
		all[i] = c.String()
	}
	return e.Email + " owns several accounts: " + strings.Join(all, "; ")
}

// AccountNamed finds a user and the account that they own. Who owns several has to name one
// by its id or by the address that stands for it, else the error is SeveralAccounts. The
// name is checked where there is but one account, too.
func (s *Service) AccountNamed(ctx context.Context, email, name string) (User, OwnedAccount, error) {
	u, err := s.user(ctx, email)
	if err != nil {
		return u, OwnedAccount{}, err
	}
	all, err := s.owned(ctx, u)
	if err != nil {
		return u, OwnedAccount{}, err
	}
	fits := all
	if name != "" {
		fits = slices.DeleteFunc(slices.Clone(all), func(a OwnedAccount) bool {
			return a.ID != name && !strings.EqualFold(a.OwnerEmail, name)
		})
	}
	switch {
	case len(fits) == 1:
		return u, fits[0], nil
	case len(fits) > 1:
		return u, OwnedAccount{}, &SeveralAccounts{u.Email, fits}
	case len(all) > 0:
		return u, OwnedAccount{}, fault.New(fault.NoRecord, "%s owns no account %s.", u.Email, name)
	}
	return u, OwnedAccount{}, fault.New(fault.NoRecord, "%s owns no account.", u.Email)
}

// owned are the accounts that a user owns, the oldest part in one first.
func (s *Service) owned(ctx context.Context, u User) (all []OwnedAccount, err error) {
	accounts, err := s.store.AccountsOf(ctx, u.ID)
	for _, a := range accounts {
		holders, err := s.store.HoldersOf(ctx, a.ID)
		if err != nil {
			return nil, err
		}
		first := slices.IndexFunc(holders, func(h AccountMember) bool { return h.Role == access.Owner })
		if first < 0 {
			continue // its last owner left a moment ago
		}
		all = append(all, OwnedAccount{a, holders[first].Email})
	}
	return all, err
}
