package account_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"

	"portal/api/account"
	"portal/api/fault"
	"portal/api/secret"
	"portal/db/accountstore"
)

func TestSessionExpiresAtItsLimits(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		_, token := r.signedIn("ada@example.com")
		for range 2 { // idle for almost two weeks, twice
			r.add(14*24*time.Hour - time.Millisecond)
			_, err := r.Sessions.Visitor(r.Context(), token, home())
			r.ok(err)
		}
		r.add(2*24*time.Hour + 2*time.Millisecond)
		_, err := r.Sessions.Visitor(r.Context(), token, home())
		r.refused(err, fault.NoRecord, "")
		_, token = r.signedIn("ada@example.com")
		r.add(14 * 24 * time.Hour)
		_, err = r.Sessions.Visitor(r.Context(), token, home())
		r.refused(err, fault.NoRecord, "")
	})
}

func TestSessionsAreListedAndEndImmediatelyOnEveryNode(t *testing.T) {
	both(t, func(r, other *fixture) {
		r.signedUp("ada@example.com")
		r.add(time.Minute)
		phone := at("198.51.100.4")
		p, err := r.SignIns.SignIn(r.Context(), "ada@example.com", right, phone)
		r.ok(err)
		_, stolen := r.begun(p, phone)
		r.add(time.Minute)
		v, mine := r.signedIn("ada@example.com")
		all, err := r.Sessions.Sessions(r.Context(), v)
		r.ok(err)
		r.want(len(all) == 3 && all[0].ID == v.SessionID && all[0].Current && !all[1].Current &&
			all[1].Address == "198.51.100.4" && account.Browser(all[1].UserAgent) == "Firefox on Linux",
			"the sessions are %+v", all)
		r.ok(r.Sessions.EndSession(r.Context(), v, all[1].ID, home()))
		_, err = other.Sessions.Visitor(r.Context(), stolen, phone)
		r.refused(err, fault.NoRecord, "")
		r.refused(r.Sessions.EndSession(r.Context(), v, all[1].ID, home()), fault.NoRecord, "")

		bob := r.signedUp("bob@example.com")
		r.refused(r.Sessions.EndSession(r.Context(), bob, v.SessionID, home()), fault.NoRecord, "")
		r.ok(other.Sessions.EndOtherSessions(r.Context(), v, home()))
		_, err = r.Sessions.Visitor(r.Context(), mine, home())
		r.ok(err)
		all, err = r.Sessions.Sessions(r.Context(), v)
		r.ok(err)
		r.want(len(all) == 1 && all[0].Current, "the sessions are %+v", all)
		r.ok(r.Sessions.SignOut(r.Context(), v, home()))
		_, err = other.Sessions.Visitor(r.Context(), mine, home())
		r.refused(err, fault.NoRecord, "")
	})
}

func TestSessionLastSeenIsAccurateToTheMinute(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		v, token := r.signedIn("ada@example.com")
		seen := func(after time.Duration) time.Duration {
			r.Helper()
			r.add(after)
			_, err := r.Sessions.Visitor(r.Context(), token, at("198.51.100.4"))
			r.ok(err)
			all, err := r.Sessions.Sessions(r.Context(), v)
			r.ok(err)
			return r.now().Sub(all[0].LastSeenAt.Std())
		}
		r.want(seen(59*time.Second) == 59*time.Second, "a write within the minute")
		r.want(seen(time.Second) == 0, "no write after a minute")
	})
}

// browser is a browser with a session manager, as the pages use it.
type browser struct {
	*fixture
	manager *scs.SessionManager
	cookie  string
}

func (r *fixture) browser() *browser {
	m := scs.New()
	m.Store, m.HashTokenInStore, m.Lifetime = accountstore.NewPageSessions(r.db, r.now), true, account.Absolute
	return &browser{fixture: r, manager: m}
}

// request is what a page does between loading the session and writing the cookie.
func (b *browser) request(do func(ctx context.Context)) {
	b.Helper()
	ctx, err := b.manager.Load(b.Context(), b.cookie)
	b.ok(err)
	do(ctx)
	if b.manager.Status(ctx) == scs.Modified {
		b.cookie, _, err = b.manager.Commit(ctx)
		b.ok(err)
	}
}

func (b *browser) signIn(ctx context.Context) {
	b.Helper()
	p, err := b.SignIns.SignIn(ctx, "ada@example.com", right, home())
	b.ok(err)
	b.ok(b.manager.RenewToken(ctx))
	_, err = b.Sessions.Begin(ctx, p, b.manager.Token(ctx), home())
	b.ok(err)
}

func TestPlantedSessionTokenIsNotSignedIn(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		b := r.browser()
		b.request(func(ctx context.Context) { b.manager.Put(ctx, "flash", "hello") })
		planted := b.cookie
		b.request(func(ctx context.Context) {
			p, err := b.SignIns.SignIn(ctx, "ada@example.com", right, home())
			b.ok(err)
			_, err = b.Sessions.Begin(ctx, p, b.manager.Token(ctx), home())
			b.want(err != nil && !errors.As(err, new(*fault.Error)), "a token that was not renewed was taken: %v", err)
			b.signIn(ctx)
		})
		_, err := b.Sessions.Visitor(b.Context(), planted, home())
		b.refused(err, fault.NoRecord, "")
		_, err = b.Sessions.Visitor(b.Context(), b.cookie, home())
		b.ok(err)
		b.request(func(ctx context.Context) {
			b.want(b.manager.GetString(ctx, "flash") == "hello", "what the page kept is gone")
		})
	})
}

func TestLateResponseDoesNotRestoreEndedSession(t *testing.T) {
	both(t, func(r, other *fixture) {
		v := r.signedUp("ada@example.com")
		b := r.browser()
		b.request(func(ctx context.Context) { b.signIn(ctx) })
		cookie := b.cookie
		b.request(func(ctx context.Context) {
			b.manager.Put(ctx, "flash", "late")
			r.ok(other.Sessions.EndOtherSessions(ctx, v, home()))
		})
		r.want(b.cookie == cookie, "it has another token")
		for _, node := range []*fixture{r, other} {
			_, err := node.Sessions.Visitor(r.Context(), cookie, home())
			r.refused(err, fault.NoRecord, "")
		}
		b.request(func(ctx context.Context) {
			r.want(b.manager.GetString(ctx, "flash") == "", "the pages' part is back")
		})
	})
}

func TestSessionContinuesUnderRenewedToken(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		b := r.browser()
		b.request(func(ctx context.Context) { b.signIn(ctx) })
		old := b.cookie
		before, err := b.Sessions.Visitor(b.Context(), old, home())
		b.ok(err)
		b.request(func(ctx context.Context) {
			b.ok(b.manager.RenewToken(ctx))
			b.ok(b.Sessions.Continue(ctx, before, b.manager.Token(ctx)))
		})
		after, err := b.Sessions.Visitor(b.Context(), b.cookie, home())
		b.ok(err)
		b.want(after.SessionID == before.SessionID &&
			after.AuthenticatedAt == before.AuthenticatedAt, "it is another session: %+v", after)
		_, err = b.Sessions.Visitor(b.Context(), old, home())
		b.refused(err, fault.NoRecord, "")

		b.request(func(ctx context.Context) { // it was ended elsewhere before the page is done
			b.ok(b.manager.RenewToken(ctx))
			b.ok(b.Sessions.EndSession(ctx, after, after.SessionID, home()))
			b.refused(b.Sessions.Continue(ctx, after, b.manager.Token(ctx)), fault.NoRecord, "")
		})
		_, err = b.Sessions.Visitor(b.Context(), b.cookie, home())
		b.refused(err, fault.NoRecord, "")
	})
}

func TestConfirmationExpiresAfterTenMinutes(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		v, token := r.signedIn("ada@example.com")
		r.add(10*time.Minute - time.Millisecond)
		_, err := r.SecondFactors.StartTOTP(v)
		r.ok(err)
		r.add(time.Millisecond)
		_, err = r.SecondFactors.StartTOTP(v)
		r.want(account.IsStale(err), "an old session may: %v", err)
		r.refused(err, fault.InvalidTransition, "")

		_, err = r.SignIns.ConfirmByPassword(r.Context(), v, "wrong", "", home())
		r.refused(err, fault.InvalidField, "password")
		p, err := r.SignIns.ConfirmByPassword(r.Context(), v, right, "", home())
		r.ok(err)
		again, _ := r.begun(p, home())
		_, err = r.SecondFactors.StartTOTP(again)
		r.ok(err)
		_, err = r.Sessions.Visitor(r.Context(), token, home())
		r.refused(err, fault.NoRecord, "") // the session before
	})
}

func TestPasswordChangeVoidsSignInProof(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		p, err := r.SignIns.SignIn(r.Context(), "ada@example.com", right, home())
		r.ok(err)
		v, _ := r.signedIn("ada@example.com")
		r.ok(r.Passwords.ChangePassword(r.Context(), v, right, "purple wagon tangerine", home()))
		_, err = r.Sessions.Begin(r.Context(), p, secret.New(), home())
		r.refused(err, fault.InvalidTransition, "")
	})
}
