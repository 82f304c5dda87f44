package pagetest

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/agreement"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/records"
	"portal/api/portfolio/ticket"
	"portal/api/secret"
	"portal/api/webhook"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/portfoliostore"
	"portal/db/reportstore"
	"portal/db/servicestore"
	"portal/db/webhookstore"
	"portal/web/lease"
	"portal/web/ledger"
	ticketpages "portal/web/ticket"
)

// WebhookPages are the pages over a real database, where things happened.
type WebhookPages struct {
	*Site
	DB       *db.DB
	Home     dbtest.Home
	Hooks    *webhook.Service
	Books    *records.Service
	Payments *simulated.Payments
	Now      time.Time
}

// Called is a call of a tool by an assistant.
func (y *WebhookPages) Called(change func(*developer.ToolCall)) string {
	y.Helper()
	y.Now = y.Now.Add(time.Second)
	c := developer.ToolCall{
		ID:            id.New(id.Call, y.Now),
		At:            clock.At(y.Now),
		AccountID:     y.Home.AccountID,
		PortfolioID:   y.Home.Test.ID,
		KeyID:         "key_1",
		RequestID:     id.New(id.Request, y.Now),
		Client:        "Claude",
		ClientVersion: "1.2",
		Tool:          "list_leases",
		Arguments:     `{"limit":5}`,
		Outcome:       developer.Succeeded,
		Duration:      1200 * time.Microsecond,
	}
	change(&c)
	y.OK(developerstore.New(y.DB).AddToolCalls(y.Context(), []developer.ToolCall{c}))
	return c.ID
}

// Edit is the form of an endpoint as it is shown, with other values in some fields.
func (y *WebhookPages) Edit(r *Reader, e *webhook.Endpoint, fields ...string) url.Values {
	y.Helper()
	return With(r.Shown("/test/webhooks/"+e.ID+"/edit"), fields...)
}

// Disable disables an endpoint.
func (y *WebhookPages) Disable(e *webhook.Endpoint) {
	y.Helper()
	_, err := y.Hooks.DisableEndpoint(y.Context(), y.Actor(), e.ID)
	y.OK(err)
}

// Asked is a request of a program.
func (y *WebhookPages) Asked(change func(*developer.Request)) string {
	y.Helper()
	var r developer.Request
	y.AskedOf(&r, change)
	y.OK(developerstore.New(y.DB).AddRequests(y.Context(), []developer.Request{r}))
	return r.ID
}

// AskedOf makes a line of the log, a second later than the one before, without writing it.
func (y *WebhookPages) AskedOf(r *developer.Request, change func(*developer.Request)) {
	y.Now = y.Now.Add(time.Second)
	*r = developer.Request{
		ID:          id.New(id.Request, y.Now),
		At:          clock.At(y.Now),
		AccountID:   y.Home.AccountID,
		PortfolioID: y.Home.Test.ID,
		KeyID:       "key_1",
		Operation:   "list_leases",
		Method:      "GET",
		Path:        "/api/v1/external/leases",
		Status:      200,
		Duration:    1200 * time.Microsecond,
		Bytes:       2048,
		Address:     "192.0.2.1",
		UserAgent:   "curl/8",
	}
	change(r)
}

// SentWith is a request of a program, with what was sent.
func (y *WebhookPages) SentWith(method, body string) string {
	y.Helper()
	return y.Exchanged(method, "?a="+url.QueryEscape(body), body, body, `{"error":{"code":"invalid_field"}}`)
}

// Exchanged logs a request with a query, a header and a body, and the body of its response, and is its id.
func (y *WebhookPages) Exchanged(method, query, header, body, response string) string {
	y.Helper()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	y.OK(err)
	y.Now = y.Now.Add(time.Second)
	line := developer.Request{
		ID:          id.New(id.Request, y.Now),
		At:          clock.At(y.Now),
		AccountID:   y.Home.AccountID,
		PortfolioID: y.Home.Test.ID,
		KeyID:       "key_1",
		Operation:   "create_property",
		Method:      method,
		Path:        "/api/v1/external/properties",
		Status:      400,
		Code:        "invalid_field",
	}
	r := developer.NewRecorder(developerstore.New(y.DB), box, slog.New(slog.DiscardHandler))
	r.Record(line, &developer.Sent{Target: line.Path + query,
		Request: developer.SentMessage{
			Headers: []developer.Header{
				{Name: "Content-Type", Value: "application/json"},
				{Name: "X-Odd", Value: header},
			},
			Body: []byte(body),
			Size: int64(len(body)),
		},
		Answer: developer.SentMessage{
			Headers: []developer.Header{{Name: "X-Request-Id", Value: line.ID}},
			Body:    []byte(response),
			Size:    int64(len(response)),
		}})
	ended, end := context.WithCancel(y.Context())
	end()
	r.Run(ended)
	return line.ID
}

// Rent adds a lease of the unit of the portfolio in test mode, to a tenant of a name, from the first
// of the year on, and is the lease.
func (y *WebhookPages) Rent(status portfolio.LeaseStatus, first string) *portfolio.Lease {
	y.Helper()
	u := y.Home.Unit[access.Test]
	t := portfolio.Tenant{
		Record:     y.record(id.Tenant, "tenant"),
		FirstName:  first,
		LastName:   "Rivera",
		Status:     portfolio.TenantCurrent,
		PropertyID: &u.PropertyID,
		UnitID:     &u.ID,
	}
	l := portfolio.Lease{
		Record:          y.record(id.Lease, "lease"),
		Status:          status,
		PropertyID:      u.PropertyID,
		UnitID:          u.ID,
		RentalAddress:   "1420 Maple Avenue, Unit 2B, Austin, TX 78701",
		LeaseType:       portfolio.Fixed,
		StartDate:       clock.Day(2026, 1, 1),
		EndDate:         new(clock.Day(2026, 12, 31)),
		MonthlyRent:     money.Dollars(1450),
		SecurityDeposit: money.Dollars(1450),
		RentDueDay:      1,
		TenantIDs:       []string{t.ID},
		Tenants:         []portfolio.Party{{ID: t.ID, Role: portfolio.PartyPrimary}},
	}
	y.OK(portfoliostore.New(y.DB).Add(y.Context(), y.Home.Test, &portfolio.Book{
		Tenants: []portfolio.Tenant{t},
		Leases:  []portfolio.Lease{l},
	}))
	if status == portfolio.LeaseActive {
		u.CurrentLeaseID, u.Status = &l.ID, portfolio.UnitOccupied
		y.OK(portfoliostore.New(y.DB).SaveUnit(y.Context(), y.Home.Test, &u))
	}
	return &l
}

func (y *WebhookPages) record(prefix, object string) portfolio.Record {
	return portfolio.Record{
		ID:        id.New(prefix, y.Now),
		Object:    object,
		Mode:      access.Test,
		Version:   1,
		CreatedAt: clock.At(y.Now),
		UpdatedAt: clock.At(y.Now),
	}
}

// Owes adds a row of rent to a lease, due on the first of the month of the tests.
func (y *WebhookPages) Owes(l *portfolio.Lease, what string, status portfolio.PaymentStatus) string {
	y.Helper()
	p := portfolio.Payment{
		Record:      y.record(id.Payment, "payment"),
		LeaseID:     l.ID,
		TenantID:    l.TenantIDs[0],
		UnitID:      l.UnitID,
		PropertyID:  l.PropertyID,
		Type:        portfolio.PaymentRent,
		Description: &what,
		Amount:      money.Dollars(1450),
		Status:      status,
		DueDate:     clock.Day(2026, 11, 1),
		PeriodStart: new(clock.Day(2026, 11, 1)),
		PeriodEnd:   new(clock.Day(2026, 11, 30)),
	}
	y.OK(portfoliostore.New(y.DB).AddPayment(y.Context(), y.Home.Test, &p))
	return p.ID
}

// Newest is the id of the newest ticket.
func (y *WebhookPages) Newest() string {
	y.Helper()
	page, err := y.Books.Tickets.Tickets(y.Context(), y.Actor(), portfolio.TicketFilter{
		Query: list.Query{Limit: 1, Newest: true},
	})
	y.OK(err)
	return page.Data[0].ID
}

// Ticket opens one about the unit of the portfolio.
func (y *WebhookPages) Ticket(text string) *portfolio.Ticket {
	y.Helper()
	u := y.Home.Unit[access.Test]
	m, err := y.Books.Tickets.CreateTicket(y.Context(), y.Actor(), portfolio.FromAPI, ticket.Create{
		UnitID:      &u.ID,
		Description: text,
	})
	y.OK(err)
	return m.After
}

// NewWebhookPages are WebhookPages at BaseURL; the test runs beside others.
func NewWebhookPages(t *testing.T) *WebhookPages {
	t.Helper()
	t.Parallel()
	return NewWebhookPagesAt(t, BaseURL)
}

// NewWebhookPagesAt are WebhookPages that name an address.
func NewWebhookPagesAt(t *testing.T, address string) *WebhookPages {
	t.Helper()
	return NewWebhookPagesOn(t, dbtest.SQLite(t), address)
}

// NewWebhookPagesOn are WebhookPages over a database that name an address.
func NewWebhookPagesOn(t *testing.T, d *db.DB, address string) *WebhookPages {
	t.Helper()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	y := &WebhookPages{DB: d, Home: dbtest.NewHome(t, d, "dana"), Now: dbtest.Noon().Std()}
	now := func() time.Time { return y.Now }
	y.Hooks = webhook.New(webhookstore.New(d), box, now, false)
	y.Hooks.Trail = audit.Log{Store: servicestore.NewTrail(d), Now: now}
	y.Books = records.New(portfoliostore.New(d), now)
	agreements := agreement.New(y.Books, portfoliostore.New(d), box)
	y.Books.Documents = agreements // checks changes of leases
	y.Payments = simulated.Open(y.Books.Common, y.Books.Ledger, portfoliostore.New(d), nil)
	h := &Site{T: t, Sessions: &MemorySessions{Data: map[string][]byte{}}, People: Visitors{}}
	h.Config = Config{
		BaseURL:   address,
		Forms:     servicestore.NewForms(d),
		Sessions:  h.Sessions,
		People:    h.People,
		Webhook:   y.Hooks,
		Developer: developer.New(developerstore.New(d), now, nil),
		Exchanges: developer.Exchanges{Store: developerstore.New(d), Box: box, Now: now},
		Trail:     y.Books,
		Lease: lease.Config{
			Portfolio:    y.Books,
			Applications: application.New(y.Books, portfoliostore.New(d)),
			Agreements:   agreements,
		},
		Ticket: ticketpages.Config{Portfolio: y.Books},
		Ledger: ledger.Config{
			Portfolio: y.Books,
			Reports:   report.New(y.Books, reportstore.New(d)),
			Payments:  y.Payments,
		},
		Now:    now,
		Log:    slog.New(slog.NewTextHandler(t.Output(), nil)),
		Design: true,
	}
	h.Pages = Build(h.Config)
	h.Echo = Wired(h.Pages)
	y.Site = h
	return y
}

// Member is a browser of a member of the landlord's account.
func (y *WebhookPages) Member(role access.Role) *Reader {
	var user string
	dbtest.Query(y.T, y.DB, "SELECT id FROM users", func(_ []string, values []any) { user = fmt.Sprint(values[0]) })
	return y.Reader(Visitor(user, y.Home, role))
}

// Stranger is a browser of an owner of another account.
func (y *WebhookPages) Stranger() *Reader {
	return y.Reader(Visitor("user_9", dbtest.NewHome(y.T, y.DB, "robin"), access.Owner))
}

// Visitor is a user with a role in an account of dbtest.
func Visitor(user string, h dbtest.Home, role access.Role) account.Visitor {
	return account.Visitor{
		UserID: user,
		Email:  h.Email,
		Role:   developer.Landlord,
		Account: &account.Membership{
			AccountID: h.AccountID,
			Name:      "Maple & Oak",
			Role:      role,
			TimeZone:  "UTC",
			Plan:      developer.Plan{Tier: developer.Pro},
			Live:      h.Live,
			Test:      h.Test,
		},
	}
}

// Actor is a key of the account that may read and write in test mode.
func (y *WebhookPages) Actor() access.Actor {
	return access.Actor{
		Portfolio: y.Home.Test,
		AccountID: y.Home.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write},
		Zone:      time.UTC,
	}
}

// OK ends the test where there is an error.
func (y *WebhookPages) OK(err error) {
	y.Helper()
	if err != nil {
		y.Fatal(err)
	}
}

// Endpoint adds one.
func (y *WebhookPages) Endpoint(address string, about *string) *webhook.Endpoint {
	y.Helper()
	made, err := y.Hooks.CreateEndpoint(y.Context(), y.Actor(), webhook.EndpointCreate{
		URL:         address,
		Description: about,
	})
	y.OK(err)
	return made.After
}

// Trail is what the trail says was done, by name.
func (y *WebhookPages) Trail() string {
	y.Helper()
	entries, err := servicestore.NewTrail(y.DB).Audit(y.Context(), audit.Query{AccountID: y.Home.AccountID, Limit: 100})
	y.OK(err)
	var b strings.Builder
	slices.SortFunc(entries, func(a, b audit.Entry) int { return strings.Compare(a.Action, b.Action) })
	for _, e := range entries {
		b.WriteString(e.Action + " ")
	}
	return b.String()
}
