package records_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// applied is an applicant who has sent the form.
func (g *guests) applied() *application.Invitation {
	g.Helper()
	i := g.invites(g.asked()).After
	g.ok(g.Applications.Apply(g.Context(), g.token(i), form()))
	return i
}

func (g *guests) applicant(id string) *application.Applicant {
	g.Helper()
	a, err := g.Applicants.Applicant(g.Context(), g.owner(access.Live), id)
	g.ok(err)
	return a
}

func TestAcceptedApplicationCreatesTenant(t *testing.T) {
	onEach(t, func(g *guests) {
		i := g.applied()
		made, err := g.Applicants.AcceptApplication(g.Context(), g.owner(access.Live), i.ID)
		g.ok(err)
		got, err := g.Tenants.Tenant(g.Context(), g.owner(access.Live), made.After.ID)
		g.ok(err)
		if got.Name != "Sam Rivera" || *got.Email != "sam@example.com" || *got.Phone != "+15125550142" ||
			got.Status != portfolio.TenantProspect || got.Version != 1 || got.UnitID != nil {
			g.Errorf("%+v", got)
		}
		a := g.applicant(i.ID)
		if a.Status() != application.HasAccepted || *a.Application.TenantID != got.ID ||
			a.Application.DecidedAt == nil || a.Invitation.Status != application.InvitationApplied {
			g.Errorf("%+v", a.Application)
		}
		owner, notice := g.owner(access.Live), application.DeclineNotice{Tell: true}
		for name, again := range map[string]error{
			"accepted": errOf(g.Applicants.AcceptApplication(g.Context(), owner, i.ID)),
			"declined": errOf(g.Applicants.DeclineApplication(g.Context(), owner, i.ID, notice)),
		} {
			if !fault.Is(again, fault.InvalidTransition) ||
				!strings.Contains(again.Error(), "was already accepted. The tenant is "+got.ID) {
				g.Errorf("%s again: %v", name, again)
			}
		}
		if n := len(g.emails()); n != 2 {
			g.Errorf("%d emails", n)
		}
	})
}

func errOf[T any](_ T, err error) error { return err }

func TestConcurrentAcceptancesCreateOneTenant(t *testing.T) {
	onEach(t, func(g *guests) {
		i := g.applied()
		var all sync.WaitGroup
		var lock sync.Mutex
		done := 0
		for range 8 {
			all.Go(func() {
				_, err := g.Applicants.AcceptApplication(g.Context(), g.owner(access.Live), i.ID)
				lock.Lock()
				defer lock.Unlock()
				if err == nil {
					done++
				} else if !fault.Is(err, fault.InvalidTransition) {
					g.Error(err)
				}
			})
		}
		all.Wait()
		tenants, err := g.Tenants.Tenants(g.Context(), g.owner(access.Live), portfolio.TenantFilter{
			Query: list.Query{Limit: 100},
		})
		if err != nil || done != 1 || len(tenants.Data) != 1 {
			g.Errorf("%d accepted, %d tenants, %v", done, len(tenants.Data), err)
		}
	})
}

func TestDeclinedApplicantGetsLandlordsMessage(t *testing.T) {
	onEach(t, func(g *guests) {
		i := g.applied()
		_, err := g.Applicants.DeclineApplication(g.Context(), g.owner(access.Live), i.ID, application.DeclineNotice{
			Tell:    true,
			Message: new("Another <b>family</b> was first.\r\nGood luck."),
		})
		g.ok(err)
		if a := g.applicant(i.ID); a.Status() != application.HasDeclined || a.Application.TenantID != nil {
			g.Errorf("%+v", a.Application)
		}
		all := g.emails()
		l := all[len(all)-1]
		text := strings.ReplaceAll(l.Content.Text, "\r\n", "\n")
		if l.To != "sam@example.com" || l.Subject != "Your application for 1420 Maple Avenue, Unit 2B" ||
			!strings.Contains(text, "> Another <b>family</b> was first.\n> Good luck.") ||
			!strings.Contains(
				l.Content.HTML,
				"Another &lt;b&gt;family&lt;/b&gt; was first.",
			) || strings.Contains(l.Content.HTML, "<b>") {
			g.Errorf("%+v\n%s\n%s", l.Entry, text, l.Content.HTML)
		}
		quiet := g.applied()
		before := len(g.emails())
		_, err = g.Applicants.DeclineApplication(g.Context(), g.owner(access.Live), quiet.ID, application.DeclineNotice{
			Message: new("Not sent"),
		})
		if !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "message" {
			g.Errorf("words that nobody is sent: %v", err)
		}
		_, err = g.Applicants.DeclineApplication(
			g.Context(),
			g.owner(access.Live),
			quiet.ID,
			application.DeclineNotice{},
		)
		g.ok(err)
		if n := len(g.emails()); n != before {
			g.Errorf("%d emails, %d before", n, before)
		}
		if err := errOf(g.Applicants.AcceptApplication(
			g.Context(),
			g.owner(access.Live),
			quiet.ID,
		)); !fault.Is(err, fault.InvalidTransition) {
			g.Error(err)
		}
		for _, words := range []string{strings.Repeat("x", 1001), "a\x00b", "a\xffb"} {
			if err := errOf(
				g.Applicants.DeclineApplication(
					g.Context(),
					g.owner(access.Live),
					g.applied().ID,
					application.DeclineNotice{
						Message: new(words),
					},
				),
			); fault.From(err).Param != "message" {
				g.Errorf("%.9q: %v", words, err)
			}
		}
	})
}

func TestInvalidDecisionIsRefusedAndChangesNothing(t *testing.T) {
	onEach(t, func(g *guests) {
		sent, cancelled, applied := g.invites(g.asked()).After, g.invites(g.asked()).After, g.applied()
		_, err := g.Applicants.CancelInvitation(g.Context(), g.owner(access.Live), cancelled.ID)
		g.ok(err)
		foreign, reader := g.owner(access.Test), g.owner(access.Live)
		reader.Scopes = access.Scopes{access.Read}
		before := dbtest.Dump(g.T, g.db, nil)
		for name, c := range map[string]struct {
			by   access.Actor
			id   string
			code fault.Code
		}{
			"an invitation that is open":  {g.owner(access.Live), sent.ID, fault.InvalidTransition},
			"one that was cancelled":      {g.owner(access.Live), cancelled.ID, fault.InvalidTransition},
			"one of another portfolio":    {foreign, applied.ID, fault.NoRecord},
			"one that there is not":       {g.owner(access.Live), "lead_01K9VWT8M7NFR9J6D2C5E8A1B3", fault.NoRecord},
			"one by who may only read it": {reader, applied.ID, fault.ScopeRequired},
		} {
			for _, err := range []error{
				errOf(g.Applicants.AcceptApplication(g.Context(), c.by, c.id)),
				errOf(g.Applicants.DeclineApplication(g.Context(), c.by, c.id, application.DeclineNotice{Tell: true})),
			} {
				if !fault.Is(err, c.code) {
					g.Errorf("%s: %v", name, err)
				}
			}
		}
		for _, id := range []string{cancelled.ID, applied.ID} {
			if err := errOf(
				g.Applicants.CancelInvitation(g.Context(), g.owner(access.Live), id),
			); !fault.Is(
				err,
				fault.InvalidTransition,
			) {
				g.Errorf("cancelled %s: %v", id, err)
			}
		}
		if err := errOf(g.Applicants.CancelInvitation(g.Context(), foreign, sent.ID)); !fault.Is(err, fault.NoRecord) {
			g.Error(err)
		}
		dbtest.Unchanged(g.T, "what was refused", before, dbtest.Dump(g.T, g.db, nil))
	})
}

func TestLandlordCancelsInvitation(t *testing.T) {
	onEach(t, func(g *guests) {
		i := g.invites(g.asked()).After
		made, err := g.Applicants.CancelInvitation(g.Context(), g.owner(access.Live), i.ID)
		g.ok(err)
		if made.Before.Status != application.InvitationSent ||
			made.After.Status != application.InvitationCancelled || made.After.Version != 2 {
			g.Errorf("%+v", made.After)
		}
		if err := g.Applications.Apply(g.Context(), g.token(i), form()); !fault.Is(err, fault.InvalidTransition) {
			g.Error(err)
		}
		if wanted, err := g.Emails.MailWanted(g.Context(), g.home.Live, i.ID, i.Email); err != nil || wanted {
			g.Errorf("its mail is wanted: %v, %v", wanted, err)
		}
	})
}

func TestApplicantsAreListedByStatus(t *testing.T) {
	onEach(t, func(g *guests) {
		by, ids := g.owner(access.Live), map[application.Standing]string{}
		ids["expired"] = g.invites(g.asked()).After.ID
		g.now = g.now.AddDate(0, 0, 31)
		asked := g.asked()
		asked.DesiredMoveInDate = nil
		invite := func() *application.Invitation {
			g.now = g.now.Add(time.Hour) // one recipient gets five an hour
			return g.invites(asked).After
		}
		apply := func() string {
			i, f := invite(), form()
			f.MoveInDate = clock.Day(2027, 1, 1)
			g.ok(g.Applications.Apply(g.Context(), g.token(i), f))
			return i.ID
		}
		_, err := portfoliostore.New(g.db).ExpireInvitations(g.Context(), g.home.Live, clock.At(g.now))
		g.ok(err)
		ids["sent"] = invite().ID
		opened := invite()
		_, err = g.Applications.ApplyPage(g.Context(), g.token(opened))
		g.ok(err)
		ids["opened"] = opened.ID
		ids["to_decide"] = apply()
		ids["accepted"] = apply()
		ids["declined"] = apply()
		ids["cancelled"] = invite().ID
		g.ok(errOf(g.Applicants.AcceptApplication(g.Context(), by, ids["accepted"])))
		g.ok(errOf(g.Applicants.DeclineApplication(g.Context(), by, ids["declined"], application.DeclineNotice{})))
		g.ok(errOf(g.Applicants.CancelInvitation(g.Context(), by, ids["cancelled"])))
		for _, standing := range application.Standing("").Values() {
			all, err := g.Applicants.Applicants(g.Context(), by, application.ApplicantFilter{
				Standing: application.Standing(standing),
				Limit:    10,
			})
			if err != nil || len(all) != 1 || all[0].Invitation.ID != ids[application.Standing(standing)] ||
				all[0].Status() != application.Standing(standing) ||
				all[0].Address() != "1420 Maple Avenue, Unit 2B, Austin, TX 78701" {
				g.Errorf("%s: %v, %v", standing, all, err)
			}
		}
		list := func(ascending bool) (read []string) {
			for before := ""; ; before = read[len(read)-1] {
				page, err := g.Applicants.Applicants(g.Context(), by, application.ApplicantFilter{
					Before:    before,
					Ascending: ascending,
					Limit:     3,
				})
				g.ok(err)
				for i := range page {
					read = append(read, page[i].Invitation.ID)
				}
				if len(page) < 3 {
					return read
				}
			}
		}
		newest, oldest := list(false), list(true)
		if len(newest) != 7 || newest[0] != ids["cancelled"] || newest[6] != ids["expired"] {
			g.Errorf("%v", newest)
		}
		if slices.Reverse(oldest); !slices.Equal(oldest, newest) {
			g.Errorf("the oldest first are %v, the newest first %v", oldest, newest)
		}
		other, err := g.Applicants.Applicants(g.Context(), g.owner(access.Test), application.ApplicantFilter{Limit: 10})
		if err != nil || len(other) != 0 {
			g.Errorf("another portfolio has %v, %v", other, err)
		}
	})
}
