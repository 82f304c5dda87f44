package account_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/secret"
	"portal/db/accountstore"
	"portal/db/developerstore"
)

func TestFailedSignInsLookAndCostTheSame(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		var said []string
		for _, c := range [][2]string{
			{"ada@example.com", "wrong password"},
			{"nobody@example.com", right},
			{"no address", ""},
			{"ada@example.com", ""},
		} {
			made := r.hasher.Made()
			_, err := r.SignIns.SignIn(r.Context(), c[0], c[1], home())
			r.refused(err, fault.InvalidField, "password")
			r.want(r.hasher.Made() == made+1, "%q takes %d hashes", c[0], r.hasher.Made()-made)
			said = append(said, err.Error())
		}
		for _, s := range said {
			r.want(s == said[0], "it says %q and %q", s, said[0])
		}
	})
}

// tries guesses until it is told to slow down, and tells how often.
func (r *fixture) tries(email string, from account.Client) (n int) {
	r.Helper()
	for ; n < 200; n++ {
		made := r.hasher.Made()
		_, err := r.SignIns.SignIn(r.Context(), email, "guess", from)
		if fault.Is(err, fault.RateLimited) {
			r.want(r.hasher.Made() == made, "a throttled attempt was hashed")
			r.want(fault.From(err).Retry > 0, "it does not say how long to wait")
			return n
		}
		r.refused(err, fault.InvalidField, "password")
	}
	return n
}

func TestGuessesAtOneAccountAreThrottledAcrossClients(t *testing.T) {
	both(t, func(r, other *fixture) {
		r.signedUp("ada@example.com")
		n := 0
		for i := range 20 {
			n += []*fixture{r, other}[i%2].tries("ada@example.com", at(fmt.Sprintf("198.51.100.%d", i)))
		}
		r.want(n == 10, "%d guesses", n)
		_, err := r.SignIns.SignIn(r.Context(), "ada@example.com", right, at("192.0.2.1"))
		r.refused(err, fault.RateLimited, "") // a stranger's right guess is not told either
		r.add(6 * time.Minute)
		r.want(r.tries("ada@example.com", at("192.0.2.1")) == 1, "more than one guess every six minutes")
	})
}

func TestGuessesAtUnknownAccountAreThrottledToo(t *testing.T) {
	alone(t, func(r *fixture) {
		n := r.tries("nobody@example.com", home())
		r.want(n == 10, "%d guesses", n)
	})
}

func TestConcurrentGuessesDoNotExceedLimit(t *testing.T) {
	both(t, func(r, other *fixture) {
		r.signedUp("ada@example.com")
		made := r.hasher.Made() + other.hasher.Made()
		r.together(40, fault.RateLimited, func(i int) error {
			_, err := []*fixture{r, other}[i%2].SignIns.SignIn(r.Context(), "ada@example.com", "guess", home())
			if fault.Is(err, fault.InvalidField) {
				return nil
			}
			return err
		})
		n := r.hasher.Made() + other.hasher.Made() - made
		r.want(n == 10, "%d guesses were looked at", n)
	})
}

func TestAttackDoesNotLockOutKnownDevice(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		p, err := r.SignIns.SignIn(r.Context(), "ada@example.com", right, home())
		r.ok(err)
		begun, err := r.Sessions.Begin(r.Context(), p, secret.New(), home())
		r.ok(err)
		known := home()
		known.Device = begun.Device

		for i := range 10 {
			r.tries("ada@example.com", at(fmt.Sprintf("198.51.100.%d", i)))
		}
		r.tries("bob@example.com", home()) // a neighbour behind the same address
		_, err = r.SignIns.SignIn(r.Context(), "ada@example.com", right, home())
		r.refused(err, fault.RateLimited, "")
		for range 30 {
			_, err = r.SignIns.SignIn(r.Context(), "ada@example.com", right, known)
			r.ok(err)
		}
		r.want(r.tries("ada@example.com", known) == 10, "a stolen cookie has no count of its own")

		bob := known
		r.signedUp("carl@example.com")
		n := r.tries("carl@example.com", bob)
		r.want(n == 10, "Ada's device is known to Carl: %d", n)
	})
}

func TestDeviceIsRecognizedOnlyByItsSealedCookie(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		p, err := r.SignIns.SignIn(r.Context(), "ada@example.com", right, home())
		r.ok(err)
		begun, err := r.Sessions.Begin(r.Context(), p, secret.New(), home())
		r.ok(err)
		r.tries("ada@example.com", at("198.51.100.1"))
		for _, cookie := range []string{"", "x", begun.Device[1:], begun.Device + "A", "e30"} {
			from := home()
			from.Device = cookie
			_, err := r.SignIns.SignIn(r.Context(), "ada@example.com", right, from)
			r.refused(err, fault.RateLimited, "")
		}
		from := home()
		from.Device = begun.Device
		r.add(401 * 24 * time.Hour)
		r.tries("ada@example.com", at("198.51.100.1"))
		_, err = r.SignIns.SignIn(r.Context(), "ada@example.com", right, from)
		r.refused(err, fault.RateLimited, "") // too old
	})
}

func TestIPAddressHasItsOwnRateLimit(t *testing.T) {
	alone(t, func(r *fixture) {
		n := 0
		for i := range 20 { // of IPv6 a home has a /64
			n += r.tries(fmt.Sprintf("user%d@example.com", i), at(fmt.Sprintf("2001:db8:1:2::%x", i+1)))
		}
		r.want(n == 60, "%d guesses", n)
		r.want(r.tries("other@example.com", at("2001:db8:1:3::1")) == 10, "a neighbour is throttled")
		r.want(r.tries("more@example.com", at("::ffff:203.0.113.9")) == 10, "a mapped address is throttled")
	})
}

func TestPasswordIsRehashedWhenCostChanges(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		before, _, err := accountstore.New(r.db).PersonByEmail(r.Context(), "ada@example.com")
		r.ok(err)
		dearer := over(r.T, r.db, r.ms)
		c := dearer.Config
		c.Hasher = secret.NewBoundedHasher(secret.Cost{Memory: 128, Passes: 1, Lanes: 1}, 1, 1)
		dearer.Service = account.New(c)
		v, _ := dearer.signedIn("ada@example.com")
		after, _, err := accountstore.New(r.db).Person(r.Context(), v.UserID)
		r.ok(err)
		r.want(after.PasswordHash != before.PasswordHash, "the hash is the old one")
		made := c.Hasher.Made()
		dearer.signedIn("ada@example.com")
		r.want(c.Hasher.Made() == made+1, "it was hashed again")
	})
}

func TestHasherTimeoutReturnsUnavailable(t *testing.T) {
	alone(t, func(r *fixture) {
		ctx, leave := context.WithCancel(r.Context())
		leave()
		c := r.Config
		c.Hasher = secret.NewBoundedHasher(cheap, 0, 1) // nobody's turn ever comes
		_, err := account.New(c).SignIns.SignIn(ctx, "ada@example.com", right, home())
		r.want(err != nil, "it went on")
		c.Hasher = secret.NewBoundedHasher(cheap, 0, 0)
		_, err = account.New(c).SignIns.SignIn(r.Context(), "ada@example.com", right, home())
		r.refused(err, fault.Unavailable, "")
		r.want(fault.From(err).Retry > 0, "it does not say how long to wait")
		r.want(r.tries("ada@example.com", home()) == 10, "what was not looked at was counted")
	})
}

func TestStaffSessionExpires(t *testing.T) {
	alone(t, func(r *fixture) {
		dev := developer.New(developerstore.New(r.db), r.now, nil)
		_, err := dev.AddUser(r.Context(), "staff@example.com", "", right, developer.Staff)
		r.ok(err)
		v, token := r.signedIn("staff@example.com")
		r.want(v.Account == nil && v.Role == developer.Staff &&
			v.Actor(access.Live).Portfolio.ID == 0, "the visitor is %+v", v)
		r.add(12*time.Hour - time.Millisecond)
		_, err = r.Sessions.Visitor(r.Context(), token, home())
		r.ok(err)
		r.add(12*time.Hour - time.Millisecond)
		_, err = r.Sessions.Visitor(r.Context(), token, home())
		r.ok(err)
		r.add(2 * time.Millisecond)
		_, err = r.Sessions.Visitor(r.Context(), token, home())
		r.refused(err, fault.NoRecord, "") // a day, however busy
		_, token = r.signedIn("staff@example.com")
		r.add(12 * time.Hour)
		_, err = r.Sessions.Visitor(r.Context(), token, home())
		r.refused(err, fault.NoRecord, "") // half a day, when idle
	})
}

func TestReauthenticationHasItsOwnRateLimit(t *testing.T) {
	alone(t, func(r *fixture) {
		v := r.signedUp("ada@example.com")
		r.tries("ada@example.com", at("198.51.100.1"))
		_, err := r.SignIns.ConfirmByPassword(r.Context(), v, right, "", home())
		r.ok(err)
		for range 10 { // with a stolen session
			_, err = r.SignIns.ConfirmByPassword(r.Context(), v, "guess", "", home())
			r.refused(err, fault.InvalidField, "password")
		}
		_, err = r.SignIns.ConfirmByPassword(r.Context(), v, right, "", home())
		r.refused(err, fault.RateLimited, "")
		r.refused(
			r.Passwords.ChangePassword(r.Context(), v, right, "purple wagon tangerine", home()),
			fault.RateLimited,
			"",
		)
	})
}

func TestResponseTimeDoesNotRevealAccounts(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		c := r.Config
		c.Pace = 30 * time.Millisecond
		s := account.New(c)
		for _, email := range []string{"ada@example.com", "nobody@example.com"} {
			began := time.Now()
			r.ok(s.Passwords.AskReset(r.Context(), email, home()))
			_, err := s.SignUps.SignUp(r.Context(), account.SignUp{
				Email:       email,
				AccountName: "A",
				Password:    right,
			}, home())
			r.ok(err)
			r.want(time.Since(began) >= 2*c.Pace, "%s took %s", email, time.Since(began))
		}
	})
}

func TestSignInWithInvalidEmailIsRefused(t *testing.T) {
	both(t, func(r, _ *fixture) {
		for _, email := range []string{"\x00", "dana\x00@example.com", "\xff\xfe", strings.Repeat("x", 30_000)} {
			_, err := r.SignIns.SignIn(r.Context(), email, right, home())
			r.refused(err, fault.InvalidField, "password")
		}
	})
}
