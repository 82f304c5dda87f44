package developer_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/mail"
	"portal/db/accountstore"
	"portal/db/developerstore"
	"portal/db/servicestore"
)

// box keeps emails, within the transaction or not.
type box struct{ emails []*mail.Message }

func (b *box) Send(_ context.Context, m *mail.Message) error {
	b.emails = append(b.emails, m)
	return nil
}

// member is a new landlord as the owner of their account.
func (r *fixture) member(email string) developer.Member {
	r.t.Helper()
	u := r.landlord(email)
	_, a, err := r.Account(r.t.Context(), email)
	must(r.t, err)
	return developer.Member{UserID: u.ID, AccountID: a.ID, Role: access.Owner}
}

// reviewer is a new member of the staff.
func (r *fixture) reviewer() string {
	r.t.Helper()
	u, err := r.AddUser(r.t.Context(), "sue@portal.example", "", "correct horse battery", developer.Staff)
	must(r.t, err)
	return u.ID
}

func asks() developer.AccessRequestCreate {
	c := applies()
	c.ContactEmail = "tech@example.com"
	return c
}

// trail is what was recorded about an account, the newest first.
func (r *fixture) trail(accountID string) (all []string) {
	r.t.Helper()
	page, err := audit.Log{
		Store: servicestore.NewTrail(r.db),
		Now:   r.now,
	}.Entries(r.t.Context(), audit.Query{
		AccountID: accountID,
		Limit:     100,
	})
	must(r.t, err)
	for _, e := range page.Data {
		all = append(all, e.Action)
	}
	return all
}

func TestOwnerAppliesWithdrawsAndAppliesAgain(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		by := r.member("ada@example.com")
		first, err := r.Apply(t.Context(), by, asks())
		must(t, err)
		_, err = r.Apply(t.Context(), by, asks())
		refused(t, "a second request", err, fault.InvalidTransition, "")
		must(t, r.Withdraw(t.Context(), by, first.ID))
		refused(t, "withdrawn twice", r.Withdraw(t.Context(), by, first.ID), fault.InvalidTransition, "")
		second, err := r.Apply(t.Context(), by, asks())
		must(t, err)
		all, err := r.AccessRequestsOf(t.Context(), by)
		must(t, err)
		if len(all) != 2 || all[0].ID != second.ID || all[1].Status != developer.Withdrawn || all[1].ReviewedAt != nil {
			t.Errorf("%+v", all)
		}
		got := strings.Join(r.trail(by.AccountID)[:3], " ")
		if got != "access.requested access.withdrawn access.requested" {
			t.Error(got)
		}
	})
}

func TestOnlyOwnersManageAccessAndKeys(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		by, other := r.member("ada@example.com"), r.member("bob@example.com")
		request, err := r.Apply(t.Context(), by, asks())
		must(t, err)
		_, err = r.Reviews.Review(t.Context(), r.reviewer(), request.ID, developer.Verdict{Status: developer.Approved})
		must(t, err)
		k, err := r.AddKey(t.Context(), by, developer.KeyCreate{Name: "Sync", Mode: access.Test})
		must(t, err)
		manager := by
		manager.Role = access.Manager
		for what, do := range map[string]func(m developer.Member) error{
			"applies":   func(m developer.Member) error { _, err := r.Apply(t.Context(), m, asks()); return err },
			"withdraws": func(m developer.Member) error { return r.Withdraw(t.Context(), m, request.ID) },
			"creates": func(m developer.Member) error {
				_, err := r.AddKey(t.Context(), m, developer.KeyCreate{Name: "x", Mode: access.Test})
				return err
			},
			"revokes": func(m developer.Member) error { return r.StopKey(t.Context(), m, k.ID) },
			"rolls":   func(m developer.Member) error { _, err := r.RollKey(t.Context(), m, k.ID, 0); return err },
		} {
			refused(t, "a manager "+what, do(manager), fault.OwnerRequired, "")
		}
		refused(t, "withdrawn by another", r.Withdraw(t.Context(), other, request.ID), fault.NoRecord, "")
		refused(t, "revoked by another", r.StopKey(t.Context(), other, k.ID), fault.NoRecord, "")
		_, err = r.RollKey(t.Context(), other, k.ID, 0)
		refused(t, "rolled by another", err, fault.NoRecord, "")
		_, err = r.KeyOf(t.Context(), other, k.ID)
		refused(t, "read by another", err, fault.NoRecord, "")
		if got, err := r.KeyOf(t.Context(), manager, k.ID); err != nil || got.Creator != "ada@example.com" {
			t.Errorf("a manager sees %+v: %v", got, err)
		}
	})
}

func TestReviewRecordsReviewerAndNotifiesApplicant(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		post := &box{}
		r.Post, r.BaseURL = post, "https://portal.test"
		by, sue := r.member("ada@example.com"), r.reviewer()
		request, err := r.Apply(t.Context(), by, asks())
		must(t, err)
		_, err = r.Reviews.Review(t.Context(), sue, request.ID, developer.Verdict{
			Status: developer.Denied,
			Reason: "  ",
		})
		refused(t, "a denial without a reason", err, fault.InvalidField, "denial_reason")
		_, err = r.Reviews.Review(t.Context(), sue, request.ID, developer.Verdict{Status: developer.Revoked})
		refused(t, "a pending one revoked", err, fault.InvalidTransition, "")
		_, err = r.Reviews.Review(t.Context(), sue, request.ID, developer.Verdict{
			Status: developer.Denied,
			Reason: "Say <b>more</b>.",
			Notes:  new("Seems fine"),
		})
		must(t, err)
		c, err := r.Reviews.Case(t.Context(), request.ID)
		must(t, err)
		if c.Status != developer.Denied || c.Reviewer != "sue@portal.example" ||
			c.Applicant != "ada@example.com" || *c.ReviewNotes != "Seems fine" || c.ReviewedAt == nil {
			t.Errorf("%+v", c)
		}
		m := post.emails[0]
		if m.To != "tech@example.com" || !strings.Contains(m.Text, "> Say <b>more</b>.") ||
			!strings.Contains(m.HTML, "Say &lt;b&gt;more") ||
			strings.Contains(m.Text+m.HTML, "Seems") || !strings.Contains(m.HTML, `href="https://portal.test/access"`) {
			t.Errorf("%+v", m)
		}
		again, err := r.Apply(t.Context(), by, asks())
		must(t, err)
		must(t, r.Reviews.Note(t.Context(), sue, again.ID, "Better now"))
		_, err = r.Reviews.Review(t.Context(), sue, again.ID, developer.Verdict{Status: developer.Approved})
		must(t, err)
		k, err := r.AddKey(t.Context(), by, developer.KeyCreate{Name: "Sync", Mode: access.Test})
		must(t, err)
		_, err = r.Reviews.Review(t.Context(), sue, again.ID, developer.Verdict{
			Status: developer.Revoked,
			Reason: "Abuse",
		})
		must(t, err)
		if got, err := r.KeyOf(t.Context(), by, k.ID); err != nil || got.State(r.now()) != developer.KeyRevoked {
			t.Errorf("the key is %+v: %v", got, err)
		}
		// One of the emails is about the key.
		if c, err = r.Reviews.Case(t.Context(), again.ID); err != nil || *c.ReviewNotes != "Better now" ||
			*c.DenialReason != "Abuse" || len(post.emails) != 4 {
			t.Errorf("%+v, %d emails: %v", c, len(post.emails), err)
		}
		if got := strings.Join(r.trail(by.AccountID)[:5], " "); got !=
			"access.revoked key.created access.approved access.noted access.requested" {
			t.Error(got)
		}
	})
}

func TestReviewersCannotReviewTheirOwnRequests(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		by, sue := r.member("ada@example.com"), r.reviewer()
		request, err := r.Apply(t.Context(), by, asks())
		must(t, err)
		_, err = r.Reviews.Review(t.Context(), by.UserID, request.ID, developer.Verdict{Status: developer.Approved})
		refused(t, "the applicant", err, fault.InvalidTransition, "")
		must(t, member(r.AddMember(t.Context(), "ada@example.com", "sue@portal.example", access.Manager, false)))
		_, err = r.Reviews.Review(t.Context(), sue, request.ID, developer.Verdict{Status: developer.Approved})
		refused(t, "a member of the account", err, fault.InvalidTransition, "")
		refused(t, "notes of a member", r.Reviews.Note(t.Context(), sue, request.ID, "x"), fault.InvalidTransition, "")
		_, err = r.Reviews.Review(t.Context(), sue, "areq_none", developer.Verdict{Status: developer.Approved})
		refused(t, "none", err, fault.NoRecord, "")
	})
}

func TestConcurrentReviewsCountOnce(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		by, sue := r.member("ada@example.com"), r.reviewer()
		request, err := r.Apply(t.Context(), by, asks())
		must(t, err)
		done := together(t, 8, fault.InvalidTransition, func(side int) error {
			v := developer.Verdict{Status: developer.Approved}
			if side%2 == 1 {
				v = developer.Verdict{Status: developer.Denied, Reason: "No."}
			}
			_, err := r.Reviews.Review(t.Context(), sue, request.ID, v)
			return err
		})
		if done != 1 {
			t.Errorf("%d reviews counted", done)
		}
	})
}

func TestReviewQueueIsOrderedByAge(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		sue := r.reviewer()
		var ids []string
		for i := range 5 {
			request, err := r.Apply(t.Context(), r.member(fmt.Sprintf("u%d@example.com", i)), asks())
			must(t, err)
			ids = append(ids, request.ID)
			r.add(time.Second)
		}
		_, err := r.Reviews.Review(t.Context(), sue, ids[1], developer.Verdict{Status: developer.Approved})
		must(t, err)
		for _, c := range []struct {
			status developer.RequestStatus
			oldest bool
			want   []string
		}{
			{developer.Pending, true, []string{ids[0], ids[2], ids[3], ids[4]}},
			{developer.Pending, false, []string{ids[4], ids[3], ids[2], ids[0]}},
			{"", false, []string{ids[4], ids[3], ids[2], ids[1], ids[0]}},
			{"", true, ids},
			{developer.Approved, false, ids[1:2]},
			{developer.Approved, true, ids[1:2]},
			{developer.Denied, false, nil},
		} {
			var got []string
			for after := ""; ; {
				page, err := r.Reviews.Cases(t.Context(), developer.CaseFilter{
					Status:      c.status,
					OldestFirst: c.oldest,
					After:       after,
					Limit:       2,
				})
				must(t, err)
				for i := range page.Data {
					got = append(got, page.Data[i].ID)
				}
				if after, _ = page.Next(); after == "" {
					break
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%q, oldest first %v: %v, want %v", c.status, c.oldest, got, c.want)
			}
		}
		_, err = r.Reviews.Cases(t.Context(), developer.CaseFilter{After: "x"})
		refused(t, "a cursor that is none", err, fault.InvalidCursor, "")
	})
}

func TestRolledKeyEndsOnScheduleAndNewKeyCopiesIt(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		by := r.member("ada@example.com")
		_, err := r.Reviews.Approve(t.Context(), "ada@example.com", nil)
		must(t, err)
		old, err := r.AddKey(t.Context(), by, developer.KeyCreate{
			Name:      "Sync",
			Mode:      access.Live,
			Scopes:    []string{"write"},
			ExpiresAt: new(clock.At(r.now().Add(30 * 24 * time.Hour))),
		})
		must(t, err)
		r.add(10 * 24 * time.Hour)
		k, err := r.RollKey(t.Context(), by, old.ID, time.Hour)
		must(t, err)
		if k.Name != "Sync" || k.Mode != access.Live || k.Scopes.String() != "read,write" ||
			*k.ExpiresAt != clock.At(r.now().Add(30*24*time.Hour)) || k.Plaintext == nil {
			t.Errorf("%+v", k)
		}
		works := func(key developer.Key) error {
			_, err := r.Authenticate(t.Context(), "Bearer "+*key.Plaintext)
			return err
		}
		must(t, works(old))
		if got, _ := r.KeyOf(t.Context(), by, old.ID); got.State(r.now()) != developer.KeyEnding {
			t.Errorf("the old one is %s", got.State(r.now()))
		}
		r.add(time.Hour)
		refused(t, "the old one", works(old), fault.ExpiredAPIKey, "")
		must(t, works(k))
		_, err = r.RollKey(t.Context(), by, old.ID, 0)
		refused(t, "an expired one", err, fault.InvalidTransition, "")
		at, err := r.RollKey(t.Context(), by, k.ID, 0)
		must(t, err)
		refused(t, "one that ends now", works(k), fault.ExpiredAPIKey, "")
		must(t, r.StopKey(t.Context(), by, at.ID))
		refused(t, "a revoked one", works(at), fault.RevokedAPIKey, "")
		refused(t, "revoked twice", r.StopKey(t.Context(), by, at.ID), fault.InvalidTransition, "")
	})
}

func TestRollNeverExtendsOldKey(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		by := r.member("ada@example.com")
		_, err := r.Reviews.Approve(t.Context(), "ada@example.com", nil)
		must(t, err)
		ends := clock.At(r.now().Add(2 * time.Hour))
		old, err := r.AddKey(t.Context(), by, developer.KeyCreate{Name: "Sync", Mode: access.Test, ExpiresAt: &ends})
		must(t, err)
		_, err = r.RollKey(t.Context(), by, old.ID, 7*24*time.Hour)
		must(t, err)
		if got, err := r.KeyOf(t.Context(), by, old.ID); err != nil || *got.ExpiresAt != ends {
			t.Errorf("%+v: %v", got, err)
		}
	})
}

func TestMemberSearchPagesInBothEmailOrders(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		ctx, of := t.Context(), map[string]string{}
		for _, email := range []string{"cleo@", "dan@", "dana@", "dia@", "dot@", "eve@"} {
			of[email] = r.member(email + "example.com").AccountID
		}
		dana, _, err := r.Account(ctx, "dana@example.com")
		must(t, err)
		must(t, accountstore.New(r.db).SetMember(ctx, of["dan@"], dana.ID, access.Manager, clock.At(r.now())))
		found := func(descending bool, after string) (all []string) {
			for {
				page, err := r.FindMembers(ctx, developer.MemberFilter{
					Email: "d", Descending: descending, After: after, Limit: 2,
				})
				must(t, err)
				for i := range page.Data {
					all = append(all, page.Data[i].Email+" "+page.Data[i].Identity())
				}
				if page.NextCursor == nil {
					return all
				}
				after = *page.NextCursor
			}
		}
		up, down := found(false, ""), found(true, "")
		slices.Reverse(down)
		if len(up) != 5 || !slices.IsSorted(up) || !slices.Equal(up, down) {
			t.Errorf("%q, and back %q", up, down)
		}
		for _, m := range up {
			if !strings.HasPrefix(m, "d") {
				t.Errorf("%q is found by d", m)
			}
		}
		dot, err := r.AccountDetails(ctx, of["dot@"])
		must(t, err)
		_, err = dot.Member(dana.ID)
		refused(t, "a member of another account", err, fault.NoRecord, "")
	})
}

func TestMemberCursorFollowsChangedEmail(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		ctx, of := t.Context(), map[string]string{}
		for _, email := range []string{"dan@", "dana@", "dia@", "dot@"} {
			of[email] = r.member(email + "example.com").AccountID
		}
		dot, err := r.AccountDetails(ctx, of["dot@"])
		must(t, err)
		m := dot.Members[0]
		// Whoever has another address by now, even one that the search does not find, is where that one is.
		for email, want := range map[string][2]int{"aa@": {3, 0}, "dd@": {1, 2}, "zz@": {0, 3}} {
			_, err := r.db.Exec(ctx, "UPDATE users SET email = $1 WHERE id = $2", email+"example.com", m.UserID)
			must(t, err)
			for i, descending := range []bool{false, true} {
				page, err := r.FindMembers(ctx, developer.MemberFilter{
					Email: "d", Descending: descending, After: m.Identity(),
				})
				must(t, err)
				if len(page.Data) != want[i] {
					t.Errorf("behind %s, descending %v: %+v", email, descending, page.Data)
				}
			}
			dot, err := r.AccountDetails(ctx, of["dot@"])
			must(t, err)
			now, err := dot.Member(m.UserID)
			if must(t, err); now.Revision() == m.Revision() {
				t.Errorf("%s has the revision of %s", now.Email, m.Email)
			}
		}
		for _, after := range []string{"x", "acct_1.user_1", of["dan@"], "." + m.UserID} {
			_, err := r.FindMembers(ctx, developer.MemberFilter{Email: "d", After: after})
			refused(t, after, err, fault.InvalidCursor, "")
		}
		gone, err := r.FindMembers(ctx, developer.MemberFilter{
			Email: "d", After: of["dan@"] + "." + id.New(id.User, r.now()),
		})
		if must(t, err); len(gone.Data) != 0 {
			t.Errorf("behind nobody: %+v", gone.Data)
		}
	})
}

func TestStaffFindAccountByEmailPrefix(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		by := r.member("ada@example.com")
		r.member("adam@example.com")
		r.member("bob@example.com")
		for email, want := range map[string]int{
			"ADA":             2,
			"ada@":            1,
			"bob@example.com": 1,
			"%":               0,
			"":                0,
			" ":               0,
			"zoe":             0,
		} {
			got, err := r.FindMembers(t.Context(), developer.MemberFilter{Email: email})
			if err != nil || len(got.Data) != want {
				t.Errorf("%q: %+v, %v", email, got, err)
			}
		}
		must(t, r.SetPlanOf(t.Context(), by.AccountID, developer.Plan{Tier: developer.Pro, Units: new(900)}))
		h, err := r.AccountDetails(t.Context(), by.AccountID)
		must(t, err)
		if h.Plan.Limits() != (developer.Limits{
			Sustained: 600,
			Burst:     1200,
			Units:     900,
		}) || len(h.Members) != 1 || h.Members[0].Email != "ada@example.com" || h.Units != 0 {
			t.Errorf("%+v", h)
		}
		_, err = r.AccountDetails(t.Context(), "acct_none")
		refused(t, "no account", err, fault.NoRecord, "")
		refused(t, "the plan of none", r.SetPlanOf(t.Context(), "acct_none", developer.Plan{
			Tier: developer.Pro,
		}), fault.NoRecord, "")
	})
}

func TestStaffCanReadAnyLogLine(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		line := developer.Request{
			ID:        "req_01KA5R2M7Q8D4E6F9G1H3J5K7M",
			At:        clock.At(noon),
			Operation: "listProperties",
			Method:    "GET",
			Path:      "/api/v1/external/properties",
			Query:     "limit=2",
			Status:    200,
			Duration:  1500 * time.Microsecond,
			Bytes:     12,
			Address:   "192.0.2.1",
			UserAgent: "curl/8",
			DryRun:    true,
		}
		must(t, developerstore.New(r.db).AddRequests(t.Context(), []developer.Request{line}))
		if got, err := r.Logged(t.Context(), line.ID); err != nil || got != line {
			t.Errorf("%+v: %v", got, err)
		}
		_, err := r.Logged(t.Context(), "req_none")
		refused(t, "no line", err, fault.NoRecord, "")
	})
}

func TestProgressReflectsRecords(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		by := r.member("ada@example.com")
		in, err := accountstore.New(r.db).PortfolioOf(t.Context(), by.AccountID, access.Test)
		must(t, err)
		says := func(want string) {
			t.Helper()
			p, err := r.Progress(t.Context(), by, in)
			must(t, err)
			status := developer.RequestStatus("none")
			if p.Request != nil {
				status = p.Request.Status
			}
			if got := fmt.Sprint(status, " ", p.Approved, p.Keys, p.Seen, p.Delivered); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
		says("none false false false false")
		_, err = r.Apply(t.Context(), by, asks())
		must(t, err)
		says("pending false false false false")
		_, err = r.Reviews.Approve(t.Context(), "ada@example.com", nil)
		must(t, err)
		k, err := r.AddKey(t.Context(), by, developer.KeyCreate{Name: "Sync", Mode: access.Test})
		must(t, err)
		says("approved true true false false")
		must(t, developerstore.New(r.db).AddRequests(t.Context(), []developer.Request{{
			ID:        "req_1",
			At:        clock.At(noon),
			KeyID:     k.ID,
			AccountID: by.AccountID,
		}}))
		says("approved true true true false")
		must(t, r.StopKey(t.Context(), by, k.ID))
		says("approved true true true false")
		_, err = r.Reviews.RevokeAccess(t.Context(), "ada@example.com", nil)
		must(t, err)
		says("revoked true true true false")
	})
}
