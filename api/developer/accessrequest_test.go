package developer_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
)

func applies() developer.AccessRequestCreate {
	return developer.AccessRequestCreate{UseCase: useCase, AgreedToTerms: true}
}

func TestAccessRequestStoresApplicantInput(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com")
		c := developer.AccessRequestCreate{
			CompanyName:          new("Harbor Lane"),
			ContactEmail:         "tech@example.com",
			UseCase:              useCase,
			ExpectedMonthlyCalls: new(0),
			IntegrationType:      new("accounting"),
			WebsiteURL:           new("https://example.com"),
			AgreedToTerms:        true,
		}
		got, err := r.RequestAccess(t.Context(), "ada@example.com", c)
		must(t, err)
		all, err := r.AccessRequests(t.Context())
		must(t, err)
		if len(all) != 1 || fmt.Sprintf("%+v", shown(all[0])) != fmt.Sprintf("%+v", shown(got)) {
			t.Errorf("kept is %+v, answered %+v", all, got)
		}
		want := `pending Harbor Lane tech@example.com 0 accounting https://example.com 2026-11-02T17:00:00.482Z ` +
			`<nil> <nil> <nil>`
		if !id.Valid(id.AccessRequest, got.ID) || shown(got) != got.ID+" "+want {
			t.Errorf("got %s", shown(got))
		}
	})
}

// shown is a request in one line.
func shown(r developer.AccessRequest) string {
	words := []string{
		r.ID,
		string(r.Status),
		text(r.CompanyName),
		r.ContactEmail,
		text(r.ExpectedMonthlyCalls),
		text(r.IntegrationType),
		text(r.WebsiteURL),
		r.SubmittedAt.String(),
		text(r.ReviewedAt),
		text(r.ReviewNotes),
		text(r.DenialReason),
	}
	return strings.Join(words, " ")
}

func text[T any](p *T) string {
	if p == nil {
		return "<nil>"
	}
	return fmt.Sprint(*p)
}

func TestAccessRequestReportsErrorsInFieldOrder(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com")
		long := func(n int) *string { return new(strings.Repeat("ä", n)) }
		bad := developer.AccessRequestCreate{
			CompanyName:          long(256),
			ContactEmail:         "nobody",
			UseCase:              "short",
			ExpectedMonthlyCalls: new(-1),
			IntegrationType:      long(81),
			WebsiteURL:           long(501),
		}
		_, err := r.RequestAccess(t.Context(), "ada@example.com", bad)
		refused(t, "everything at once", err, fault.InvalidField, "company_name")
		var named []string
		for _, d := range fault.From(err).Details {
			named = append(named, d.Param)
		}
		if want := []string{
			"company_name", "contact_email", "use_case", "expected_monthly_calls",
			"integration_type", "website_url", "agreed_to_terms",
		}; !slices.Equal(named, want) {
			t.Errorf("named are %q", named)
		}
		for param, change := range map[string]func(*developer.AccessRequestCreate){
			"company_name":  func(c *developer.AccessRequestCreate) { c.CompanyName = long(256) },
			"contact_email": func(c *developer.AccessRequestCreate) { c.ContactEmail = "tech at example.com" },
			"use_case":      func(c *developer.AccessRequestCreate) { c.UseCase = *long(19) },
			"use_case ":     func(c *developer.AccessRequestCreate) { c.UseCase = *long(2001) },
			"use_case  ":    func(c *developer.AccessRequestCreate) { c.UseCase = useCase + "\x00" },
			"use_case   ":   func(c *developer.AccessRequestCreate) { c.UseCase = useCase + "\xff" },
			"expected_monthly_calls": func(c *developer.AccessRequestCreate) {
				c.ExpectedMonthlyCalls = new(100_000_001)
			},
			"integration_type": func(c *developer.AccessRequestCreate) { c.IntegrationType = long(81) },
			"website_url":      func(c *developer.AccessRequestCreate) { c.WebsiteURL = long(501) },
			"website_url ":     func(c *developer.AccessRequestCreate) { c.WebsiteURL = new("\x00") },
			"agreed_to_terms":  func(c *developer.AccessRequestCreate) { c.AgreedToTerms = false },
		} {
			c := applies()
			change(&c)
			_, err := r.RequestAccess(t.Context(), "ada@example.com", c)
			refused(t, param, err, fault.InvalidField, strings.TrimSpace(param))
		}
		if all, err := r.AccessRequests(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("kept are %+v: %v", all, err)
		}
		full := developer.AccessRequestCreate{
			CompanyName:          long(255),
			UseCase:              *long(2000),
			ExpectedMonthlyCalls: new(100_000_000),
			IntegrationType:      long(80),
			WebsiteURL:           long(500),
			AgreedToTerms:        true,
		}
		got, err := r.RequestAccess(t.Context(), "ada@example.com", full)
		if err != nil || got.ContactEmail != "ada@example.com" {
			t.Errorf("the longest is refused, or whom to write to is %q: %v", got.ContactEmail, err)
		}
	})
}

// steps is what can be done about an access request.
var steps = []struct {
	name string
	do   func(*fixture, string) (developer.AccessRequest, error)
	// from is where the open request must stand, "" without one; to is where it goes.
	from []developer.RequestStatus
	to   developer.RequestStatus
	// refused is the code where there is no open request.
	refused fault.Code
}{
	{"request", func(r *fixture, email string) (developer.AccessRequest, error) {
		return r.RequestAccess(r.t.Context(), email, applies())
	}, []developer.RequestStatus{""}, developer.Pending, ""},
	{"approve", func(r *fixture, email string) (developer.AccessRequest, error) {
		return r.Reviews.Approve(r.t.Context(), email, new("fine"))
	}, []developer.RequestStatus{"", developer.Pending}, developer.Approved, ""},
	{"deny", func(r *fixture, email string) (developer.AccessRequest, error) {
		return r.Reviews.Deny(r.t.Context(), email, "no")
	}, []developer.RequestStatus{developer.Pending}, developer.Denied, fault.NoRecord},
	{"revoke", func(r *fixture, email string) (developer.AccessRequest, error) {
		return r.Reviews.RevokeAccess(r.t.Context(), email, new("gone"))
	}, []developer.RequestStatus{developer.Approved}, developer.Revoked, fault.NoRecord},
}

func TestAccessRequestAllowsOnlyValidTransitions(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		seed := rand.Uint64()
		random := rand.New(rand.NewPCG(seed, 4))
		emails := []string{"ada@example.com", "bob@example.com"}
		open, count := map[string]developer.RequestStatus{}, 0
		for _, email := range emails {
			r.landlord(email)
		}
		for i := range 200 {
			email, step := emails[random.IntN(2)], steps[random.IntN(len(steps))]
			was := open[email]
			r.add(time.Second)
			got, err := step.do(r, email)
			if !slices.Contains(step.from, was) {
				want := fault.InvalidTransition
				if was == "" {
					want = step.refused
				}
				refused(t, fmt.Sprintf("seed %d, step %d: %s of %q", seed, i, step.name, was), err, want, "")
				continue
			}
			if err != nil || got.Status != step.to {
				t.Fatalf("seed %d, step %d: %s of %q is %q: %v", seed, i, step.name, was, got.Status, err)
			}
			if was == "" {
				count++
			}
			reviewed := step.name != "request"
			if (got.ReviewedAt != nil) != reviewed || reviewed && *got.ReviewedAt != clock.At(r.now()) ||
				(got.DenialReason != nil) != (step.name == "deny") {
				t.Errorf("%s gives %s", step.name, shown(got))
			}
			if open[email] = step.to; step.to == developer.Denied || step.to == developer.Revoked {
				open[email] = ""
			}
		}
		all, err := r.AccessRequests(t.Context())
		must(t, err)
		if len(all) != count ||
			!slices.IsSortedFunc(all, func(a, b developer.AccessRequest) int { return strings.Compare(a.ID, b.ID) }) {
			t.Errorf("%d requests are kept of %d", len(all), count)
		}
	})
}

func TestApprovalWithoutRequestIsNoted(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com")
		got, err := r.Reviews.Approve(t.Context(), "ada@example.com", nil)
		must(t, err)
		if got.Status != developer.Approved || got.ContactEmail != "ada@example.com" ||
			got.UseCase != "Approved by an operator without an application." || got.ReviewedAt == nil ||
			got.ReviewNotes != nil {
			t.Errorf("the request is %s", shown(got))
		}
	})
}

func TestOnlyLandlordsHaveAccessRequests(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		_, err := r.AddUser(t.Context(), "staff@example.com", "", "correct horse battery", developer.Staff)
		must(t, err)
		for _, step := range steps {
			for _, email := range []string{"staff@example.com", "nobody@example.com"} {
				_, err := step.do(r, email)
				refused(t, step.name+" of "+email, err, fault.NoRecord, "")
			}
		}
	})
}

func TestConcurrentApplicationsCreateOneRequest(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com")
		if done := together(t, 6, fault.InvalidTransition, func(int) error {
			_, err := r.RequestAccess(t.Context(), "ada@example.com", applies())
			return err
		}); done != 1 {
			t.Errorf("%d requests are open", done)
		}
	})
}

func TestConcurrentApprovalsAndDenialsDecideOnce(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		for i := range 5 {
			email := fmt.Sprintf("ada%d@example.com", i)
			r.landlord(email)
			_, err := r.RequestAccess(t.Context(), email, applies())
			must(t, err)
			done := together(t, 4, fault.InvalidTransition, func(side int) (err error) {
				if side%2 == 0 {
					_, err = r.Reviews.Approve(t.Context(), email, nil)
				} else if _, err = r.Reviews.Deny(t.Context(), email, "no"); fault.Is(err, fault.NoRecord) {
					err = fault.New(fault.InvalidTransition, "It was denied a moment ago.")
				}
				return err
			})
			all, err := r.AccessRequests(t.Context())
			must(t, err)
			var ends []string
			for _, request := range all {
				if request.ContactEmail == email {
					ends = append(ends, string(request.Status))
				}
			}
			// After a denial an approval makes a request of its own.
			if want := map[int][]string{
				1: ends[:1],
				2: {"approved", "denied"},
			}[done]; ends[0] == "pending" || !slices.Equal(sorted(ends), want) {
				t.Errorf("%d decided; the requests are %q", done, ends)
			}
		}
	})
}

func TestKeysEndWithTheirAccess(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		for i := range 5 {
			email := fmt.Sprintf("ada%d@example.com", i)
			r.approved(email)
			together(t, 6, fault.InvalidTransition, func(side int) error {
				if side == 0 {
					_, err := r.Reviews.RevokeAccess(t.Context(), email, nil)
					return err
				}
				_, err := r.CreateKey(t.Context(), email, developer.KeyCreate{Name: "Sync", Mode: access.Test})
				return err
			})
			keys, err := r.Keys(t.Context(), email)
			must(t, err)
			for _, k := range keys {
				if k.RevokedAt == nil {
					t.Errorf("%s lives on without access", k.ID)
				}
			}
		}
	})
}
