package developer_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/mail"
)

// inbox keeps the emails that are sent.
type inbox struct{ all []*mail.Message }

func (i *inbox) Send(_ context.Context, m *mail.Message) error {
	i.all = append(i.all, m)
	return nil
}

// owner adds a landlord, as one who acts for their account.
func (r *fixture) owner(email string) developer.Member {
	r.t.Helper()
	u := r.landlord(email)
	_, a, err := r.Account(r.t.Context(), email)
	must(r.t, err)
	return developer.Member{UserID: u.ID, AccountID: a.ID, Role: access.Owner}
}

// open is the open request of an account for more units, which must be there.
func (r *fixture) open(by developer.Member) developer.UnitRequest {
	r.t.Helper()
	u, open, err := r.OpenUnitRequest(r.t.Context(), by)
	must(r.t, err)
	if !open {
		r.t.Fatal("no request is open")
	}
	return u
}

func (r *fixture) noneOpen(by developer.Member) {
	r.t.Helper()
	if u, open, err := r.OpenUnitRequest(r.t.Context(), by); err != nil || open {
		r.t.Errorf("%+v is open: %v", u, err)
	}
}

func TestAccountHasOneOpenUnitRequestWithItsLatestNumber(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		ada, kim := r.owner("ada@example.com"), r.owner("kim@example.com")
		_, err := r.AskForUnits(t.Context(), ada, 25)
		refused(t, "units that the plan allows", err, fault.InvalidTransition, "")
		first, err := r.AskForUnits(t.Context(), ada, 300)
		must(t, err)
		r.add(time.Minute)
		_, err = r.AskForUnits(t.Context(), kim, 40)
		must(t, err)
		again, err := r.AskForUnits(t.Context(), ada, 300)
		must(t, err)
		if again != first {
			t.Errorf("asking for the same number again changed %+v to %+v", first, again)
		}
		more, err := r.AskForUnits(t.Context(), ada, 400)
		must(t, err)
		if open := r.open(ada); open != more || open.ID != first.ID || open.Units != 400 {
			t.Errorf("%+v is open after %+v", open, first)
		}
		if open := r.open(kim); open.Units != 40 || open.AccountID != kim.AccountID {
			t.Errorf("of the other account %+v is open", open)
		}
		cases, err := r.Reviews.UnitCases(t.Context())
		must(t, err)
		if len(cases) != 2 || cases[0].ID != first.ID || cases[0].Asker != "ada@example.com" ||
			cases[0].Plan.Limits().Units != 25 || cases[1].Account != "kim@example.com" {
			t.Errorf("the staff see %+v", cases)
		}
	})
}

func TestUnitRequestsAtOnceAreOne(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		ada := r.owner("ada@example.com")
		done := together(t, 10, fault.InvalidTransition, func(side int) error {
			_, err := r.AskForUnits(t.Context(), ada, 100+side)
			return err
		})
		all, err := r.UnitRequestsOf(t.Context(), ada)
		if must(t, err); done != 10 || len(all) != 1 {
			t.Errorf("%d asked, and there are %d requests", done, len(all))
		}
	})
}

func TestStaffAreMailedOnceAboutUnitRequest(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		post := &inbox{}
		r.Post, r.BaseURL = post, "https://portal.example"
		ada := r.owner("ada@example.com")
		for _, email := range []string{"sue@portal.example", "tom@portal.example"} {
			_, err := r.AddUser(t.Context(), email, "", "correct horse battery", developer.Staff)
			must(t, err)
		}
		for _, units := range []int{300, 300, 400} {
			_, err := r.AskForUnits(t.Context(), ada, units)
			must(t, err)
		}
		if len(post.all) != 2 || post.all[0].To != "sue@portal.example" || post.all[1].To != "tom@portal.example" {
			t.Fatalf("the emails are %+v", post.all)
		}
		m := post.all[0]
		if m.AccountID != "" || m.Subject != "ada@example.com asks for 300 units" ||
			!strings.Contains(m.Text, "its limit is 25.") ||
			!strings.Contains(m.Text, "https://portal.example/staff/accounts/"+ada.AccountID) {
			t.Errorf("%q: %s\n%s", m.AccountID, m.Subject, m.Text)
		}
	})
}

func TestPlanThatCoversUnitRequestAnswersItOnce(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		post := &inbox{}
		r.Post, r.BaseURL = post, "https://portal.example"
		ada := r.owner("ada@example.com")
		_, err := r.AskForUnits(t.Context(), ada, 300)
		must(t, err)
		must(t, r.SetPlanOf(t.Context(), ada.AccountID, developer.Plan{Tier: developer.Pro}))
		if r.open(ada); len(post.all) != 0 {
			t.Errorf("a plan that does not cover the request was mailed: %q", post.all[0].Subject)
		}
		covers := developer.Plan{Tier: developer.Pro, Units: new(1300)}
		done := together(t, 4, "", func(int) error { return r.SetPlanOf(t.Context(), ada.AccountID, covers) })
		r.noneOpen(ada)
		if done != 4 || len(post.all) != 1 {
			t.Fatalf("%d plans set, %d emails", done, len(post.all))
		}
		m := post.all[0]
		if m.To != "ada@example.com" || m.Subject != "You can now have 1,300 units" ||
			!strings.Contains(m.Text, "You asked for 300.") ||
			!strings.Contains(m.Text, "https://portal.example/live/properties") {
			t.Errorf("to %s: %s\n%s", m.To, m.Subject, m.Text)
		}
		_, err = r.AskForUnits(t.Context(), ada, 1301) // an answered one is out of the way
		must(t, err)
		all, err := r.UnitRequestsOf(t.Context(), ada)
		if must(t, err); len(all) != 2 || all[1].AnsweredAt == nil || all[1].Reason != nil {
			t.Errorf("the requests are %+v", all)
		}
	})
}

func TestStaffDeclineUnitRequestWithReason(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		post := &inbox{}
		r.Post = post
		ada, kim := r.owner("ada@example.com"), r.owner("kim@example.com")
		u, err := r.AskForUnits(t.Context(), ada, 300)
		must(t, err)
		decline := func(of developer.Member, reason string) error {
			return r.Reviews.DeclineUnits(t.Context(), of.AccountID, u.ID, reason)
		}
		refused(t, "no reason", decline(ada, " \n"), fault.InvalidField, "reason")
		refused(t, "a long reason", decline(ada, strings.Repeat("x", 2001)), fault.InvalidField, "reason")
		refused(t, "the request of another account", decline(kim, "No."), fault.InvalidTransition, "")
		r.open(ada)
		must(t, decline(ada, "Verify your properties first."))
		refused(t, "an answered request", decline(ada, "Again."), fault.InvalidTransition, "")
		r.noneOpen(ada)
		if len(post.all) != 1 || post.all[0].To != "ada@example.com" ||
			!strings.Contains(post.all[0].Text, "Verify your properties first.") {
			t.Errorf("the emails are %+v", post.all)
		}
		if must(t, r.SetPlanOf(t.Context(), ada.AccountID, developer.Plan{Tier: developer.Prime})); len(post.all) != 1 {
			t.Error("a plan answered a request that was declined")
		}
	})
}

func TestAnswerToUnitRequestOfFormerMemberGoesToOwners(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		post := &inbox{}
		ada, kim := r.owner("ada@example.com"), r.owner("kim@example.com")
		_, err := r.AskForUnits(t.Context(), developer.Member{
			UserID: kim.UserID, AccountID: ada.AccountID, Role: access.Manager,
		}, 300)
		must(t, err)
		r.Post = post
		must(t, r.SetPlanOf(t.Context(), ada.AccountID, developer.Plan{Tier: developer.Prime}))
		if len(post.all) != 1 || post.all[0].To != "ada@example.com" {
			t.Errorf("the emails are %+v", post.all)
		}
	})
}

func TestClosedAccountHasNoOpenUnitRequest(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		ada := r.owner("ada@example.com")
		_, err := r.AskForUnits(t.Context(), ada, 300)
		must(t, err)
		must(t, r.EndAccess(t.Context(), ada.AccountID))
		r.noneOpen(ada)
		if cases, err := r.Reviews.UnitCases(t.Context()); err != nil || len(cases) != 0 {
			t.Errorf("the staff see %+v, %v", cases, err)
		}
	})
}
