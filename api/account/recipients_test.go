package account_test

import (
	"testing"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/fault"
)

func TestTeamInvitationsPerRecipientAreLimitedToFiveAnHour(t *testing.T) {
	both(t, func(r, other *fixture) {
		ada := r.signedUp("ada@example.com")
		nodes := []*fixture{r, other}
		done := r.together(20, fault.RateLimited, func(i int) error {
			_, err := nodes[i%2].Invitations.Invite(r.Context(), ada, "zoe@example.com", access.Manager, home())
			return err
		})
		r.want(done == 5 &&
			len(r.emails("zoe@example.com")) == 5, "%d invitations, %d emails", done, len(r.emails("zoe@example.com")))
		_, err := r.Invitations.Invite(r.Context(), ada, "Zoe@Example.com", access.Manager, home())
		f := fault.From(err)
		r.want(f.Retry > 3500 && f.Retry <= 3600 &&
			f.Message ==
				"We have sent 5 emails to zoe@example.com within an hour, the most that one recipient gets.", "%+v", f)
		_, err = r.Invitations.Invite(r.Context(), ada, "max@example.com", access.Manager, home())
		r.ok(err)
		r.add(time.Duration(f.Retry) * time.Second)
		_, err = r.Invitations.Invite(r.Context(), r.confirmed(ada), "zoe@example.com", access.Manager, home())
		r.ok(err)
	})
}

func TestEmailChangeMessagesAreLimitedToFiveAnHour(t *testing.T) {
	alone(t, func(r *fixture) {
		ada := r.signedUp("ada@example.com")
		for range 5 {
			r.ok(r.Emails.AskEmail(r.Context(), ada, "zoe@example.com", home()))
		}
		r.refused(r.Emails.AskEmail(r.Context(), ada, "zoe@example.com", at("198.51.100.9")), fault.RateLimited, "")
		r.want(len(r.emails("zoe@example.com")) == 5, "%d emails", len(r.emails("zoe@example.com")))
	})
}

// Nobody learns from an answer whose address it is, so what is not sent is not told; but
// within any hour no more is sent than that.
func TestSignUpEmailsAreLimitedPerClientAndInTotal(t *testing.T) {
	both(t, func(r, other *fixture) {
		nodes := []*fixture{r, other}
		r.together(16, fault.RateLimited, func(i int) error {
			_, err := nodes[i%2].SignUps.SignUp(r.Context(), account.SignUp{
				Email:       "zoe@example.com",
				AccountName: "Elm",
				Password:    right,
			}, home())
			return err
		})
		r.want(len(r.emails("zoe@example.com")) == 5, "%d emails to the wish of one", len(r.emails("zoe@example.com")))
		r.add(30 * time.Minute)
		for i := range 25 {
			from := at("198.51.100." + string(rune('1'+i%9)))
			_, err := r.SignUps.SignUp(r.Context(), account.SignUp{
				Email:       "zoe@example.com",
				AccountName: "Elm",
				Password:    right,
			}, from)
			r.ok(err)
		}
		r.want(len(r.emails("zoe@example.com")) == 20, "%d emails to the wish of all", len(r.emails("zoe@example.com")))
	})
}

func TestWeakPasswordIsRefusedEverywhere(t *testing.T) {
	alone(t, func(r *fixture) {
		_, err := r.SignUps.SignUp(r.Context(), account.SignUp{
			Email:       "ada@example.com",
			AccountName: "Harbor Lane",
			Password:    "harborlane2026",
		}, home())
		r.refused(err, fault.InvalidField, "password")
		v := r.signedUp("ada@example.com")
		r.refused(
			r.Passwords.ChangePassword(r.Context(), v, right, "password1234", home()),
			fault.InvalidField,
			"password",
		)
		r.ok(r.Passwords.AskReset(r.Context(), "ada@example.com", home()))
		_, err = r.Passwords.Reset(r.Context(), r.token("ada@example.com", "/reset/"), "ada@example.com1", home())
		r.refused(err, fault.InvalidField, "password")
		_, err = r.Invitations.Invite(r.Context(), v, "zoe@example.com", access.Manager, home())
		r.ok(err)
		_, err = r.Invitations.AcceptNew(r.Context(), r.token("zoe@example.com", "/join/"), "zoe harbor 1", home())
		r.refused(err, fault.InvalidField, "password")
	})
}
