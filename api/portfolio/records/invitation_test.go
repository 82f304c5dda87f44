package records_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/property/verification"
	"portal/api/portfolio/records"
	"portal/api/secret"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/db/reportstore"
)

// guests is a landlord who invites, on a day that a test can move. Mail is kept.
type guests struct {
	*testing.T
	*records.Service
	*application.Services
	Verifications *verification.Verifications
	Reports       *report.Reports
	db            *db.DB
	home          dbtest.Home
	post          *mail.Service
	now           time.Time
}

// onEach runs a test on a store of each kind.
func onEach(t *testing.T, test func(*guests)) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) { test(newGuests(t, d)) })
}

func newGuests(t *testing.T, d *db.DB) *guests {
	t.Helper()
	return newGuestsOf(t, d, "dana")
}

// newGuestsOf are those of a landlord with a name, of whom a database has several.
func newGuestsOf(t *testing.T, d *db.DB, landlord string) *guests {
	t.Helper()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	g := &guests{
		T:    t,
		db:   d,
		home: dbtest.NewHome(t, d, landlord),
		now:  dbtest.Noon().Std(),
	}
	clock := func() time.Time { return g.now }
	g.post = mail.New(mail.Config{Store: mailstore.New(d), Box: box, Now: clock})
	g.Service = records.New(portfoliostore.New(d), clock).Use(portfolio.Parts{
		BaseURL: "https://portal.example.com/",
		Post:    g.post,
	})
	g.Service.Documents = agreement.New(g.Service, portfoliostore.New(d), box)
	g.Services = application.New(g.Service, portfoliostore.New(d))
	g.Verifications = verification.New(g.Service, portfoliostore.New(d))
	g.Reports = report.New(g.Service, reportstore.New(d))
	return g
}

func (g *guests) ok(err error) {
	g.Helper()
	if err != nil {
		g.Fatal(err)
	}
}

func (g *guests) owner(mode access.Mode) access.Actor {
	in := map[access.Mode]access.Portfolio{access.Live: g.home.Live, access.Test: g.home.Test}[mode]
	chicago, err := time.LoadLocation("America/Chicago")
	g.ok(err)
	return access.Actor{
		Portfolio: in,
		AccountID: g.home.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write},
		Role:      access.Owner,
		Zone:      chicago,
	}
}

// asked is an invitation with every field.
func (g *guests) asked() application.TenantInvite {
	return application.TenantInvite{
		UnitID:            g.home.Unit[access.Live].ID,
		Email:             "Sam.Rivera@example.com",
		FirstName:         new("Sam"),
		LastName:          new("Rivera"),
		Phone:             new("+15125550142"),
		Message:           new("It was good to meet you.\nCall me."),
		DesiredMoveInDate: new(clock.Day(2026, 12, 1)),
		OfferedRent:       new(money.Cents(139950)),
	}
}

func (g *guests) invites(in application.TenantInvite) *change.Result[application.Invitation] {
	g.Helper()
	made, err := g.Invitations.InviteTenant(g.Context(), g.owner(access.Live), in)
	g.ok(err)
	return made
}

// token is the secret of an invitation's link.
func (g *guests) token(i *application.Invitation) string {
	g.Helper()
	token, found := strings.CutPrefix(*i.ApplyURL, "https://portal.example.com/apply/")
	if !found || len(token) != 43 {
		g.Fatalf("the link is %s", *i.ApplyURL)
	}
	return token
}

// emails are the mails so far, the oldest first.
func (g *guests) emails() []*mail.StoredMail {
	g.Helper()
	mails, err := g.post.Mails(g.Context(), mail.Filter{Limit: 1000})
	g.ok(err)
	var all []*mail.StoredMail
	for _, m := range slices.Backward(mails) {
		l, err := g.post.Mail(g.Context(), m.ID)
		g.ok(err)
		all = append(all, l)
	}
	return all
}

func (g *guests) reads(id string) application.Invitation {
	g.Helper()
	i, err := portfoliostore.New(g.db).Invitation(g.Context(), g.home.Live, id)
	g.ok(err)
	return i
}

func (g *guests) warned(m *change.Result[application.Invitation], want ...string) {
	g.Helper()
	var got []string
	for _, w := range m.Warnings {
		got = append(got, w.Code)
	}
	if !slices.Equal(got, want) {
		g.Errorf("warnings %v, want %v", got, want)
	}
}

func TestInvitationCreatesLeadLinkAndEmail(t *testing.T) {
	onEach(t, func(g *guests) {
		made := g.invites(g.asked())
		i := made.After
		if made.Before != nil || i.Status != application.InvitationSent ||
			i.EmailStatus != application.EmailQueued || i.Version != 1 ||
			i.ExpiresAt.Std() !=
				g.now.AddDate(0, 0, 30) || i.PropertyID !=
			g.home.Unit[access.Live].PropertyID || !id.Valid(id.Invitation, i.ID) {
			g.Errorf("%+v", i)
		}
		g.warned(made)
		stored := g.reads(i.ID)
		stored.ApplyURL = i.ApplyURL
		got, _ := json.Marshal(stored)
		want, _ := json.Marshal(i)
		if string(got) != string(want) {
			g.Errorf("answered %s\nstored %s", want, got)
		}
		emails := g.emails()
		if len(emails) != 1 {
			g.Fatalf("%d emails", len(emails))
		}
		l := emails[0]
		if l.Content.To != "Sam.Rivera@example.com" ||
			l.Subject != "Apply now: 1420 Maple Avenue, Unit 2B" || *l.About != i.ID || l.Status != mail.Kept ||
			!strings.HasPrefix(l.Content.Unsubscribe, "https://portal.example.com/mail/unsubscribe/") {
			g.Errorf("%+v %+v", l.Entry, l.Content)
		}
		for part, text := range map[string]string{"text": l.Content.Text, "html": l.Content.HTML} {
			for _, want := range []string{
				"Hello Sam,", "dana invites you to apply for",
				"1420 Maple Avenue, Unit 2B, Austin, TX 78701", "$1,399.50",
				"Tuesday, December 1, 2026", "It was good to meet you.", "Call me.",
				"dana writes:", *i.ApplyURL, "Saturday, December 12, 2026", l.Content.Unsubscribe,
			} {
				if !strings.Contains(text, want) {
					g.Errorf("the %s part does not say %q:\n%s", part, want, text)
				}
			}
		}
	})
}

func TestInvitationNeedsOnlyUnitAndEmail(t *testing.T) {
	onEach(t, func(g *guests) {
		i := g.invites(application.TenantInvite{UnitID: g.home.Unit[access.Live].ID, Email: "sam@example.com"}).After
		text := g.emails()[0].Content.Text
		if !strings.HasPrefix(
			text,
			"Hello,\n\ndana invites you to apply for\n\n    1420 Maple Avenue, Unit 2B, Austin, TX 78701\n\nApply "+
				"here.",
		) {
			g.Errorf("the email is\n%s", text)
		}
		if i.FirstName != nil || i.Message != nil || i.OfferedRent != nil {
			g.Errorf("%+v", i)
		}
	})
}

func TestInvalidInvitationIsRefusedWithReason(t *testing.T) {
	onEach(t, func(g *guests) {
		foreign := dbtest.NewHome(g.T, g.db, "robin").Unit[access.Live].ID
		reader := g.owner(access.Live)
		reader.Scopes = access.Scopes{access.Read}
		for name, c := range map[string]struct {
			by     access.Actor
			change func(*application.TenantInvite)
			code   fault.Code
			param  string
		}{
			"a key that only reads": {reader, func(*application.TenantInvite) {}, fault.ScopeRequired, ""},
			"no unit": {
				g.owner(access.Live),
				func(i *application.TenantInvite) { i.UnitID = id.New(id.Unit, g.now) },
				fault.NoRecord,
				"unit_id",
			},
			"no id": {
				g.owner(access.Live),
				func(i *application.TenantInvite) { i.UnitID = "2B" },
				fault.NoRecord,
				"unit_id",
			},
			"another's unit": {
				g.owner(access.Live),
				func(i *application.TenantInvite) { i.UnitID = foreign },
				fault.NoRecord,
				"unit_id",
			},
			"a unit of the other mode": {
				g.owner(access.Test),
				func(*application.TenantInvite) {},
				fault.NoRecord,
				"unit_id",
			},
			"a move in the past": {
				g.owner(access.Live),
				func(i *application.TenantInvite) { i.DesiredMoveInDate = new(clock.Day(2026, 11, 11)) },
				fault.InvalidField,
				"desired_move_in_date",
			},
			"the past before the unit": {
				g.owner(access.Live),
				func(i *application.TenantInvite) {
					i.DesiredMoveInDate = new(clock.Day(2026, 11, 11))
					i.UnitID = "2B"
				},
				fault.InvalidField,
				"desired_move_in_date",
			},
			"the scope before the past": {
				reader,
				func(i *application.TenantInvite) { i.DesiredMoveInDate = new(clock.Day(2026, 11, 11)) },
				fault.ScopeRequired,
				"",
			},
		} {
			in := g.asked()
			c.change(&in)
			_, err := g.Invitations.InviteTenant(g.Context(), c.by, in)
			if f := fault.From(err); f.Code != c.code || f.Param != c.param {
				g.Errorf("%s: %v at %q", name, err, f.Param)
			}
			if c.code == fault.NoRecord && fault.From(err).Message != fault.NotFound("unit").Message {
				g.Errorf("%s is told apart: %v", name, err)
			}
		}
		if len(g.emails()) != 0 {
			g.Error("an email was sent")
		}
		in := g.asked()
		in.DesiredMoveInDate = new(clock.Day(2026, 11, 12)) // today
		g.invites(in)
	})
}

func TestInvitationWarnings(t *testing.T) {
	onEach(t, func(g *guests) {
		u := g.home.Unit[access.Live]
		u.Status = portfolio.UnitOccupied
		g.ok(portfoliostore.New(g.db).SaveUnit(g.Context(), g.home.Live, &u))
		g.warned(g.invites(g.asked()), "unit_not_vacant")
		in := g.asked()
		in.Email = strings.ToLower(in.Email)
		g.warned(g.invites(in), "unit_not_vacant", "already_invited")
		g.ok(portfoliostore.New(g.db).Unsubscribe(g.Context(), g.home.Live, in.Email, 1))
		made := g.invites(g.asked())
		g.warned(made, "unit_not_vacant", "already_invited", "recipient_unsubscribed")
		if made.After.EmailStatus != application.EmailFailed || made.After.ApplyURL == nil ||
			len(g.emails()) != 2 || g.reads(made.After.ID).EmailStatus != application.EmailFailed {
			g.Errorf("%+v, %d emails", made.After, len(g.emails()))
		}
		g.now = g.now.AddDate(0, 0, 31)
		in = g.asked()
		in.DesiredMoveInDate = nil
		g.warned(g.invites(in), "unit_not_vacant", "recipient_unsubscribed")
	})
}

func TestInvitationDryRunLeavesNothing(t *testing.T) {
	onEach(t, func(g *guests) {
		undo := errors.New("only a preview")
		var made *change.Result[application.Invitation]
		err := g.db.Atomically(change.WithDryRun(g.Context()), func(ctx context.Context) (err error) {
			if made, err = g.Invitations.InviteTenant(ctx, g.owner(access.Live), g.asked()); err != nil {
				return err
			}
			return undo
		})
		if !errors.Is(err, undo) {
			g.Fatal(err)
		}
		if made.After.ApplyURL != nil || made.After.EmailStatus != application.EmailQueued ||
			made.After.Status != application.InvitationSent {
			g.Errorf("%+v", made.After)
		}
		if _, err := portfoliostore.New(g.db).Invitation(
			g.Context(),
			g.home.Live,
			made.After.ID,
		); !fault.Is(err, fault.NoRecord) ||
			len(g.emails()) != 0 {
			g.Errorf("%v, %d emails", err, len(g.emails()))
		}
	})
}

func TestApplyLinkIsMarkedOpenedOnceAndStaysReadable(t *testing.T) {
	onEach(t, func(g *guests) {
		i := g.invites(g.asked()).After
		token := g.token(i)
		look, err := g.Applications.Lead(g.Context(), token)
		g.ok(err)
		if look.Invitation.Status != application.InvitationSent {
			g.Errorf("a look opened it: %s", look.Invitation.Status)
		}
		for range 3 {
			l, err := g.Applications.ApplyPage(g.Context(), token)
			g.ok(err)
			if l.Invitation.Status != application.InvitationOpened || l.Invitation.Version != 2 ||
				l.Landlord.Name != "dana" || l.Unit.UnitNumber != "2B" || l.Property.City != "Austin" {
				g.Errorf("%+v", l)
			}
		}
		for _, wrong := range []string{"", "x", token[:42], token + "A", i.ID, strings.ToUpper(token)} {
			if _, err := g.Applications.ApplyPage(g.Context(), wrong); !fault.Is(err, fault.NoRecord) {
				g.Errorf("%q: %v", wrong, err)
			}
		}
	})
}

func TestInvitationExpires(t *testing.T) {
	onEach(t, func(g *guests) {
		i := g.invites(g.asked()).After
		token := g.token(i)
		g.now = g.now.AddDate(0, 0, 30).Add(-time.Millisecond)
		l, err := g.Applications.ApplyPage(g.Context(), token)
		g.ok(err)
		if l.Invitation.Status != application.InvitationOpened {
			g.Errorf("before its end it is %s", l.Invitation.Status)
		}
		g.now = g.now.Add(time.Millisecond)
		l, err = g.Applications.ApplyPage(g.Context(), token)
		g.ok(err)
		if l.Invitation.Status != application.InvitationExpired ||
			g.reads(i.ID).Status != application.InvitationOpened {
			g.Errorf("at its end it is %s, stored as %s", l.Invitation.Status, g.reads(i.ID).Status)
		}
		if err := g.Applications.Apply(g.Context(), token, form()); !fault.Is(err, fault.InvalidTransition) {
			g.Errorf("an application: %v", err)
		}
		for range 2 {
			g.ok(g.Calendar.RollOver(g.Context(), g.home.Live, time.UTC))
		}
		if got := g.reads(i.ID); got.Status != application.InvitationExpired || got.Version != 3 {
			g.Errorf("after the turn: %+v", got)
		}
	})
}

func TestUnsubscribingStopsInvitationsFromOneLandlord(t *testing.T) {
	onEach(t, func(g *guests) {
		g.invites(g.asked())
		token := strings.TrimPrefix(g.emails()[0].Content.Unsubscribe, "https://portal.example.com/mail/unsubscribe/")
		for n := range 3 {
			landlord, stopped, err := g.Emails.Unsubscribing(g.Context(), token)
			g.ok(err)
			if landlord != "dana" || stopped != (n > 0) {
				g.Errorf("%s, stopped %v", landlord, stopped)
			}
			g.ok(g.Emails.Unsubscribe(g.Context(), token))
		}
		g.warned(g.invites(g.asked()), "already_invited", "recipient_unsubscribed")
		if len(g.emails()) != 1 {
			g.Errorf("%d emails", len(g.emails()))
		}
		if err := g.Emails.Unsubscribe(g.Context(), "x"); !fault.Is(err, fault.NoRecord) {
			g.Error(err)
		}
		other := dbtest.NewHome(g.T, g.db, "robin")
		by := g.owner(access.Live)
		by.Portfolio = other.Live
		in := g.asked()
		in.UnitID = other.Unit[access.Live].ID
		made, err := g.Invitations.InviteTenant(g.Context(), by, in)
		g.ok(err)
		g.warned(made)
	})
}

func TestEmailStatusUpdatesOnlyItsInvitation(t *testing.T) {
	onEach(t, func(g *guests) {
		i := g.invites(g.asked()).After
		for _, about := range []string{"", "tkt_1", id.New(id.Invitation, g.now), id.New(id.Lease, g.now)} {
			g.ok(g.Emails.MailFollowed(g.Context(), g.home.Live, about, mail.Followed{Status: mail.Sent}))
		}
		if got := g.reads(i.ID); got.Version != 1 {
			g.Errorf("%+v", got)
		}
		for n, c := range []struct {
			status mail.Status
			want   application.EmailStatus
		}{{mail.Sent, application.EmailSent}, {mail.Failed, application.EmailFailed}} {
			g.ok(g.Emails.MailFollowed(g.Context(), g.home.Live, i.ID, mail.Followed{Status: c.status}))
			if got := g.reads(i.ID); got.EmailStatus != c.want || got.Version != int64(n+2) {
				g.Errorf("%+v", got)
			}
		}
	})
}

func TestInvitationFailsWithoutMailer(t *testing.T) {
	onEach(t, func(g *guests) {
		g.Use(portfolio.Parts{})
		if _, err := g.Invitations.InviteTenant(g.Context(), g.owner(access.Live), g.asked()); err == nil ||
			!strings.Contains(err.Error(), "no post") {
			g.Error(err)
		}
		if open, err := portfoliostore.New(g.db).Invited(
			g.Context(),
			g.home.Live,
			g.asked().UnitID,
			g.asked().Email,
			0,
		); open ||
			err != nil {
			g.Errorf("the lead is left: %v", err)
		}
	})
}

// What people write stays theirs: it ends no header, draws no element and is marked
// as their words.
func TestUserTextIsEscapedInEmails(t *testing.T) {
	onEach(t, func(g *guests) {
		const evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{.Landlord}}\r\nBcc: all@example.com"
		in := g.asked()
		in.FirstName, in.Message = new(evil), new(evil+"\nApply here: https://evil.example.com")
		i := g.invites(in).After
		f := form()
		f.FirstName, f.Pets, f.Notes = "<b>Sam</b>", new(evil), new(evil)
		g.ok(g.Applications.Apply(g.Context(), g.token(i), f))
		for _, l := range g.emails() {
			for _, header := range []string{l.Subject, l.Content.Subject, l.Content.To, l.Content.Unsubscribe} {
				if strings.ContainsAny(header, "\r\n\x00") {
					g.Errorf("a header is %q", header)
				}
			}
			doc, err := html.Parse(strings.NewReader(l.Content.HTML))
			g.ok(err)
			for n := range doc.Descendants() {
				if n.Type == html.ElementNode && slices.Contains([]string{"script", "img", "b"}, n.Data) {
					g.Errorf("drawn: %s in\n%s", n.Data, l.Content.HTML)
				}
			}
			if strings.Contains(l.Content.HTML, "&amp;lt;") {
				g.Error("escaped twice")
			}
		}
		if text := g.emails()[0].Content.Text; !strings.Contains(text, "\n> Apply here: https://evil.example.com\n") {
			g.Errorf("their words are not marked:\n%s", text)
		}
	})
}

func TestFiftyConcurrentFormsCreateOneApplicationAndEmail(t *testing.T) {
	onEach(t, func(g *guests) {
		i := g.invites(g.asked()).After
		token := g.token(i)
		outcomes := make([]error, 50)
		var all sync.WaitGroup
		for n := range outcomes {
			all.Go(func() {
				f := form()
				f.LastName = fmt.Sprint("Rivera ", n)
				outcomes[n] = g.Applications.Apply(g.Context(), token, f)
			})
		}
		all.Wait()
		winner := -1
		for n, err := range outcomes {
			switch {
			case err == nil && winner < 0:
				winner = n
			case err == nil:
				g.Error("a second one was taken")
			case !fault.Is(err, fault.InvalidTransition):
				g.Error(err)
			}
		}
		a, err := portfoliostore.New(g.db).Application(g.Context(), g.home.Live, i.ID)
		g.ok(err)
		if a.LastName != fmt.Sprint("Rivera ", winner) || len(g.emails()) != 2 {
			g.Errorf("%s applied, %d emails", a.LastName, len(g.emails()))
		}
	})
}

func TestInvitationsPerRecipientAreLimitedToFiveAnHour(t *testing.T) {
	onEach(t, func(g *guests) {
		again := func() error {
			in := g.asked()
			_, err := g.Invitations.InviteTenant(g.Context(), g.owner(access.Live), in)
			return err
		}
		preview := func() error {
			undo := errors.New("only a preview")
			return g.db.Atomically(change.WithDryRun(g.Context()), func(ctx context.Context) error {
				if _, err := g.Invitations.InviteTenant(ctx, g.owner(access.Live), g.asked()); err != nil {
					return err
				}
				return undo
			})
		}
		if err := preview(); fault.Is(err, fault.RateLimited) {
			g.Error(err)
		}
		outcomes := make([]error, 20)
		var all sync.WaitGroup
		for n := range outcomes {
			all.Go(func() { outcomes[n] = again() })
		}
		all.Wait()
		done := 0
		for _, err := range outcomes {
			if err == nil {
				done++
			} else if f := fault.From(err); f.Code != fault.RateLimited || f.Retry != 3600 || f.Param != "" ||
				f.Message !=
					"This portfolio has sent 5 emails to Sam.Rivera@example.com within an hour, the most that one "+
						"recipient gets. Wait until Retry-After is over." {
				g.Errorf("%+v", f)
			}
		}
		if emails := len(g.emails()); done != 5 || emails != 5 {
			g.Fatalf("%d invitations, %d emails", done, emails)
		}
		if err := preview(); !fault.Is(err, fault.RateLimited) { // what the commit refuses, the preview refuses
			g.Error(err)
		}
		other := g.asked()
		other.Email = "sam@example.com"
		g.invites(other)
		inTest := g.asked()
		inTest.UnitID = g.home.Unit[access.Test].ID
		for n := range 6 { // a portfolio of its own, whose mail is kept, counts alike
			if _, err := g.Invitations.InviteTenant(
				g.Context(),
				g.owner(access.Test),
				inTest,
			); fault.Is(err, fault.RateLimited) != (n == 5) {
				g.Errorf("the %d. in test mode: %v", n+1, err)
			}
		}
		g.now = g.now.Add(time.Hour - time.Millisecond)
		if err := again(); !fault.Is(err, fault.RateLimited) {
			g.Error(err)
		}
		g.now = g.now.Add(time.Millisecond)
		g.ok(again())
	})
}
