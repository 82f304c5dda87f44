package account_test

import (
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/fault"
)

func form(email string) account.SignUp {
	return account.SignUp{Email: email, AccountName: "Harbor Lane", Password: right}
}

func TestSignUpLinkInSameBrowserCreatesAccount(t *testing.T) {
	alone(t, func(r *fixture) {
		claim, err := r.SignUps.SignUp(r.Context(), form(" Ada@Example.com "), home())
		r.ok(err)
		token := r.token("ada@example.com", "/verify/")
		shown, err := r.SignUps.SignUpOf(r.Context(), token)
		r.ok(err)
		r.want(shown.Email == "ada@example.com" && shown.AccountName == "Harbor Lane", "the page shows %+v", shown)
		p, err := r.SignUps.Verify(r.Context(), token, account.Verify{Claim: claim}, home())
		r.ok(err)
		v, _ := r.begun(p, home())
		a := v.Account
		r.want(a != nil && a.Name == "Harbor Lane" && a.Role == access.Owner && a.Plan.Tier == "starter" &&
			a.Live.ID != a.Test.ID, "the account is %+v", a)
		r.want(v.Actor(access.Live).Portfolio == a.Live && *v.Actor(access.Live).Units == 25 &&
			v.Actor(access.Test).Portfolio == a.Test, "the actor is %+v", v.Actor(access.Live))
		r.signedIn("ADA@example.com")
	})
}

func TestSignUpLinkWorksOnceAndForOneDay(t *testing.T) {
	alone(t, func(r *fixture) {
		claim, err := r.SignUps.SignUp(r.Context(), form("ada@example.com"), home())
		r.ok(err)
		token := r.token("ada@example.com", "/verify/")
		r.add(24 * time.Hour)
		_, err = r.SignUps.Verify(r.Context(), token, account.Verify{Claim: claim}, home())
		r.refused(err, fault.NoRecord, "")
		r.add(-time.Millisecond)
		_, err = r.SignUps.Verify(r.Context(), token, account.Verify{Claim: claim}, home())
		r.ok(err)
		_, err = r.SignUps.Verify(r.Context(), token, account.Verify{Claim: claim}, home())
		r.refused(err, fault.NoRecord, "")
		_, err = r.SignUps.SignUpOf(r.Context(), token)
		r.refused(err, fault.NoRecord, "")
	})
}

func TestConcurrentVerificationsCreateOneAccount(t *testing.T) {
	both(t, func(r, other *fixture) {
		claim, err := r.SignUps.SignUp(r.Context(), form("ada@example.com"), home())
		r.ok(err)
		token := r.token("ada@example.com", "/verify/")
		nodes := []*fixture{r, other}
		done := r.together(6, fault.NoRecord, func(i int) error {
			_, err := nodes[i%2].SignUps.Verify(r.Context(), token, account.Verify{Claim: claim}, home())
			return err
		})
		r.want(done == 1, "%d verified", done)
		v, _ := r.signedIn("ada@example.com")
		all, err := r.Members.Accounts(r.Context(), v)
		r.ok(err)
		r.want(len(all) == 1, "%d accounts", len(all))
	})
}

// Mallory signs up with Ada's address; Ada finds a link in her mail.
func TestVerifyingSignUpNeedsClaimOrPassword(t *testing.T) {
	alone(t, func(r *fixture) {
		_, err := r.SignUps.SignUp(r.Context(), form("ada@example.com"), at("198.51.100.1"))
		r.ok(err)
		token := r.token("ada@example.com", "/verify/")
		_, err = r.SignUps.Verify(r.Context(), token, account.Verify{}, home())
		r.refused(err, fault.MissingField, "password")
		_, err = r.SignUps.Verify(r.Context(), token, account.Verify{
			Claim:    "guess",
			Password: "what Ada would choose",
		}, home())
		r.refused(err, fault.InvalidField, "password")
		_, err = r.SignUps.Verify(r.Context(), token, account.Verify{Password: right}, home())
		r.ok(err) // in another browser, with the password of the sign-up
	})
}

func TestSecondSignUpReplacesTheFirst(t *testing.T) {
	alone(t, func(r *fixture) {
		_, err := r.SignUps.SignUp(r.Context(), form("ada@example.com"), at("198.51.100.1"))
		r.ok(err)
		first := r.token("ada@example.com", "/verify/")
		r.add(time.Second)
		claim, err := r.SignUps.SignUp(r.Context(), form("ada@example.com"), home())
		r.ok(err)
		_, err = r.SignUps.Verify(r.Context(), first, account.Verify{Password: right}, home())
		r.refused(err, fault.NoRecord, "")
		_, err = r.SignUps.Verify(r.Context(), r.token("ada@example.com", "/verify/"), account.Verify{
			Claim: claim,
		}, home())
		r.ok(err)
	})
}

func TestSignUpDoesNotRevealAccounts(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		before := len(r.emails("ada@example.com"))
		r.add(time.Second)
		for _, email := range []string{"ada@example.com", "bob@example.com"} {
			made := r.hasher.Made()
			claim, err := r.SignUps.SignUp(r.Context(), account.SignUp{
				Email:       email,
				AccountName: "Another",
				Password:    "purple wagon tangerine",
			}, home())
			r.ok(err)
			r.want(len(claim) == 43, "%s has the claim %q", email, claim)
			r.want(r.hasher.Made() == made+1, "%s takes %d hashes", email, r.hasher.Made()-made)
		}
		all := r.emails("ada@example.com")
		r.want(len(all) == before+1 &&
			strings.Contains(all[0].Content.Text, "You already have an account") &&
			!strings.Contains(all[0].Content.Text, "/verify/"),
			"Ada reads %s", all[0].Content.Text)
		r.signedIn("ada@example.com")
		_, err := r.SignIns.SignIn(r.Context(), "ada@example.com", "purple wagon tangerine", home())
		r.refused(err, fault.InvalidField, "password")
	})
}

func TestSignUpValidatesEveryField(t *testing.T) {
	alone(t, func(r *fixture) {
		for _, c := range []struct {
			account.SignUp
			param string
		}{
			{account.SignUp{Email: "ada", AccountName: "A", Password: right}, "email"},
			{account.SignUp{Email: "ada@example.com", AccountName: "  ", Password: right}, "account_name"},
			{
				account.SignUp{Email: "ada@example.com", AccountName: strings.Repeat("a", 121), Password: right},
				"account_name",
			},
			{account.SignUp{Email: "ada@example.com", AccountName: "A\nBcc: all", Password: right}, "account_name"},
			{account.SignUp{Email: "ada@example.com", AccountName: "A", Password: "too short"}, "password"},
			{account.SignUp{Email: "ada@example.com", AccountName: "A", Password: "ADA@example.com"}, "password"},
		} {
			_, err := r.SignUps.SignUp(r.Context(), c.SignUp, home())
			r.refused(err, fault.InvalidField, c.param)
		}
		_, err := r.SignUps.SignUp(r.Context(), account.SignUp{}, home())
		r.want(len(fault.From(err).Details) == 3, "all at once: %v", fault.From(err).Details)
	})
}

func TestSignUpEmailsToOneRecipientAreLimited(t *testing.T) {
	alone(t, func(r *fixture) {
		for range 12 {
			_, err := r.SignUps.SignUp(r.Context(), form("ada@example.com"), home())
			r.ok(err) // the same answer, whether something was sent or not
		}
		r.want(len(r.emails("ada@example.com")) == 5, "%d emails", len(r.emails("ada@example.com")))
		for i := range 30 {
			_, err := r.SignUps.SignUp(r.Context(), form("ada@example.com"), at("198.51.100."+string(rune('0'+i%10))))
			r.ok(err)
		}
		r.want(len(r.emails("ada@example.com")) == 20, "%d emails", len(r.emails("ada@example.com")))
		r.add(time.Hour)
		_, err := r.SignUps.SignUp(r.Context(), form("ada@example.com"), home())
		r.ok(err)
		r.want(len(r.emails("ada@example.com")) == 21, "%d emails an hour later", len(r.emails("ada@example.com")))
	})
}

func TestUnverifiedSignUpEmailHasNoUserText(t *testing.T) {
	alone(t, func(r *fixture) {
		from := home()
		from.UserAgent = "Win a prize at http://evil.example Firefox"
		_, err := r.SignUps.SignUp(r.Context(), account.SignUp{
			Email:       "ada@example.com",
			AccountName: "http://evil.example",
			Password:    right,
		}, from)
		r.ok(err)
		r.ok(r.Passwords.AskReset(r.Context(), "ada@example.com", from))
		for _, l := range r.emails("ada@example.com") {
			r.want(!strings.Contains(l.Content.Text+l.Content.HTML+l.Subject, "evil"), "it reads %s", l.Content.Text)
		}
	})
}
