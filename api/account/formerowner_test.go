package account_test

import (
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/account"
)

// about are the emails to somebody with a subject, the newest first.
func (r *fixture) about(to, subject string) (texts []string) {
	r.Helper()
	for _, m := range r.emails(to) {
		if m.Subject == subject {
			texts = append(texts, m.Content.Text)
		}
	}
	return texts
}

func TestRemainingOwnersAreNotifiedWhenOwnerLeaves(t *testing.T) {
	const subject = "No longer an owner: bob@example.com"
	for name, does := range map[string]struct {
		by   string
		also string // the subject of the email to the one who goes
		do   func(r *fixture, ada, bob *account.Visitor) error
	}{
		"removed": {
			by:   "ada@example.com",
			also: "You left a team",
			do: func(r *fixture, ada, bob *account.Visitor) error {
				return r.Members.RemoveMember(r.Context(), ada, bob.UserID, false, home())
			},
		},
		"demoted": {
			by:   "ada@example.com",
			also: "You are no longer an owner",
			do: func(r *fixture, ada, bob *account.Visitor) error {
				return r.Members.SetRole(r.Context(), ada, bob.UserID, access.Manager, false, home())
			},
		},
		"steps back": {by: "bob@example.com", do: func(r *fixture, _, bob *account.Visitor) error {
			return r.Members.SetRole(r.Context(), bob, bob.UserID, access.Manager, false, home())
		}},
		"leaves": {by: "bob@example.com", do: func(r *fixture, _, bob *account.Visitor) error {
			return r.Members.Leave(r.Context(), bob, false, home())
		}},
		"member add": {by: "The operator of the service", do: func(r *fixture, _, _ *account.Visitor) error {
			_, err := r.Developer.AddMember(
				r.Context(),
				"ada@example.com",
				"bob@example.com",
				access.Manager,
				false,
			)
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			alone(t, func(r *fixture) {
				ada := r.signedUp("ada@example.com")
				bob, _ := r.joined(ada, "bob@example.com", access.Owner)
				r.joined(ada, "cleo@example.com", access.Owner)
				r.joined(ada, "max@example.com", access.Manager)
				r.ok(does.do(r, ada, bob))
				for _, remains := range []string{"ada@example.com", "cleo@example.com"} {
					got := r.about(remains, subject)
					r.want(len(got) == 1 &&
						strings.Contains(got[0], "bob@example.com is no longer an owner of Harbor Lane.") &&
						strings.Contains(got[0], "By:          "+does.by+"\n"), "%s is told %q", remains, got)
				}
				for _, other := range []string{"bob@example.com", "max@example.com"} {
					r.want(len(r.about(other, subject)) == 0, "%s is told, too", other)
				}
				r.want(does.also == "" ||
					len(r.about("bob@example.com", does.also)) == 1, "Bob is not told: %s", does.also)
			})
		})
	}
}

func TestManagerLeavingSendsNoNotice(t *testing.T) {
	alone(t, func(r *fixture) {
		ada := r.signedUp("ada@example.com")
		maxine, _ := r.joined(ada, "max@example.com", access.Manager)
		before := len(r.emails("ada@example.com"))
		r.ok(r.Members.RemoveMember(r.Context(), ada, maxine.UserID, false, home()))
		r.want(len(r.emails("ada@example.com")) == before, "Ada is written to")
	})
}

func TestStaleSessionCannotRemoveOwner(t *testing.T) {
	alone(t, func(r *fixture) {
		ada := r.signedUp("ada@example.com")
		bob, _ := r.joined(ada, "bob@example.com", access.Owner)
		maxine, _ := r.joined(ada, "max@example.com", access.Manager)
		r.add(2 * time.Hour)
		err := r.Members.RemoveMember(r.Context(), ada, bob.UserID, false, home())
		r.want(account.IsStale(err), "an old session removes an owner: %v", err)
		r.ok(r.Members.RemoveMember(r.Context(), ada, maxine.UserID, false, home()))
		r.ok(r.Members.Leave(r.Context(), bob, false, home()))
	})
}
