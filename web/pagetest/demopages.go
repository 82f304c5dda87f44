package pagetest

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/document/documenttest"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/list"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/demo"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/property/verification"
	"portal/api/portfolio/records"
	"portal/api/portfolio/simulate"
	"portal/api/portfolio/upload"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/api/webhook"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/db/reportstore"
	"portal/db/servicestore"
	"portal/db/webhookstore"
	"portal/web/lease"
	"portal/web/property"
	"portal/web/ticket"
)

// DemoPages are the pages over a real database, with the rules of portfolios behind it. Its demo
// portfolio is as on the first day. The clock is the test's.
type DemoPages struct {
	*Site
	DB           *db.DB
	Home         dbtest.Home
	Rules        *records.Service
	Dev          *developer.Service
	Applications *application.Services
	Simulator    *simulate.Simulator
	hooks        *webhook.Service
	post         *mail.Service
	Ahead        time.Duration

	Uploads *upload.Service
	Later   *Later
}

// Later keeps what is to be imported until a test has it done.
type Later struct{ Orders []upload.Order }

// Invites invites somebody by the form and gives the path of the invitation and of the
// link to apply.
func (m *DemoPages) Invites(r *Reader, mode access.Mode, email string) (at, apply string) {
	m.Helper()
	form := "/" + string(mode) + "/applications/new?unit_id=" + m.Unit(mode)
	page := r.Post("/"+string(mode)+"/applications/new", form, url.Values{
		"unit_id": {m.Unit(mode)},
		"email":   {email},
		"once":    {r.Found(r.Get(form), `name="once" value="([^"]+)"`)},
	})
	r.Says(page, http.StatusOK, "Invitation created")
	return Link(m.T, page, "View invitation"), "/apply/" + r.Found(page, `/apply/([\w-]{43})`)
}

// Unit is a vacant one.
func (m *DemoPages) Unit(mode access.Mode) string {
	m.Helper()
	if mode == access.Live {
		return m.Home.Unit[mode].ID
	}
	all, err := m.Rules.Properties.Properties(m.Context(), m.Actor(mode), portfolio.PropertyFilter{
		Query: list.Query{Limit: 100},
	})
	Must(m.T, err)
	for i := range all.Data {
		p, err := m.Rules.Properties.Property(m.Context(), m.Actor(mode), all.Data[i].ID)
		Must(m.T, err)
		for _, u := range p.Units {
			if u.Status == portfolio.UnitVacant {
				return u.ID
			}
		}
	}
	m.Fatal("no unit is vacant")
	return ""
}

// Applies sends the application of a link, with notes.
func (m *DemoPages) Applies(apply, notes string) {
	m.Helper()
	Must(m.T, m.Applications.Applications.Apply(m.Context(), strings.TrimPrefix(apply, "/apply/"), application.Create{
		FirstName:     "Sam",
		LastName:      "Rivera",
		Email:         "sam@example.com",
		Phone:         "+15125550142",
		MoveInDate:    clock.DateOf(m.Pages.Now(), m.Actor(access.Live).Zone) + 3,
		Adults:        2,
		Children:      new(1),
		MonthlyIncome: money.Dollars(5250),
		Notes:         given(notes),
		Pets:          given(notes),
	}))
}

// given is a text that may be left out.
func given(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Mails are the newest emails, 100 at most.
func (m *DemoPages) Mails() (all []mail.Entry) {
	m.Helper()
	all, err := m.post.Mails(m.Context(), mail.Filter{Limit: 100})
	Must(m.T, err)
	return all
}

// NewDemoPages are DemoPages over a new SQLite.
func NewDemoPages(t *testing.T) *DemoPages {
	t.Helper()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	Must(t, err)
	d := dbtest.SQLite(t)
	m := &DemoPages{DB: d, Home: dbtest.NewHome(t, d, "dana"), Later: &Later{}}
	now := func() time.Time { return time.Now().Add(m.Ahead) }
	trail := audit.Log{Store: servicestore.NewTrail(d), Now: now}
	m.hooks = webhook.New(webhookstore.New(d), box, now, false)
	m.hooks.Trail = trail
	m.post = mail.New(mail.Config{Store: mailstore.New(d), Box: box, Now: now})
	m.Rules = records.New(portfoliostore.New(d), now).Use(portfolio.Parts{
		BaseURL: BaseURL,
		Post:    m.post,
		Events:  m.hooks,
	})
	m.Applications = application.New(m.Rules, portfoliostore.New(d))
	v := verification.New(m.Rules, portfoliostore.New(d))
	agreements := agreement.New(m.Rules, portfoliostore.New(d), box)
	agreements.Sealer, m.Rules.Documents = documenttest.Sealer(t), agreements
	signings := ceremony.New(m.Rules, agreements, portfoliostore.New(d), box)
	agreements.Offers = signings
	book := demo.Book(time.Now(), time.UTC)
	Must(t, portfoliostore.New(d).Add(t.Context(), m.Home.Test, &book))
	m.Uploads = &upload.Service{
		Store: portfoliostore.New(d),
		Box:   box,
		Queue: m.Later,
		Clock: clock.ForAll(now),
		Trail: trail,
		Rules: &upload.Rules{Units: m.Rules.Units, Leases: m.Rules.Leases, Tenants: m.Rules.Tenants},
	}
	made := developer.New(developerstore.New(d), now, nil)
	made.Post, made.BaseURL = m.post, BaseURL
	m.Dev = made
	payments := simulated.Open(m.Rules.Common, m.Rules.Ledger, portfoliostore.New(d), nil)
	m.Simulator = &simulate.Simulator{
		Store:      portfoliostore.New(d),
		Portfolio:  m.Rules,
		Agreements: agreements,
		Signings:   signings,
		Tenants:    tenantportal.New(m.Rules, agreements, portfoliostore.New(d), box),
		Mail:       m.post,
		Payments:   payments,
		Trail:      trail,
	}
	m.Site = New(t, Config{
		BaseURL:   BaseURL,
		Forms:     servicestore.NewForms(d),
		Now:       now,
		Guests:    m.Applications.Applications,
		Emails:    m.Applications.Emails,
		Summaries: report.New(m.Rules, reportstore.New(d)),
		Webhook:   m.hooks,
		Developer: made,
		Property:  property.Config{Portfolio: m.Rules, Verifications: v, Imports: m.Uploads, Developer: made},
		Lease:     lease.Config{Portfolio: m.Rules, Applications: m.Applications, Agreements: agreements},
		Ticket:    ticket.Config{Portfolio: m.Rules},
		Demo:      m.Simulator,
		Payments:  payments,
	})
	m.Pages.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	return m
}

// Member is a browser of a member of the landlord's account.
func (m *DemoPages) Member(role access.Role) *Reader {
	m.Helper()
	who := Visitor(m.user(), m.Home, role)
	who.Account.Plan = developer.Plan{Tier: developer.Starter}
	return m.Reader(who)
}

func (m *DemoPages) user() (id string) {
	m.Helper()
	dbtest.Query(
		m.T,
		m.DB,
		"SELECT id FROM users ORDER BY id LIMIT 1",
		func(_ []string, values []any) { id = fmt.Sprint(values[0]) },
	)
	return id
}

// Stranger is a browser of an owner of another account.
func (m *DemoPages) Stranger() *Reader {
	m.Helper()
	return m.Reader(Visitor("user_9", dbtest.NewHome(m.T, m.DB, "robin"), access.Owner))
}

// Actor is the owner of the account, in a mode.
func (m *DemoPages) Actor(mode access.Mode) access.Actor {
	in := map[access.Mode]access.Portfolio{access.Live: m.Home.Live, access.Test: m.Home.Test}[mode]
	return access.Actor{
		Portfolio: in,
		AccountID: m.Home.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write},
		Role:      access.Owner,
		Zone:      time.UTC,
	}
}

// Endpoint adds a webhook endpoint to the portfolio in test mode.
func (m *DemoPages) Endpoint() {
	m.Helper()
	_, err := m.hooks.CreateEndpoint(m.Context(), m.Actor(access.Test), webhook.EndpointCreate{
		URL:    "https://hooks.example.com/portal",
		Events: []webhook.Kind{webhook.EveryKind},
	})
	Must(m.T, err)
}

// Import implements upload.Queue.
func (l *Later) Import(_ context.Context, o upload.Order) error {
	l.Orders = append(l.Orders, o)
	return nil
}

// Imports does what was ordered.
func (m *DemoPages) Imports() {
	m.Helper()
	for _, o := range m.Later.Orders {
		Must(m.T, m.Uploads.Fulfil(m.Context(), o))
	}
	m.Later.Orders = nil
}
