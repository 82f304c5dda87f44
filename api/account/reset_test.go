package account_test

import (
	"testing"
	"time"

	"portal/api/account"
	"portal/api/clock"
	"portal/api/fault"
)

func TestPasswordResetLinkWorksOnce(t *testing.T) {
	both(t, func(r, other *fixture) {
		v := r.signedUp("ada@example.com")
		_, token := r.signedIn("ada@example.com")
		r.ok(r.Passwords.AskReset(r.Context(), "Ada@example.com", home()))
		r.ok(r.Passwords.AskReset(r.Context(), "ada@example.com", home()))
		link := r.token("ada@example.com", "/reset/")
		email, err := r.Passwords.ResetOf(r.Context(), link)
		r.ok(err)
		r.want(email == "ada@example.com", "the page shows %s", email)
		_, err = r.Passwords.Reset(r.Context(), link, "short", home())
		r.refused(err, fault.InvalidField, "password")
		nodes := []*fixture{r, other}
		done := r.together(4, fault.NoRecord, func(i int) error {
			p, err := nodes[i%2].Passwords.Reset(r.Context(), link, "purple wagon tangerine", home())
			if err == nil && !p.Complete() {
				t.Error("a second factor is asked for")
			}
			return err
		})
		r.want(done == 1, "it was used %d times", done)
		_, err = other.Sessions.Visitor(r.Context(), token, home())
		r.refused(err, fault.NoRecord, "") // all sessions have ended
		all, err := r.Sessions.Sessions(r.Context(), v)
		r.ok(err)
		r.want(len(all) == 0, "%d sessions are left", len(all))
		_, err = r.SignIns.SignIn(r.Context(), "ada@example.com", right, home())
		r.refused(err, fault.InvalidField, "password")
		_, err = r.SignIns.SignIn(r.Context(), "ada@example.com", "purple wagon tangerine", home())
		r.ok(err)
		r.told("ada@example.com", "password of your account was changed")
	})
}

func TestPasswordResetInvalidatesOtherResetLinks(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		var links []string
		for range 2 {
			r.add(time.Second)
			r.ok(r.Passwords.AskReset(r.Context(), "ada@example.com", home()))
			links = append(links, r.token("ada@example.com", "/reset/"))
		}
		_, err := r.Passwords.Reset(r.Context(), links[0], "purple wagon tangerine", home())
		r.ok(err) // the older one works until then, in case the newer one is late
		_, err = r.Passwords.Reset(r.Context(), links[1], "a third password", home())
		r.refused(err, fault.NoRecord, "")
	})
}

func TestPasswordResetLinkExpiresAfterAnHour(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		r.ok(r.Passwords.AskReset(r.Context(), "ada@example.com", home()))
		link := r.token("ada@example.com", "/reset/")
		r.add(time.Hour)
		_, err := r.Passwords.ResetOf(r.Context(), link)
		r.refused(err, fault.NoRecord, "")
		_, err = r.Passwords.Reset(r.Context(), link, "purple wagon tangerine", home())
		r.refused(err, fault.NoRecord, "")
		r.add(-time.Millisecond)
		_, err = r.Passwords.Reset(r.Context(), link, "purple wagon tangerine", home())
		r.ok(err)
	})
}

func TestPasswordResetStillNeedsSecondFactor(t *testing.T) {
	alone(t, func(r *fixture) {
		a, _ := r.secured(r.signedUp("ada@example.com"))
		r.ok(r.Passwords.AskReset(r.Context(), "ada@example.com", home()))
		p, err := r.Passwords.Reset(
			r.Context(),
			r.token("ada@example.com", "/reset/"),
			"purple wagon tangerine",
			home(),
		)
		r.ok(err)
		v, _ := r.begun(p, home())
		r.want(v.Pending, "the visitor is %+v", v)
		r.add(time.Minute)
		_, err = r.SignIns.SecondByCode(r.Context(), v, a.code(r.now()), home())
		r.ok(err)
	})
}

func TestPasswordResetRequestDoesNotRevealAccounts(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		for _, email := range []string{"ada@example.com", "nobody@example.com"} {
			made := r.hasher.Made()
			r.ok(r.Passwords.AskReset(r.Context(), email, home()))
			r.want(r.hasher.Made() == made, "%s takes hashes", email)
		}
		r.want(len(r.emails("nobody@example.com")) == 0, "nobody got an email")
		r.refused(r.Passwords.AskReset(r.Context(), "no address", home()), fault.InvalidField, "email")
	})
}

func TestPasswordChangeNeedsOldPasswordAndEndsOtherSessions(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		_, elsewhere := r.signedIn("ada@example.com")
		v, mine := r.signedIn("ada@example.com")
		r.ok(r.Passwords.AskReset(r.Context(), "ada@example.com", home()))
		link := r.token("ada@example.com", "/reset/")
		r.refused(
			r.Passwords.ChangePassword(r.Context(), v, "wrong", "purple wagon tangerine", home()),
			fault.InvalidField,
			"old_password",
		)
		r.refused(r.Passwords.ChangePassword(r.Context(), v, right, "short", home()), fault.InvalidField, "password")
		r.ok(r.Passwords.ChangePassword(r.Context(), v, right, "purple wagon tangerine", home()))
		_, err := r.Sessions.Visitor(r.Context(), elsewhere, home())
		r.refused(err, fault.NoRecord, "")
		_, err = r.Sessions.Visitor(r.Context(), mine, home())
		r.ok(err)
		_, err = r.Passwords.ResetOf(r.Context(), link)
		r.refused(err, fault.NoRecord, "")
	})
}

func TestEmailChangeNeedsLinkAndCanBeUndone(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		v, token := r.signedIn("ada@example.com")
		stale := *v
		stale.AuthenticatedAt -= clock.Time(account.FreshTime.Milliseconds())
		r.want(
			account.IsStale(r.Emails.AskEmail(r.Context(), &stale, "ada@example.org", home())),
			"who has not confirmed changes the address",
		)
		r.refused(r.Emails.AskEmail(r.Context(), v, "ada", home()), fault.InvalidField, "email")
		r.refused(r.Emails.AskEmail(r.Context(), v, "ADA@example.com", home()), fault.InvalidField, "email")
		r.ok(r.Emails.AskEmail(r.Context(), v, "ada@example.org", home()))
		link := r.token("ada@example.org", "/email/")
		shown, err := r.Emails.EmailOf(r.Context(), link)
		r.ok(err)
		r.want(shown.From == "ada@example.com" && shown.To == "ada@example.org", "the page shows %+v", shown)
		r.signedIn("ada@example.com") // nothing has changed yet

		r.ok(r.Emails.ChangeEmail(r.Context(), link, home()))
		r.refused(r.Emails.ChangeEmail(r.Context(), link, home()), fault.NoRecord, "")
		_, err = r.Sessions.Visitor(r.Context(), token, home())
		r.refused(err, fault.NoRecord, "")
		v, token = r.signedIn("ada@example.org")
		_, err = r.SignIns.SignIn(r.Context(), "ada@example.com", right, home())
		r.refused(err, fault.InvalidField, "password")

		r.secured(v) // by anybody who took the account over
		undo := r.token("ada@example.com", "/email/undo/")
		r.add(7*24*time.Hour - time.Millisecond)
		_, err = r.Emails.UndoOf(r.Context(), undo)
		r.ok(err)
		r.ok(r.Emails.UndoEmail(r.Context(), undo, home()))
		r.refused(r.Emails.UndoEmail(r.Context(), undo, home()), fault.NoRecord, "")
		_, err = r.Sessions.Visitor(r.Context(), token, home())
		r.refused(err, fault.NoRecord, "")
		_, err = r.SignIns.SignIn(r.Context(), "ada@example.com", right, home())
		r.refused(err, fault.InvalidField, "password") // somebody else knows it
		p, err := r.Passwords.Reset(
			r.Context(),
			r.token("ada@example.com", "/reset/"),
			"velvet anchor seventeen",
			home(),
		)
		r.ok(err)
		r.want(p.Complete(), "the thief's second factor is asked for")
	})
}

func TestUndoLinkExpiresAfterAWeek(t *testing.T) {
	alone(t, func(r *fixture) {
		v := r.signedUp("ada@example.com")
		r.ok(r.Emails.AskEmail(r.Context(), v, "ada@example.org", home()))
		r.ok(r.Emails.ChangeEmail(r.Context(), r.token("ada@example.org", "/email/"), home()))
		undo := r.token("ada@example.com", "/email/undo/")
		r.add(7 * 24 * time.Hour)
		r.refused(r.Emails.UndoEmail(r.Context(), undo, home()), fault.NoRecord, "")
	})
}

func TestEmailChangeToTakenAddressNotifiesOnlyItsOwner(t *testing.T) {
	alone(t, func(r *fixture) {
		v := r.signedUp("ada@example.com")
		r.signedUp("bob@example.com")
		r.ok(r.Emails.AskEmail(r.Context(), v, "bob@example.com", home()))
		r.told("bob@example.com", "nothing was changed")

		r.ok(r.Emails.AskEmail(r.Context(), v, "carl@example.com", home()))
		link := r.token("carl@example.com", "/email/")
		r.signedUp("carl@example.com") // in between
		r.refused(r.Emails.ChangeEmail(r.Context(), link, home()), fault.InvalidTransition, "email")
	})
}

func TestLinkWorksOnlyForItsPurpose(t *testing.T) {
	alone(t, func(r *fixture) {
		v := r.signedUp("ada@example.com")
		r.ok(r.Emails.AskEmail(r.Context(), v, "ada@example.org", home()))
		link := r.token("ada@example.org", "/email/")
		_, err := r.Passwords.Reset(r.Context(), link, "purple wagon tangerine", home())
		r.refused(err, fault.NoRecord, "")
		r.refused(r.Emails.UndoEmail(r.Context(), link, home()), fault.NoRecord, "")
		_, err = r.SignUps.Verify(r.Context(), link, account.Verify{Password: right}, home())
		r.refused(err, fault.NoRecord, "")
		_, err = r.Invitations.InvitationOf(r.Context(), link)
		r.refused(err, fault.NoRecord, "")
	})
}
