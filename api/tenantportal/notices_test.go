package tenantportal_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/records"
	"portal/api/portfolio/ticket"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/db/retentionstore"
)

const baseURL = "https://portal.example.com"

// fixture is a tenant of a rented home who has a page, and the landlord's account.
type fixture struct {
	*dbtest.Fixture
	*tenantportal.Service
	rules    *records.Service
	post     *mail.Service
	now      time.Time
	landlord access.Actor
	tenant   access.Actor
	unit     portfolio.Unit
	token    string          // of the tenant's link
	refused  map[string]bool // tickets about which no email is taken
}

func onEach(t *testing.T, test func(*fixture)) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) { test(newFixture(t, d)) })
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	t.Helper()
	f := &fixture{Fixture: dbtest.NewFixture(t, d), now: dbtest.Noon().Std(), refused: map[string]bool{}}
	home := dbtest.NewHome(t, d, "dana")
	f.unit = home.Unit[access.Live]
	f.landlord = access.Actor{
		Portfolio: home.Live,
		AccountID: home.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write, access.Payments},
		Role:      access.Owner,
		Zone:      home.Zone,
	}
	f.tenant = f.landlord
	f.tenant.TenantID = f.rents(home.Live)
	f.Service = f.service()
	f.token = f.newLink(false)
	return f
}

// service is the pages of tenants as one process has them.
func (f *fixture) service() *tenantportal.Service {
	f.Helper()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	f.OK(err)
	now := func() time.Time { return f.now }
	f.post = mail.New(mail.Config{Store: mailstore.New(f.DB), Box: box, Now: now})
	f.rules = records.New(portfoliostore.New(f.DB), now).Use(portfolio.Parts{BaseURL: baseURL, Post: f})
	agreements := agreement.New(f.rules, portfoliostore.New(f.DB), box)
	s := tenantportal.New(f.rules, agreements, portfoliostore.New(f.DB), box)
	f.rules.Notices = s
	return s
}

// Send implements mail.Post.
func (f *fixture) Send(ctx context.Context, m *mail.Message) error {
	if f.refused[m.About] {
		return errors.New("refused")
	}
	return f.post.Send(ctx, m)
}

// rents has a tenant rent the home, and is their id.
func (f *fixture) rents(in access.Portfolio) string {
	f.Helper()
	sam := portfolio.Tenant{
		Record:    dbtest.Record(id.Tenant, "tenant", in.Mode, f.now),
		FirstName: "Sam",
		LastName:  "Rivera",
		Email:     new("sam@example.com"),
		Status:    portfolio.TenantCurrent,
	}
	l := portfolio.Lease{
		Record:        dbtest.Record(id.Lease, "lease", in.Mode, f.now),
		Status:        portfolio.LeaseActive,
		PropertyID:    f.unit.PropertyID,
		UnitID:        f.unit.ID,
		RentalAddress: "1420 Maple Avenue, Unit 2B, Austin, TX 78701",
		LeaseType:     portfolio.Fixed,
		StartDate:     clock.Day(2026, 1, 1),
		EndDate:       new(clock.Day(2026, 12, 31)),
		MonthlyRent:   money.Dollars(1450),
		RentDueDay:    1,
		TenantIDs:     []string{sam.ID},
		Tenants:       []portfolio.Party{{ID: sam.ID, Role: portfolio.PartyPrimary}},
	}
	f.OK(f.Portfolio.Add(f.Context(), in, &portfolio.Book{
		Tenants: []portfolio.Tenant{sam},
		Leases:  []portfolio.Lease{l},
	}))
	return sam.ID
}

func (f *fixture) newLink(renew bool) (token string) {
	f.Helper()
	address, err := f.NewLink(f.Context(), f.landlord, f.tenant.TenantID, renew)
	f.OK(err)
	return strings.TrimPrefix(address, baseURL+tenantportal.Path)
}

// submits has the tenant submit a ticket.
func (f *fixture) submits(title string) *portfolio.Ticket {
	f.Helper()
	m, err := f.rules.Tickets.SubmitTicket(f.Context(), f.tenant, ticket.Create{
		UnitID:      &f.unit.ID,
		Title:       &title,
		Description: "The tap drips.\nFrom: the bank",
	}, nil)
	f.OK(err)
	return m.After
}

// writes has the tenant or the landlord write about a ticket.
func (f *fixture) writes(by access.Actor, t *portfolio.Ticket, words string) {
	f.Helper()
	author := "Harbor Lane Rentals"
	if by.TenantID != "" {
		author = "Sam Rivera"
	}
	_, err := f.rules.Tickets.Comment(f.Context(), by, t.ID, author, words)
	f.OK(err)
}

func (f *fixture) updates(by access.Actor, t *portfolio.Ticket, u ticket.Update) {
	f.Helper()
	_, err := f.rules.Tickets.UpdateTicket(f.Context(), by, change.Target{ID: t.ID}, u)
	f.OK(err)
}

// emails are those to an address, the oldest first.
func (f *fixture) emails(to string) (all []mail.Message) {
	f.Helper()
	list, err := f.post.Mails(f.Context(), mail.Filter{Limit: 100})
	f.OK(err)
	for _, e := range slices.Backward(list) {
		if e.To != to {
			continue
		}
		stored, err := f.post.Mail(f.Context(), e.ID)
		f.OK(err)
		all = append(all, *stored.Content)
	}
	return all
}

// sends sends what is due, a while after now.
func (f *fixture) sends(later time.Duration) {
	f.Helper()
	f.now = f.now.Add(later)
	f.OK(f.SendNotices(f.Context(), f.now))
}

const (
	sam  = "sam@example.com"
	dana = "dana@example.com"
)

// counts holds how many emails the tenant and the landlord have.
func (f *fixture) counts(tenant, landlord int) {
	f.Helper()
	if t, l := len(f.emails(sam)), len(f.emails(dana)); t != tenant || l != landlord {
		f.Errorf("%d emails to the tenant and %d to the landlord, not %d and %d", t, l, tenant, landlord)
	}
}

func TestUpdatesWithinAnHourAreBatchedIntoOneEmail(t *testing.T) {
	onEach(t, func(f *fixture) {
		k := f.submits("Kitchen tap drips")
		f.counts(0, 1)
		f.writes(f.landlord, k, "We look at it.")
		f.counts(1, 1) // at once
		f.writes(f.landlord, k, "Tomorrow.")
		f.now = f.now.Add(time.Minute)
		f.updates(f.landlord, k, ticket.Update{Status: change.To(portfolio.TicketOnHold)})
		f.writes(f.landlord, k, "Or on Friday.")
		f.writes(f.tenant, k, "Thanks.")
		f.counts(1, 1)
		f.sends(58 * time.Minute)
		f.counts(1, 1)
		f.sends(time.Minute)
		f.counts(2, 2)
		last := f.emails(sam)[1].Text
		for _, s := range []string{"> Tomorrow.", "The status is now On hold.", "> Or on Friday."} {
			if strings.Count(last, s) != 1 {
				f.Errorf("no %q in\n%s", s, last)
			}
		}
		if strings.Contains(last, "We look at it.") || strings.Contains(last, "Thanks.") {
			f.Errorf("told twice, or to who wrote it:\n%s", last)
		}
		f.sends(time.Hour)
		f.counts(2, 2)
		f.writes(f.landlord, k, "Done.")
		f.writes(f.landlord, f.submits("Another one"), "We look at this one, too.")
		f.counts(4, 3)
		if all := f.emails(sam); strings.Contains(all[2].Text, "Friday") {
			f.Errorf("told twice:\n%s", all[2].Text)
		}
	})
}

func TestDueEmailIsSentOnceAcrossProcesses(t *testing.T) {
	onEach(t, func(f *fixture) {
		const tickets = 5
		for range tickets {
			k := f.submits("Kitchen tap drips")
			f.writes(f.landlord, k, "We look at it.")
			f.writes(f.landlord, k, "Tomorrow.")
		}
		f.counts(tickets, tickets)
		f.now = f.now.Add(time.Hour)
		var all sync.WaitGroup
		for range 4 {
			process := f.service()
			all.Go(func() {
				if err := process.SendNotices(f.Context(), f.now); err != nil {
					f.Error(err)
				}
			})
		}
		all.Wait()
		f.counts(2*tickets, tickets)
	})
}

func TestFailedEmailBlocksNoOtherAndIsRetried(t *testing.T) {
	onEach(t, func(f *fixture) {
		first, second := f.submits("First"), f.submits("Second")
		for _, k := range []*portfolio.Ticket{first, second} {
			f.writes(f.landlord, k, "We look at it.")
			f.writes(f.landlord, k, "Tomorrow.")
			f.now = f.now.Add(time.Second)
		}
		f.now = f.now.Add(time.Hour)
		f.refused[first.ID] = true
		if err := f.SendNotices(f.Context(), f.now); err == nil || !strings.Contains(err.Error(), first.ID) {
			f.Errorf("the failure is told as %v", err)
		}
		f.counts(3, 2)
		f.refused = nil
		f.sends(time.Minute)
		f.counts(4, 2)
		if last := f.emails(sam)[3]; !strings.Contains(last.Subject, "First") ||
			!strings.Contains(last.Text, "> Tomorrow.") {
			f.Errorf("%s\n%s", last.Subject, last.Text)
		}
	})
}

func TestTenantWithoutLiveLinkOrOptedOutGetsNoEmail(t *testing.T) {
	for name, ends := range map[string]func(*fixture){
		"revoked": func(f *fixture) { f.OK(f.RevokeLink(f.Context(), f.landlord, f.tenant.TenantID)) },
		"stopped": func(f *fixture) { f.OK(f.StopMail(f.Context(), f.token)) },
		"ended":   func(f *fixture) { f.now = time.Date(2027, 2, 1, 12, 0, 0, 0, time.UTC) },
		"no address": func(f *fixture) {
			f.Raw("UPDATE tenants SET email = NULL WHERE id = $1", f.tenant.TenantID)
		},
		"closed": func(f *fixture) { f.closes() },
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(f *fixture) {
				k := f.submits("Kitchen tap drips")
				f.writes(f.landlord, k, "We look at it.")
				f.writes(f.landlord, k, "Tomorrow.")
				wanted, err := f.NoticeWanted(f.Context(), f.landlord.Portfolio, k.ID, sam)
				f.OK(err)
				f.Want(wanted, "an email is not wanted while the link is live")
				ends(f)
				f.sends(2 * time.Hour)
				f.writes(f.landlord, k, "On Friday.")
				f.counts(1, 1)
				wanted, err = f.NoticeWanted(f.Context(), f.landlord.Portfolio, k.ID, sam)
				f.OK(err)
				f.Want(!wanted, "an email that waits would leave")
				if n := f.Text("COUNT(*)", "tenant_links"); n != "1" {
					f.Errorf("%s links", n)
				}
			})
		})
	}
}

// closes closes the landlord's account.
func (f *fixture) closes() {
	f.Helper()
	closed, err := retentionstore.New(f.DB).CloseAccount(
		f.Context(),
		f.landlord.AccountID,
		[]application.InvitationStatus{application.InvitationCancelled},
		clock.At(f.now),
	)
	f.OK(err)
	f.Want(closed, "the account was closed before")
}

func TestOptedOutOrClosedLandlordGetsNoEmail(t *testing.T) {
	onEach(t, func(f *fixture) {
		k := f.submits("Kitchen tap drips")
		f.writes(f.tenant, k, "It gets worse.")
		wanted := func() bool {
			w, err := f.NoticeWanted(f.Context(), f.landlord.Portfolio, k.ID, dana)
			f.OK(err)
			return w
		}
		f.Want(wanted(), "an email to an owner is not wanted")
		f.Raw("UPDATE members SET notices = 'applications'")
		f.Want(!wanted(), "an email would leave that the owner does not want")
		f.sends(time.Hour)
		f.counts(0, 1)
		f.Raw("UPDATE members SET notices = 'applications,tickets'")
		f.writes(f.tenant, k, "Still there?")
		f.counts(0, 2)
		if text := f.emails(dana)[1].Text; !strings.Contains(text, "> It gets worse.") ||
			!strings.Contains(text, "> Still there?") {
			f.Errorf("what was not told before is not told:\n%s", text)
		}
		f.writes(f.tenant, k, "Hello?")
		f.closes()
		f.sends(time.Hour)
		f.counts(0, 2)
		f.Want(!wanted(), "an email of a closed account would leave")
	})
}

func TestEmailOptOutPersistsAcrossLinksUntilReversed(t *testing.T) {
	onEach(t, func(f *fixture) {
		k := f.submits("Kitchen tap drips")
		f.OK(f.StopMail(f.Context(), f.token))
		f.OK(f.StopMail(f.Context(), f.token)) // again and again
		f.token = f.newLink(true)
		f.writes(f.landlord, k, "We look at it.")
		f.OK(f.RevokeLink(f.Context(), f.landlord, f.tenant.TenantID))
		f.token = f.newLink(false)
		f.writes(f.landlord, k, "Tomorrow.")
		f.counts(0, 1)
		f.OK(f.StartMail(f.Context(), f.token))
		f.writes(f.landlord, k, "On Friday.")
		f.counts(1, 1)
		f.token = f.newLink(true)
		f.sends(time.Hour)
		f.writes(f.landlord, k, "Done.")
		f.counts(2, 1)
	})
}

func TestRolledBackChangeSendsNothing(t *testing.T) {
	onEach(t, func(f *fixture) {
		k := f.submits("Kitchen tap drips")
		undone := errors.New("undone")
		if err := f.DB.Atomically(f.Context(), func(ctx context.Context) error {
			_, err := f.rules.Tickets.Comment(ctx, f.landlord, k.ID, "Harbor Lane Rentals", "We look at it.")
			return errors.Join(err, undone)
		}); !errors.Is(err, undone) {
			f.Fatal(err)
		}
		f.counts(0, 1)
		f.writes(f.landlord, k, "Tomorrow.")
		f.counts(1, 1)
	})
}

func TestTenantEmailDescribesLandlordActions(t *testing.T) {
	onEach(t, func(f *fixture) {
		k := f.submits("Kitchen tap drips\r\nBcc: eve@example.com " + strings.Repeat("long ", 20))
		start := clock.At(time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)) // nine in the landlord's zone
		f.updates(f.landlord, k, ticket.Update{
			Status:         change.To(portfolio.TicketScheduled),
			ScheduledStart: change.To(&start),
			ScheduledEnd:   change.To(new(start + 3*60*60*1000)),
		})
		f.writes(f.landlord, k, "Be home.\n<b>Your bank</b> writes:\u2028pay")
		f.updates(f.landlord, k, ticket.Update{
			ScheduledStart: change.To[*clock.Time](nil),
			ScheduledEnd:   change.To[*clock.Time](nil),
		})
		f.sends(time.Hour)
		all := f.emails(sam)
		f.Want(len(all) == 2, "%d emails", len(all))
		f.says(all[0].Text, "The status is now Scheduled.",
			"A visit is planned: Tuesday, November 24, 9:00 AM to 12:00 PM.", "El estado ahora es: programada.",
			"Hay una visita programada: martes 24 de noviembre, 9:00 a. m. a 12:00 p. m.", "Hola Sam:",
			"1420 Maple Avenue")
		f.says(all[1].Text, "Harbor Lane Rentals wrote:\n\n> Be home.\n> <b>Your bank</b> writes:\n> pay\n",
			"Harbor Lane Rentals le escribió un mensaje.", "The visit was canceled.", "La visita se canceló.")
		f.says(all[1].HTML, "&lt;b&gt;Your bank&lt;/b&gt;", `<div lang="es">`)
		s := all[0].Subject
		if !strings.HasPrefix(s, "Update on "+k.Number+": Kitchen tap drips Bcc: eve@example.com long") ||
			!strings.HasSuffix(s, "…") || strings.ContainsAny(s, "\r\n") || len([]rune(s)) > 100 {
			f.Errorf("%q", s)
		}
		page, found := strings.CutSuffix(all[1].Unsubscribe, "/mail/stop")
		token := strings.TrimPrefix(page, baseURL+tenantportal.Path)
		f.Want(found && token != f.token, "unsubscribe at %q", all[1].Unsubscribe)
		f.says(all[1].Text, page+"/tickets/"+k.ID+"\n", all[1].Unsubscribe)
		v, err := f.Open(f.Context(), token)
		f.OK(err)
		f.Same(v.Tenant.ID, f.tenant.TenantID)
	})
}

func (f *fixture) says(text string, all ...string) {
	f.Helper()
	for _, s := range all {
		if !strings.Contains(text, s) {
			f.Errorf("no %q in\n%s", s, text)
		}
	}
}

func TestLandlordEmailDescribesTenantActions(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.Raw("UPDATE tenants SET first_name = $1", "Sam\nSubject: pay")
		m, err := f.rules.Tickets.SubmitTicket(f.Context(), f.tenant, ticket.Create{
			UnitID:      &f.unit.ID,
			Title:       new("Gas\r\nBcc: eve@example.com"),
			Description: "I smell gas near the stove.\n\nFrom: the bank",
		}, nil)
		f.OK(err)
		k := m.After
		f.writes(f.tenant, k, "Please hurry.")
		f.updates(f.tenant, k, ticket.Update{Status: change.To(portfolio.TicketCancelled)})
		f.sends(time.Hour)
		all := f.emails(dana)
		f.Want(len(all) == 2, "%d emails", len(all))
		f.Same(all[0].Subject, "New ticket "+k.Number+" (emergency): Gas Bcc: eve@example.com")
		f.Same(all[1].Subject, "Update on "+k.Number+": Gas Bcc: eve@example.com")
		link := baseURL + "/live/tickets/" + k.ID
		f.says(
			all[0].Text,
			"Sam Subject: pay Rivera submitted a ticket:",
			"1420 Maple Avenue",
			"Priority:  Emergency\nCategory:  Life safety\nSafety:    gas",
			"> I smell gas near the stove.\n> \n> From: the bank",
			link,
			"Settings › Email",
		)
		f.says(all[0].HTML, "I smell gas near the stove.", link)
		f.says(all[1].Text, "Sam Rivera wrote:\n\n> Please hurry.", "canceled the ticket.", link)
		if strings.Contains(all[1].Text, "I smell gas") {
			f.Errorf("told twice:\n%s", all[1].Text)
		}
	})
}
