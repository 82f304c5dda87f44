package developer_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
)

func TestNewLandlordGetsLiveAndPopulatedDemoPortfolios(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		u, err := r.AddUser(t.Context(), "Ada@Example.COM", "Harbor Lane", "correct horse battery", developer.Landlord)
		must(t, err)
		if u.Email != "ada@example.com" || !id.Valid(id.User, u.ID) || u.CreatedAt.Std() != noon {
			t.Errorf("the user is %+v", u)
		}
		found, a, err := r.Account(t.Context(), "ADA@example.com")
		must(t, err)
		if found != u || a.Name != "Harbor Lane" ||
			a.TimeZone != "America/New_York" || a.Plan.Limits() != (developer.Limits{
			Sustained: 60,
			Burst:     120,
			Units:     25,
		}) || !id.Valid(id.Account, a.ID) {
			t.Errorf("the account is %+v of %+v", a, found)
		}
		live, _, err := r.Portfolio(t.Context(), u.Email, access.Live)
		must(t, err)
		test, _, err := r.Portfolio(t.Context(), u.Email, access.Test)
		must(t, err)
		if live.ID == test.ID || live.Mode != access.Live || test.Mode != access.Test || live.ID == 0 || test.ID == 0 {
			t.Errorf("the portfolios are %+v and %+v", live, test)
		}
		if !slices.Equal(r.filled, []string{"test America/New_York"}) {
			t.Errorf("filled were %q", r.filled)
		}
		if _, _, err := r.Portfolio(t.Context(), u.Email, "prod"); err == nil {
			t.Error("there is a third portfolio")
		}
	})
}

func TestStaffHaveNoAccount(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		u, err := r.AddUser(t.Context(), "staff@example.com", "", "correct horse battery", developer.Staff)
		must(t, err)
		_, _, err = r.Account(t.Context(), u.Email)
		refused(t, "the account of staff", err, fault.NoRecord, "")
		if len(r.filled) > 0 {
			t.Errorf("filled were %q", r.filled)
		}
	})
}

func TestAccountCreationFailsWhenDemoCannotBePopulated(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.fails = errors.New("no room")
		_, err := r.AddUser(t.Context(), "ada@example.com", "", "correct horse battery", developer.Landlord)
		if !errors.Is(err, r.fails) {
			t.Errorf("the error is %v", err)
		}
		_, _, err = r.Account(t.Context(), "ada@example.com")
		refused(t, "the account", err, fault.NoRecord, "")
		r.fails = nil
		r.landlord("ada@example.com")
	})
}

func TestEmailAddressBelongsToOneUser(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com")
		_, err := r.AddUser(t.Context(), "ADA@EXAMPLE.COM", "", "correct horse battery", developer.Staff)
		refused(t, "the same address", err, fault.InvalidField, "email")
		if done := together(t, 4, fault.InvalidField, func(int) error {
			_, err := r.AddUser(t.Context(), "bob@example.com", "", "correct horse battery", developer.Landlord)
			return err
		}); done != 1 {
			t.Errorf("%d users have the same address", done)
		}
	})
}

func TestInvalidEmailAddressesAreRefused(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"ada@example.com", "a.b+c@sub.example.co.uk", "o'neil@example.com",
		strings.Repeat("a", 64) + "@example.com",
	} {
		if got, err := developer.Email(s); err != nil || got != strings.ToLower(s) {
			t.Errorf("%q is %q: %v", s, got, err)
		}
	}
	for _, s := range []string{
		"", "ada", "ada@", "@example.com", "ada@localhost", "ada@@example.com", "ada@example.com ",
		" ada@example.com", "Ada <ada@example.com>", "ada@example.com, bob@example.com",
		"ada@exa mple.com", "ada\n@example.com", "ada@example.com\x00", "ada\xff@example.com",
		"ada.@example.com", "<ada@example.com>", "ada@.com", "ÄDA@exämple.de", "ada@exämple.de",
		"ada@example.", strings.Repeat("a", 250) + "@example.com",
	} {
		if got, err := developer.Email(s); err == nil {
			t.Errorf("%q is read as %q", s, got)
		} else {
			refused(t, s, err, fault.InvalidField, "email")
		}
	}
}

func TestPasswordHas10To1000Characters(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		for password, right := range map[string]bool{
			"":                                false,
			"123456789":                       false,
			"9f#kQ2!vLx":                      true,
			strings.Repeat("9f#kQ2!vLx", 100): true,
			strings.Repeat("x", 1001):         false,
			"äöüäöüäöü":                       false,
			"äöüäöüäöüä":                      true,
			"äöüäö":                           false,
			strings.Repeat("ä9f#kQ2!vL", 100): true,
			strings.Repeat("ä", 1001):         false,
		} {
			_, err := r.AddUser(t.Context(), fmt.Sprintf("user%d-%d@example.com", len(password),
				len([]rune(password))), "", password, developer.Staff)
			if right && err != nil {
				t.Errorf("%d characters: %v", len([]rune(password)), err)
			} else if !right {
				refused(t, fmt.Sprintf("%d characters", len([]rune(password))), err, fault.InvalidField, "password")
			}
		}
	})
}

func TestPasswordIsStoredAsUniqueSaltedHash(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.PasswordCost = developer.New(nil, nil, nil).PasswordCost // as nobody has set it
		one, other := r.landlord("ada@example.com"), r.landlord("bob@example.com")
		if one.PasswordHash == other.PasswordHash || strings.Contains(one.PasswordHash, "correct") {
			t.Errorf("the hashes are %s and %s", one.PasswordHash, other.PasswordHash)
		}
		stored, _, err := r.Account(t.Context(), "ada@example.com")
		must(t, err)
		parts := strings.Split(stored.PasswordHash, "$")
		if len(parts) != 6 || strings.Join(parts[:4], "$") != "$argon2id$v=19$m=19456,t=2,p=1" {
			t.Fatalf("the hash is %s", stored.PasswordHash)
		}
		salt, err := base64.RawStdEncoding.DecodeString(parts[4])
		must(t, err)
		want := argon2.IDKey([]byte("correct horse battery"), salt, 2, 19456, 1, 32)
		if len(salt) != 16 || parts[5] != base64.RawStdEncoding.EncodeToString(want) {
			t.Errorf("the hash is not that of the password: %s", stored.PasswordHash)
		}
	})
}

func TestMemberRoleCanBeChanged(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		ctx := t.Context()
		r.approved("ada@example.com")
		_, err := r.AddUser(ctx, "staff@example.com", "", "correct horse battery", developer.Staff)
		must(t, err)
		must(t, member(r.AddMember(ctx, "ada@example.com", "staff@example.com", access.Manager, false)))
		_, _, err = r.Account(ctx, "staff@example.com")
		refused(t, "a manager's account", err, fault.NoRecord, "")
		must(t, member(r.AddMember(ctx, "ada@example.com", "STAFF@example.com", access.Owner, false)))
		_, shared, err := r.Account(ctx, "staff@example.com")
		must(t, err)
		_, own, err := r.Account(ctx, "ada@example.com")
		must(t, err)
		if shared.ID != own.ID {
			t.Errorf("two owners have the accounts %s and %s", shared.ID, own.ID)
		}
		k := r.key("staff@example.com", access.Test)
		revoked, err := r.AddMember(ctx, "ada@example.com", "staff@example.com", access.Manager, true)
		if err != nil || revoked != 0 {
			t.Errorf("%d keys that are kept were revoked: %v", revoked, err)
		}
		c, err := r.Authenticate(ctx, "Bearer "+*k.Plaintext)
		if err != nil || c.Role != access.Manager {
			t.Fatalf("the role is %q: %v", c.Role, err)
		}
		must(t, member(r.AddMember(ctx, "ada@example.com", "staff@example.com", access.Owner, false)))
		if revoked, err = r.AddMember(ctx, "ada@example.com", "staff@example.com", access.Manager, false); err != nil ||
			revoked != 1 {
			t.Errorf("%d keys were revoked: %v", revoked, err)
		}
		if _, err := r.Authenticate(ctx, "Bearer "+*k.Plaintext); !fault.Is(err, fault.RevokedAPIKey) {
			t.Errorf("the key of who is no owner any more: %v", err)
		}
	})
}

func TestAccountNeverLosesItsLastOwner(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		ctx := t.Context()
		r.landlord("ada@example.com")
		err := member(r.AddMember(ctx, "ada@example.com", "Ada@example.com", access.Manager, false))
		refused(t, "an owner steps back", err, fault.InvalidTransition, "")
		must(t, member(r.AddMember(ctx, "ada@example.com", "ada@example.com", access.Owner, false)))
		_, _, err = r.Account(ctx, "ada@example.com")
		must(t, err)

		r.landlord("bob@example.com")
		must(t, member(r.AddMember(ctx, "ada@example.com", "bob@example.com", access.Owner, false)))
		must(t, member(r.AddMember(ctx, "ada@example.com", "bob@example.com", access.Manager, false)))
	})
}

func TestOwnersCannotDemoteEachOtherConcurrently(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		ctx := t.Context()
		for i := range 5 {
			pair := [2]string{fmt.Sprintf("ada%d@example.com", i), fmt.Sprintf("bob%d@example.com", i)}
			r.landlord(pair[0])
			_, err := r.AddUser(ctx, pair[1], "", "correct horse battery", developer.Staff)
			must(t, err)
			must(t, member(r.AddMember(ctx, pair[0], pair[1], access.Owner, false)))
			if done := together(t, 2, fault.NoRecord, func(side int) error {
				return member(r.AddMember(ctx, pair[side], pair[1-side], access.Manager, false))
			}); done != 1 {
				t.Errorf("%d of two owners unseated the other", done)
			}
		}
	})
}

func TestMembershipNeedsExistingUserOwnerAndRole(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		ctx := t.Context()
		r.landlord("ada@example.com")
		r.landlord("bob@example.com")
		refused(
			t,
			"an unknown member",
			member(r.AddMember(ctx, "ada@example.com", "nobody@example.com", access.Owner, false)),
			fault.NoRecord,
			"",
		)
		refused(
			t,
			"an unknown owner",
			member(r.AddMember(ctx, "nobody@example.com", "ada@example.com", access.Owner, false)),
			fault.NoRecord,
			"",
		)
		refused(
			t,
			"an unknown role",
			member(r.AddMember(ctx, "ada@example.com", "bob@example.com", "boss", false)),
			fault.InvalidField,
			"role",
		)
		_, err := r.AddUser(ctx, "eve@example.com", "", "correct horse battery", "root")
		refused(t, "an unknown kind of user", err, fault.InvalidField, "role")
	})
}

func TestOwnerOfSeveralAccountsMustNameOne(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		ctx := t.Context()
		r.landlord("ada@example.com")
		_, own, err := r.Account(ctx, "ada@example.com")
		must(t, err)
		r.add(time.Millisecond)
		r.landlord("bob@example.com")
		_, other, err := r.Account(ctx, "bob@example.com")
		must(t, err)
		r.add(time.Millisecond)
		must(t, member(r.AddMember(ctx, "bob@example.com", "ada@example.com", access.Owner, false)))
		_, _, err = r.Account(ctx, "ada@example.com")
		several, is := errors.AsType[*developer.SeveralAccounts](err)
		if !is || len(several.Choices) != 2 || !strings.Contains(err.Error(), "bob@example.com, "+other.ID) {
			t.Errorf("without a name: %v", err)
		}
		for name, want := range map[string]string{
			"Ada@example.com": own.ID,
			"bob@example.com": other.ID,
			own.ID:            own.ID,
			other.ID:          other.ID,
		} {
			if _, a, err := r.AccountNamed(ctx, "ada@example.com", name); err != nil || a.ID != want {
				t.Errorf("%s names %s, want %s: %v", name, a.ID, want, err)
			}
		}
		_, _, err = r.AccountNamed(ctx, "bob@example.com", own.ID)
		refused(t, "an account of somebody else", err, fault.NoRecord, "")
		if _, a, err := r.AccountNamed(ctx, "bob@example.com", "ada@example.com"); err == nil {
			t.Errorf("an owner who came later stands for %s", a.ID)
		}
	})
}

// member is what came of adding one, without what was revoked.
func member(_ int, err error) error { return err }
