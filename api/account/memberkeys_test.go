package account_test

import (
	"testing"

	"portal/api/access"
	"portal/api/account"
	"portal/api/developer"
	"portal/api/fault"
	"portal/db/accountstore"
	"portal/db/developerstore"
)

// keysIn are a test key of an owner's, one of their documentation, and the service that
// checks them.
func (r *fixture) keysIn(v *account.Visitor) (d *developer.Service, key, ofSession string) {
	r.Helper()
	d = r.Developer
	in, err := accountstore.New(r.db).PortfolioOf(r.Context(), v.Account.AccountID, access.Test)
	r.ok(err)
	by := developer.Member{UserID: v.UserID, AccountID: v.Account.AccountID, Role: access.Owner}
	if all, err := developerstore.New(r.db).AccessRequestsOf(r.Context(), v.Account.AccountID); err !=
		nil ||
		len(all) == 0 {
		r.ok(err)
		_, err = d.Reviews.Approve(r.Context(), "ada@example.com", nil)
		r.ok(err)
	}
	k, err := d.AddKey(r.Context(), by, developer.KeyCreate{Name: "CI", Mode: in.Mode})
	r.ok(err)
	s, err := d.AddKey(r.Context(), by, developer.KeyCreate{Name: "Docs", Mode: in.Mode, OfSession: true})
	r.ok(err)
	return d, *k.Plaintext, *s.Plaintext
}

func TestAPIKeysEndWhenOwnerLeavesOrIsDemoted(t *testing.T) {
	both(t, func(r, _ *fixture) {
		ada := r.signedUp("ada@example.com")
		for name, goes := range map[string]func(bob *account.Visitor, keep bool) error{
			"removed": func(bob *account.Visitor, keep bool) error {
				return r.Members.RemoveMember(r.Context(), ada, bob.UserID, keep, home())
			},
			"demoted": func(bob *account.Visitor, keep bool) error {
				return r.Members.SetRole(r.Context(), ada, bob.UserID, access.Manager, keep, home())
			},
			"left": func(bob *account.Visitor, keep bool) error {
				return r.Members.Leave(r.Context(), bob, keep, home())
			},
		} {
			for _, keep := range []bool{false, true} {
				email := map[bool]string{true: "kept.", false: "ended."}[keep] + name + "@example.com"
				bob, _ := r.joined(ada, email, access.Owner)
				d, key, ofSession := r.keysIn(bob)
				_, hers, _ := r.keysIn(ada)
				r.ok(goes(bob, keep))
				_, err := d.Authenticate(r.Context(), "Bearer "+key)
				if keep {
					r.ok(err)
				} else {
					r.refused(err, fault.RevokedAPIKey, "")
				}
				_, err = d.Authenticate(r.Context(), "Bearer "+ofSession)
				r.refused(err, fault.RevokedAPIKey, "")
				_, err = d.Authenticate(r.Context(), "Bearer "+hers)
				r.ok(err)
				_, err = d.AddKey(
					r.Context(),
					developer.Member{
						UserID:    bob.UserID,
						AccountID: ada.Account.AccountID,
						Role:      access.Owner,
					},
					developer.KeyCreate{Name: "Late", Mode: access.Test},
				)
				r.refused(err, fault.OwnerRequired, "") // a page that was opened before
			}
		}
	})
}

func TestOwnersAreNotifiedOfNewKeysAndOwners(t *testing.T) {
	alone(t, func(r *fixture) {
		ada := r.signedUp("ada@example.com")
		_, _ = r.joined(ada, "max@example.com", access.Manager)
		bob, _ := r.joined(ada, "bob@example.com", access.Owner)
		r.told("ada@example.com", "bob@example.com is now an owner of Harbor Lane.")
		r.told("bob@example.com", "bob@example.com is now an owner of Harbor Lane.")
		r.ok(r.Members.ChooseNotices(r.Context(), ada, nil)) // no email that one may do without
		_, _, _ = r.keysIn(bob)
		r.told("ada@example.com", "created the test API key “CI”")
		r.told("bob@example.com", "created the test API key “CI”")
		for _, l := range r.emails("max@example.com") {
			r.want(l.Subject != "API key created: CI", "a manager is told of the key")
		}
		carl, _ := r.joined(ada, "carl@example.com", access.Manager)
		r.ok(r.Members.SetRole(r.Context(), ada, carl.UserID, access.Owner, false, home()))
		r.told("bob@example.com", "carl@example.com is now an owner of Harbor Lane.")
	})
}

func TestNewDeviceSignInSendsNotice(t *testing.T) {
	alone(t, func(r *fixture) {
		ada := r.signedUp("ada@example.com")
		_, _ = r.joined(ada, "bob@example.com", access.Owner)
		signIns := func(to, subject string) (n int) {
			for _, l := range r.emails(to) {
				if l.Subject == subject {
					n++
				}
			}
			return n
		}
		before := signIns("ada@example.com", "A sign-in from a new device")
		others := signIns("bob@example.com", "An owner signed in from a new device")
		r.want(before == 0, "signing up is told as a sign-in")
		p, err := r.SignIns.SignIn(r.Context(), "ada@example.com", right, home())
		r.ok(err)
		begun, err := r.Sessions.Begin(r.Context(), p, "a token that nobody has", home())
		r.ok(err)
		r.want(signIns("ada@example.com", "A sign-in from a new device") == 1, "she is not told")
		r.want(
			signIns("bob@example.com", "An owner signed in from a new device") == others+1,
			"the other owner is not told",
		)
		known := home()
		known.Device = begun.Device
		p, err = r.SignIns.SignIn(r.Context(), "ada@example.com", right, known)
		r.ok(err)
		v, _ := r.begun(p, known)
		p, err = r.SignIns.ConfirmByPassword(
			r.Context(),
			v,
			right,
			"",
			home(),
		) // the cookie was deleted, the session goes on
		r.ok(err)
		_, _ = r.begun(p, home())
		r.want(signIns("ada@example.com", "A sign-in from a new device") == 1, "a known device is told of")
	})
}
