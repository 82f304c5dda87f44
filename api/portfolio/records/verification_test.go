package records_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/property"
	"portal/api/portfolio/property/verification"
	"portal/db/accountstore"
)

func (g *guests) clock() clock.Clock { return func() time.Time { return g.now } }

// user is the id of who has an address at example.com, who is made where there is none.
func (g *guests) user(name string) string {
	g.Helper()
	u, found, err := accountstore.New(g.db).User(g.Context(), name+"@example.com")
	g.ok(err)
	if !found {
		u = developer.User{
			ID:           id.New(id.User, g.now),
			Email:        name + "@example.com",
			PasswordHash: "argon2id",
			Role:         developer.Staff,
			CreatedAt:    clock.At(g.now),
		}
		_, err := accountstore.New(g.db).AddUser(g.Context(), u)
		g.ok(err)
	}
	return u.ID
}

func (g *guests) as(user string) context.Context {
	return audit.With(g.Context(), audit.By{UserID: user, RequestID: "req_1"})
}

const deed = "The deed is recorded in Travis County, no. 2019-0042."

// asksVerification asks for the verification of a property that is not verified yet.
func (h *leaseFixture) asksVerification() (portfolio.Property, string) {
	h.Helper()
	m, err := h.Properties.CreateProperty(h.Context(), h.by, property.Create{
		StreetAddress: "9 Elm Street",
		City:          "Austin",
		State:         "TX",
		PropertyType:  "condo",
	})
	h.ok(err)
	asked, err := h.Verifications.AskVerification(h.as(h.user("dana")), h.by, change.Target{
		ID:      m.After.ID,
		Version: new(int64(1)),
	}, "  "+deed+"\n")
	h.ok(err)
	v, found, err := h.Verifications.Verification(h.Context(), h.by, m.After.ID)
	h.ok(err)
	if !found || v.Note != deed || v.Status != verification.AskedVerification || v.DecidedAt != nil {
		h.Fatalf("%+v", v)
	}
	return *asked.After, v.ID
}

func TestAddressChangeVoidsVerification(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		p, asked := h.asksVerification()
		h.ok(h.Verifications.DecideVerification(h.as(h.user("sue")), h.user("sue"), asked, verification.Verdict{
			Verified: true,
		}))
		for _, c := range []struct {
			change property.Update
			want   portfolio.VerificationStatus
		}{
			{
				property.Update{
					YearBuilt:      change.To(new(1990)),
					StreetAddress2: change.To(new("Rear building")),
				},
				portfolio.Verified,
			},
			{property.Update{StreetAddress: change.To("11 Elm Street")}, portfolio.Unverified},
		} {
			m, err := h.Properties.UpdateProperty(h.Context(), h.by, change.Target{ID: p.ID}, c.change)
			h.ok(err)
			if m.After.VerificationStatus != c.want {
				h.Errorf("%+v: %s, want %s", c.change, m.After.VerificationStatus, c.want)
			}
		}
	})
}

func TestStaffVerifyProperty(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		log := h.asPerson()
		p, asked := h.asksVerification()
		if p.VerificationStatus != portfolio.VerificationPending || p.Version != 2 {
			h.Errorf("%+v", p)
		}
		_, err := h.Verifications.AskVerification(h.as(h.user("dana")), h.by, change.Target{ID: p.ID}, deed)
		h.refusedAt(err, fault.InvalidTransition, "")
		sue := h.user("sue")
		for _, again := range []bool{false, true} {
			err := h.Verifications.DecideVerification(h.as(sue), sue, asked, verification.Verdict{Verified: true})
			if again != fault.Is(err, fault.InvalidTransition) || !again && err != nil {
				h.Error(err)
			}
		}
		got, err := h.Properties.Property(h.Context(), h.by, p.ID)
		h.ok(err)
		if got.VerificationStatus != portfolio.Verified || got.Version != 3 {
			h.Errorf("%+v", got.Property)
		}
		c, err := h.Verifications.VerificationCase(h.Context(), asked)
		h.ok(err)
		if c.Status != verification.AcceptedVerification || c.Words != nil ||
			c.Reviewer != "sue@example.com" || c.Asker != h.home.Email || c.In != h.by.Portfolio ||
			c.Property.ID != p.ID {
			h.Errorf("%+v", c)
		}
		page, err := log.Entries(h.Context(), audit.Query{AccountID: h.home.AccountID})
		h.ok(err)
		if len(page.Data) != 2 || page.Data[0].Action != "property.verified" ||
			*page.Data[0].UserID != sue || page.Data[1].Action != "property.verification_asked" {
			h.Errorf("%+v", page.Data)
		}
	})
}

func TestDeclinedVerificationGivesReasonAndCanBeRetried(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		p, asked := h.asksVerification()
		sue := h.user("sue")
		h.refusedAt(h.Verifications.DecideVerification(h.as(sue), sue, asked, verification.Verdict{
			Words: "No.",
		}), fault.InvalidField, "words")
		h.ok(h.Verifications.DecideVerification(h.as(sue), sue, asked, verification.Verdict{
			Words: "The deed names somebody else.",
		}))
		v, _, err := h.Verifications.Verification(h.Context(), h.by, p.ID)
		h.ok(err)
		got, err := h.Properties.Property(h.Context(), h.by, p.ID)
		h.ok(err)
		if got.VerificationStatus != portfolio.Unverified || v.Status != verification.DeclinedVerification ||
			*v.Words != "The deed names somebody else." {
			h.Errorf("%+v, %+v", got.Property, v)
		}
		all := h.emails()
		l := all[len(all)-1]
		if len(all) != 1 || l.To != h.home.Email || l.Subject != "Property not verified: 9 Elm Street" ||
			!strings.Contains(l.Content.Text, "The deed names somebody else.") ||
			!strings.Contains(l.Content.Text, "https://portal.example.com/live/properties/"+p.ID) {
			h.Errorf("%+v", l)
		}
		_, err = h.Verifications.AskVerification(h.as(h.user("dana")), h.by, change.Target{
			ID: p.ID,
		}, deed+" And the contract.")
		h.ok(err)
		for status, want := range map[verification.Outcome]int{
			verification.AskedVerification:    1,
			verification.DeclinedVerification: 1,
			verification.AcceptedVerification: 0,
			"":                                2,
		} {
			page, err := h.Verifications.Verifications(h.Context(), verification.Filter{
				Status: status,
				Limit:  list.Default,
			})
			h.ok(err)
			if len(page.Data) != want {
				h.Errorf("%d are %q, want %d", len(page.Data), status, want)
			}
		}
	})
}

func TestStaffCannotVerifyTheirOwnProperty(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		_, asked := h.asksVerification()
		dana := h.user("dana")
		h.refusedAt(h.Verifications.DecideVerification(h.as(dana), dana, asked, verification.Verdict{
			Verified: true,
		}), fault.InvalidTransition, "")
		h.refusedAt(
			h.Verifications.DecideVerification(h.as(dana), dana, "ver_01KA5R2M7Q8D4E6F9G1H3J5K7M", verification.Verdict{
				Verified: true,
			}),
			fault.NoRecord,
			"",
		)
	})
}

func TestInvalidVerificationRequestsAreRefused(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		p, _ := h.propertyAndUnit() // verified
		ctx := h.as(h.user("dana"))
		_, err := h.Verifications.AskVerification(ctx, h.by, change.Target{ID: p.ID}, deed)
		h.refusedAt(err, fault.InvalidTransition, "")
		for _, note := range []string{"", "mine", strings.Repeat("a", 2001), deed + "\x00"} {
			_, err := h.Verifications.AskVerification(ctx, h.by, change.Target{ID: p.ID}, note)
			h.refusedAt(err, fault.InvalidField, "note")
		}
		_, err = h.Verifications.AskVerification(ctx, h.owner(access.Test), change.Target{ID: p.ID}, deed)
		h.refusedAt(err, fault.NoRecord, "")
	})
}

func TestPropertyIsVerifiedImmediatelyInTestMode(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		by := h.owner(access.Test)
		m, err := h.Properties.CreateProperty(h.Context(), by, property.Create{
			StreetAddress: "9 Elm Street",
			City:          "Austin",
			State:         "TX",
			PropertyType:  "condo",
		})
		h.ok(err)
		asked, err := h.Verifications.AskVerification(h.Context(), by, change.Target{ID: m.After.ID}, "")
		h.ok(err)
		_, found, err := h.Verifications.Verification(h.Context(), by, m.After.ID)
		h.ok(err)
		if asked.After.VerificationStatus != portfolio.Verified || found {
			h.Errorf("%+v, %v", asked.After, found)
		}
	})
}

func TestVerificationsArePaged(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for range 3 {
			h.asksVerification()
		}
		for _, f := range []verification.Filter{
			{Status: verification.AskedVerification, OldestFirst: true},
			{Status: verification.AskedVerification},
			{OldestFirst: true},
			{},
		} {
			seen := []string{}
			f.Limit = 2
			for {
				page, err := h.Verifications.Verifications(h.Context(), f)
				h.ok(err)
				for _, c := range page.Data {
					seen = append(seen, c.ID)
				}
				if page.NextCursor == nil {
					break
				}
				f.After = *page.NextCursor
			}
			if len(seen) != 3 || (seen[0] < seen[1]) != f.OldestFirst || (seen[1] < seen[2]) != f.OldestFirst {
				h.Errorf("%+v: %q", f, seen)
			}
		}
		counts, err := h.Verifications.VerificationCounts(h.Context())
		h.ok(err)
		for _, s := range verification.Outcome("").Values() {
			want := "0"
			if s == string(verification.AskedVerification) {
				want = "3"
			}
			if got := counts.Of(verification.Outcome(s)).Words(); got != want {
				h.Errorf("%s are %s, want %s", s, got, want)
			}
		}
	})
}

func TestVerificationOfStaleAddressIsRefused(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		p, asked := h.asksVerification()
		h.ok(second(h.Properties.UpdateProperty(
			h.Context(),
			h.by,
			change.Target{ID: p.ID},
			property.Update{StreetAddress: change.To("1 Main Street")},
		)))
		sue := h.user("sue")
		h.refusedAt(h.Verifications.DecideVerification(h.as(sue), sue, asked, verification.Verdict{
			Verified: true,
			Seen:     &p.Version,
		}), fault.StaleWrite, "")
		h.ok(h.Verifications.DecideVerification(h.as(sue), sue, asked, verification.Verdict{
			Verified: true,
			Seen:     new(p.Version + 1),
		}))
	})
}
