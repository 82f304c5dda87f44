package account_test

import (
	"testing"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
	"portal/db/servicestore"
)

// joined invites somebody who has a user, and has them accept.
func (r *fixture) joined(owner *account.Visitor, email string, role access.Role) (*account.Visitor, string) {
	r.Helper()
	r.signedUp(email)
	v, token := r.signedIn(email)
	_, err := r.Invitations.Invite(r.Context(), owner, email, role, home())
	r.ok(err)
	r.ok(r.Invitations.Accept(r.Context(), v, r.token(email, "/join/"), home()))
	return r.seen(token), token
}

// confirmed is a visitor who has just confirmed who they are.
func (r *fixture) confirmed(v *account.Visitor) *account.Visitor {
	again := *v
	again.AuthenticatedAt = clock.At(r.Now())
	return &again
}

// seen is a visitor as they are now.
func (r *fixture) seen(token string) *account.Visitor {
	r.Helper()
	v, err := r.Sessions.Visitor(r.Context(), token, home())
	r.ok(err)
	return v
}

func TestInvitedUserWithAccountAcceptsWhenSignedIn(t *testing.T) {
	alone(t, func(r *fixture) {
		ada := r.signedUp("ada@example.com")
		r.signedUp("bob@example.com")
		i, err := r.Invitations.Invite(r.Context(), ada, "Bob@example.com", access.Manager, home())
		r.ok(err)
		open, err := r.Invitations.Invitations(r.Context(), ada)
		r.ok(err)
		r.want(len(open) == 1 && open[0] == i, "open are %+v", open)
		link := r.token("bob@example.com", "/join/")
		shown, err := r.Invitations.InvitationOf(r.Context(), link)
		r.ok(err)
		r.want(shown.Account == "Harbor Lane" && shown.Inviter == "ada@example.com" &&
			shown.Role == access.Manager && shown.HasUser, "the page shows %+v", shown)
		_, err = r.Invitations.AcceptNew(r.Context(), link, "purple wagon tangerine", home())
		r.refused(err, fault.InvalidTransition, "")
		carl := r.signedUp("carl@example.com")
		r.refused(r.Invitations.Accept(r.Context(), carl, link, home()), fault.InvalidTransition, "")

		bob, token := r.signedIn("bob@example.com")
		own := bob.Account.AccountID
		r.ok(r.Invitations.Accept(r.Context(), bob, link, home()))
		r.refused(r.Invitations.Accept(r.Context(), bob, link, home()), fault.NoRecord, "")
		bob = r.seen(token)
		r.want(bob.Account.AccountID == ada.Account.AccountID &&
			bob.Account.Role == access.Manager, "Bob is in %+v", bob.Account)
		all, err := r.Members.Accounts(r.Context(), bob)
		r.ok(err)
		r.want(len(all) == 2, "%d accounts", len(all))
		r.ok(r.Members.Switch(r.Context(), bob, own))
		r.want(r.seen(token).Account.AccountID == own, "the account was not switched")
		r.refused(r.Members.Switch(r.Context(), bob, carl.Account.AccountID), fault.NoRecord, "")
	})
}

func TestInvitedUserWithoutAccountChoosesPassword(t *testing.T) {
	both(t, func(r, other *fixture) {
		ada := r.signedUp("ada@example.com")
		_, err := r.Invitations.Invite(r.Context(), ada, "bob@example.com", access.Owner, home())
		r.ok(err)
		link := r.token("bob@example.com", "/join/")
		shown, err := r.Invitations.InvitationOf(r.Context(), link)
		r.ok(err)
		r.want(!shown.HasUser, "the page shows %+v", shown)
		_, err = r.Invitations.AcceptNew(r.Context(), link, "short", home())
		r.refused(err, fault.InvalidField, "password")
		nodes := []*fixture{r, other}
		proofs := make([]*account.Proof, 4)
		done := r.together(4, fault.NoRecord, func(i int) (err error) {
			proofs[i], err = nodes[i%2].Invitations.AcceptNew(r.Context(), link, right, home())
			if fault.Is(err, fault.InvalidTransition) { // there is a user by now
				return fault.Of(fault.NoRecord)
			}
			return err
		})
		r.want(done == 1, "%d accepted", done)
		bob, _ := r.signedIn("bob@example.com")
		r.want(bob.Account.AccountID == ada.Account.AccountID &&
			bob.Account.Role == access.Owner, "Bob is in %+v", bob.Account)
		all, err := r.Members.Accounts(r.Context(), bob)
		r.ok(err)
		r.want(len(all) == 1, "Bob has an account of his own")
	})
}

func TestInvitationEndsOnExpiryWithdrawalOrInviterDemotion(t *testing.T) {
	alone(t, func(r *fixture) {
		ada := r.signedUp("ada@example.com")
		invite := func(by *account.Visitor) (account.Invitation, string) {
			r.add(time.Hour)
			by = r.confirmed(by)
			i, err := r.Invitations.Invite(r.Context(), by, "zoe@example.com", access.Owner, home())
			r.ok(err)
			return i, r.token("zoe@example.com", "/join/")
		}
		closed := func(link string) {
			r.Helper()
			_, err := r.Invitations.AcceptNew(r.Context(), link, right, home())
			r.refused(err, fault.NoRecord, "")
		}
		_, first := invite(ada)
		i, second := invite(ada)
		closed(first)
		r.ok(r.Invitations.WithdrawInvitation(r.Context(), ada, i.ID, home()))
		r.refused(r.Invitations.WithdrawInvitation(r.Context(), ada, i.ID, home()), fault.NoRecord, "")
		closed(second)
		_, third := invite(ada)
		r.add(7 * 24 * time.Hour)
		closed(third)

		bob, _ := r.joined(r.confirmed(ada), "bob@example.com", access.Owner)
		_, fourth := invite(bob)
		r.ok(r.Members.SetRole(r.Context(), r.confirmed(ada), bob.UserID, access.Manager, false, home()))
		closed(fourth)
	})
}

func TestRoleChangeAppliesToNextRequest(t *testing.T) {
	both(t, func(r, other *fixture) {
		ada := r.signedUp("ada@example.com")
		_, token := r.joined(ada, "bob@example.com", access.Manager)
		bob := other.seen(token)
		for _, err := range []error{
			r.Members.SetRole(r.Context(), bob, ada.UserID, access.Manager, false, home()),
			r.Members.RemoveMember(r.Context(), bob, ada.UserID, false, home()),
			r.Invitations.WithdrawInvitation(r.Context(), bob, "minv_x", home()),
			r.Members.UpdateAccount(r.Context(), bob, account.Settings{Name: "Mine", TimeZone: "UTC"}, home()),
		} {
			r.refused(err, fault.OwnerRequired, "")
		}
		_, err := r.Invitations.Invite(r.Context(), bob, "eve@example.com", access.Owner, home())
		r.refused(err, fault.OwnerRequired, "")

		r.refused(r.Members.SetRole(r.Context(), ada, bob.UserID, "boss", false, home()), fault.InvalidField, "role")
		r.ok(r.Members.SetRole(r.Context(), ada, bob.UserID, access.Owner, false, home()))
		now := other.seen(token)
		r.want(now.Account.Role == access.Owner, "Bob is a %s", now.Account.Role)
		r.ok(other.Members.SetRole(r.Context(), now, ada.UserID, access.Manager, false, home()))
		// The page was loaded before.
		r.refused(
			r.Members.SetRole(r.Context(), ada, bob.UserID, access.Manager, false, home()),
			fault.OwnerRequired,
			"",
		)
		r.ok(other.Members.RemoveMember(r.Context(), now, ada.UserID, false, home()))
		r.refused(r.Members.Leave(r.Context(), ada, false, home()), fault.NoRecord, "")
		_, err = r.Members.Members(r.Context(), r.seen(token))
		r.ok(err)
	})
}

func TestTeamKeepsItsLastOwner(t *testing.T) {
	both(t, func(r, other *fixture) {
		ada := r.signedUp("ada@example.com")
		last := func(err error) { r.Helper(); r.refused(err, fault.InvalidTransition, "") }
		last(r.Members.Leave(r.Context(), ada, false, home()))
		last(r.Members.RemoveMember(r.Context(), ada, ada.UserID, false, home()))
		last(r.Members.SetRole(r.Context(), ada, ada.UserID, access.Manager, false, home()))
		bob, _ := r.joined(ada, "bob@example.com", access.Owner)
		done := r.together(2, fault.InvalidTransition, func(i int) error { // both leave at once
			if i == 0 {
				return r.Members.Leave(r.Context(), ada, false, home())
			}
			return other.Members.Leave(r.Context(), bob, false, home())
		})
		r.want(done == 1, "%d of two owners left", done)
	})
}

func TestRemovedMemberIsOutOnNextRequest(t *testing.T) {
	both(t, func(r, other *fixture) {
		ada := r.signedUp("ada@example.com")
		bob, token := r.joined(ada, "bob@example.com", access.Manager)
		r.ok(r.Members.RemoveMember(r.Context(), ada, bob.UserID, false, home()))
		now := other.seen(token)
		r.want(now.Account != nil && now.Account.AccountID != ada.Account.AccountID, "Bob is in %+v", now.Account)
		r.refused(r.Members.RemoveMember(r.Context(), ada, bob.UserID, false, home()), fault.NoRecord, "")
		r.told("bob@example.com", "no longer in the team of Harbor Lane")
	})
}

func TestTeamsAreIsolated(t *testing.T) {
	alone(t, func(r *fixture) {
		ada, eve := r.signedUp("ada@example.com"), r.signedUp("eve@example.com")
		i, err := r.Invitations.Invite(r.Context(), ada, "zoe@example.com", access.Manager, home())
		r.ok(err)
		r.refused(r.Members.RemoveMember(r.Context(), eve, ada.UserID, false, home()), fault.NoRecord, "")
		r.refused(r.Members.SetRole(r.Context(), eve, ada.UserID, access.Manager, false, home()), fault.NoRecord, "")
		r.refused(r.Invitations.WithdrawInvitation(r.Context(), eve, i.ID, home()), fault.NoRecord, "")
		open, err := r.Invitations.Invitations(r.Context(), eve)
		r.ok(err)
		members, err := r.Members.Members(r.Context(), eve)
		r.ok(err)
		r.want(len(open) == 0 && len(members) == 1 &&
			members[0].UserID == eve.UserID, "Eve sees %v and %v", open, members)
	})
}

func TestAccountSettingsAreValidated(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		ada, token := r.signedIn("ada@example.com")
		for param, u := range map[string]account.Settings{
			"name":      {Name: " ", TimeZone: "UTC"},
			"time_zone": {Name: "A", TimeZone: "Mars/Olympus"},
		} {
			r.refused(r.Members.UpdateAccount(r.Context(), ada, u, home()), fault.InvalidField, param)
		}
		r.refused(r.Members.UpdateAccount(r.Context(), ada, account.Settings{
			Name:     "A",
			TimeZone: "Local",
		}, home()), fault.InvalidField, "time_zone")
		r.ok(r.Members.UpdateAccount(r.Context(), ada, account.Settings{
			Name:     " Maple & Sons ",
			TimeZone: "America/Denver",
		}, home()))
		now := r.seen(token)
		r.want(now.Account.Name == "Maple & Sons" &&
			now.Actor(access.Live).Zone.String() == "America/Denver", "the account is %+v", now.Account)
	})
}

func TestAuditTrailRecordsTeamChanges(t *testing.T) {
	alone(t, func(r *fixture) {
		ada := r.signedUp("ada@example.com")
		bob, _ := r.joined(ada, "bob@example.com", access.Manager)
		r.ok(r.Members.SetRole(r.Context(), ada, bob.UserID, access.Owner, false, home()))
		err := r.Members.Leave(r.Context(), &account.Visitor{UserID: "user_x", Account: ada.Account}, false, home())
		r.refused(err, fault.NoRecord, "") // what was refused is not on record
		log := audit.Log{Store: servicestore.NewTrail(r.db), Now: r.now}
		page, err := log.Entries(r.Context(), audit.Query{AccountID: ada.Account.AccountID})
		r.ok(err)
		actions := map[string]audit.Entry{}
		for _, e := range page.Data {
			actions[e.Action] = e
		}
		set := actions["member.role_set"]
		r.want(len(page.Data) == 4 && set.Target == bob.UserID && *set.Email == "ada@example.com" &&
			set.Details["role"] == "owner" && set.Address == "203.0.113.7" && set.RequestID == "req_1",
			"the trail is %+v", page.Data)
		first, err := log.Entries(r.Context(), audit.Query{AccountID: ada.Account.AccountID, Limit: 3})
		r.ok(err)
		cursor, more := first.Next()
		r.want(more && len(first.Data) == 3, "the first page is %+v", first)
		rest, err := log.Entries(r.Context(), audit.Query{AccountID: ada.Account.AccountID, Before: cursor})
		r.ok(err)
		r.want(len(rest.Data) == 1 && !rest.HasMore && rest.Data[0].ID == page.Data[3].ID, "the rest is %+v", rest)
		_, err = log.Entries(r.Context(), audit.Query{Before: "page 2"})
		r.refused(err, fault.InvalidCursor, "before")
		own, err := log.Entries(r.Context(), audit.Query{UserID: bob.UserID, Action: "user.signed_in"})
		r.ok(err)
		r.want(len(own.Data) == 2 && own.Data[0].AccountID == nil, "Bob's own trail is %+v", own.Data)
	})
}
