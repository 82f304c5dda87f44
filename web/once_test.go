package web_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/notice"
	"portal/api/attachment"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/demo"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/lease/condition"
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/property/verification"
	"portal/api/portfolio/records"
	"portal/api/portfolio/simulate"
	"portal/api/portfolio/upload"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/api/webhook"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/db/reportstore"
	"portal/db/servicestore"
	"portal/db/webhookstore"
	"portal/web/lease"
	"portal/web/ledger"
	"portal/web/pagetest"
	"portal/web/property"
	"portal/web/ticket"
)

// formFixture is a service with all that a form can create, over one database, and an owner.
type formFixture struct {
	*pagetest.Site
	db           *db.DB
	rules        *records.Service
	applications *application.Services
	hooks        *webhook.Service
	dev          *developer.Service
	simulator    *simulate.Simulator
	agreements   *agreement.Service
	notices      *notice.Service
	who          *pagetest.Reader
	by           *access.Actor // in the demo portfolio
}

func newFormFixture(t *testing.T, d *db.DB) *formFixture {
	t.Helper()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	pagetest.Must(t, err)
	w := &formFixture{db: d}
	trail := audit.Log{Store: servicestore.NewTrail(d), Now: time.Now}
	post := mail.New(mail.Config{Store: mailstore.New(d), Box: box, Now: time.Now})
	w.hooks = webhook.New(webhookstore.New(d), box, time.Now, false)
	w.hooks.Trail = trail
	w.rules = records.New(portfoliostore.New(d), time.Now).Use(portfolio.Parts{
		BaseURL: pagetest.BaseURL,
		Post:    post,
		Events:  w.hooks,
	})
	w.applications = application.New(w.rules, portfoliostore.New(d))
	uploads := &upload.Service{
		Store: portfoliostore.New(d),
		Box:   box,
		Queue: new(pagetest.Later),
		Clock: clock.ForAll(time.Now),
		Trail: trail,
		Rules: &upload.Rules{Units: w.rules.Units, Leases: w.rules.Leases, Tenants: w.rules.Tenants},
	}
	places := property.Config{
		Portfolio:     w.rules,
		Verifications: verification.New(w.rules, portfoliostore.New(d)),
		Imports:       uploads,
	}
	leases := lease.Config{
		Portfolio: w.rules, Applications: w.applications, Photos: attachment.NewConverter(time.Minute),
	}
	agreements := agreement.New(w.rules, portfoliostore.New(d), box)
	agreements.Sealer, w.rules.Documents, leases.Agreements = documenttest.Sealer(t), agreements, agreements
	leases.Terms, w.agreements = agreements, agreements
	w.notices = notice.New(w.rules, agreements, portfoliostore.New(d))
	leases.Notices = w.notices
	signings := ceremony.New(w.rules, agreements, portfoliostore.New(d), box)
	agreements.Offers = signings
	w.dev = developer.New(
		developerstore.New(d),
		time.Now,
		func(ctx context.Context, in access.Portfolio, zone *time.Location) error {
			book := demo.Book(time.Now(), zone)
			return portfoliostore.New(d).Add(ctx, in, &book)
		},
	)
	w.dev.Post = post
	w.dev.PasswordCost = secret.Cost{Memory: 64, Passes: 1, Lanes: 1}
	w.simulator = &simulate.Simulator{
		Store:      portfoliostore.New(d),
		Portfolio:  w.rules,
		Agreements: agreements,
		Signings:   signings,
		Tenants:    tenantportal.New(w.rules, agreements, portfoliostore.New(d), box),
		Mail:       post,
		Payments:   simulated.Open(w.rules.Common, w.rules.Ledger, portfoliostore.New(d), nil),
		Trail:      trail,
	}
	w.notices.Mailer = w.simulator.Tenants
	accounts := account.New(account.Config{
		Store:      accountstore.New(d),
		Developer:  w.dev,
		Portfolio:  w.rules,
		Applicants: w.applications.Applicants,
		Webhook:    w.hooks,
		Box:        box,
		Post:       post,
		Hasher:     secret.NewBoundedHasher(secret.Cost{Memory: 64, Passes: 1, Lanes: 1}, 4, 100),
		Now:        time.Now,
		BaseURL:    pagetest.BaseURL,
	})
	w.Site = pagetest.New(t, pagetest.Config{
		BaseURL:   pagetest.BaseURL,
		Forms:     servicestore.NewForms(d),
		Now:       time.Now,
		Account:   accounts,
		Developer: w.dev,
		Summaries: report.New(w.rules, reportstore.New(d)),
		Webhook:   w.hooks,
		Property:  places,
		Lease:     leases,
		Ticket:    ticket.Config{Portfolio: w.rules},
		Ledger:    ledger.Config{Portfolio: w.rules, Reports: report.New(w.rules, reportstore.New(d))},
		Demo:      w.simulator,
		Box:       box,
		Examples:  w.rules,

		OpenAPI: pagetest.Document(pagetest.BaseURL),
	})
	w.signIn()
	return w
}

// signIn makes an account, and signs its owner in, who has a second factor.
func (w *formFixture) signIn() {
	w.Helper()
	u, err := w.dev.AddUser(w.Context(), "dana@example.com", "Harbor Lane", pagetest.Password, developer.Landlord)
	pagetest.Must(w.T, err)
	_, a, err := w.dev.Account(w.Context(), u.Email)
	pagetest.Must(w.T, err)
	in, err := accountstore.New(w.db).PortfolioOf(w.Context(), a.ID, access.Test)
	pagetest.Must(w.T, err)
	live, err := accountstore.New(w.db).PortfolioOf(w.Context(), a.ID, access.Live)
	pagetest.Must(w.T, err)
	w.who = w.Reader(account.Visitor{
		SessionID: "sess_1",
		UserID:    u.ID,
		Email:     u.Email,
		Role:      developer.Landlord,
		Account: &account.Membership{
			AccountID: a.ID,
			Name:      a.Name,
			TimeZone:  "UTC",
			Plan:      a.Plan,
			Role:      access.Owner,
			Live:      live,
			Test:      in,
		},
	})
	w.by = new(w.People[w.who.Session()].Actor(access.Test))
	pagetest.Must(w.T, accountstore.New(w.db).SetTOTP(w.Context(), u.ID, []byte("sealed"), nil, 0))
}

// value is the first value of a query.
func (w *formFixture) value(query string) (found string) {
	w.Helper()
	dbtest.Query(w.T, w.db, query, func(_ []string, values []any) {
		if found == "" {
			found = fmt.Sprint(values[0])
		}
	})
	if found == "" {
		w.Fatalf("nothing is found by %s", query)
	}
	return found
}

// endpoint adds a webhook endpoint, and has it miss an event.
func (w *formFixture) endpoint(address string) (id, delivery string) {
	w.Helper()
	made, err := w.hooks.CreateEndpoint(w.Context(), *w.by, webhook.EndpointCreate{
		URL:    address,
		Events: []webhook.Kind{webhook.EveryKind},
	})
	pagetest.Must(w.T, err)
	tested, err := w.hooks.Test(w.Context(), *w.by, made.After.ID)
	pagetest.Must(w.T, err)
	return made.After.ID, tested.After.ID
}

// applied is an invitation on which somebody has applied.
func (w *formFixture) applied(unit string) string {
	w.Helper()
	made, err := w.applications.Invitations.InviteTenant(w.Context(), *w.by, application.TenantInvite{
		UnitID: unit,
		Email:  "sam@example.com",
	})
	pagetest.Must(w.T, err)
	_, token, _ := strings.Cut(*made.After.ApplyURL, "/apply/")
	pagetest.Must(w.T, w.applications.Applications.Apply(w.Context(), token, application.Create{
		FirstName:     "Sam",
		LastName:      "Rivera",
		Email:         "sam@example.com",
		Phone:         "+15125550142",
		MoveInDate:    clock.DateOf(time.Now(), time.UTC) + 3,
		Adults:        2,
		Children:      new(1),
		MonthlyIncome: money.Dollars(5250),
	}))
	return made.After.ID
}

// creation is how a form is filled in that creates something, and how that is counted.
type creation struct {
	at     string // its address
	page   string // that has the form, "" where that is its address
	fields []string
	count  string // of what it creates
	makes  int
}

const (
	aVacantUnit = "SELECT id FROM units WHERE portfolio_id IN (SELECT id FROM portfolios WHERE mode = 'test') " +
		"AND id NOT IN (SELECT unit_id FROM leases WHERE portfolio_id = units.portfolio_id) ORDER BY id"
	aLease       = "SELECT id FROM leases WHERE status = 'active' ORDER BY id"
	anEndedLease = "SELECT id FROM leases WHERE status = 'expired' AND security_deposit > 0 " +
		"AND renewed_to_lease_id IS NULL ORDER BY id"
	aRowThatIsDue = "SELECT id FROM payments WHERE status = 'due' AND type = 'rent' ORDER BY id"
	aProperty     = "SELECT id FROM properties WHERE status = 'active' AND verification_status = 'unverified' " +
		"ORDER BY id"
	roll = "street_address,city,state\n1 Elm St,Austin,TX\n"
)

// creations are the forms that create something, by their routes.
func (w *formFixture) creations() map[string]func() creation {
	rows := func(table string) string { return "SELECT count(*) FROM " + table }
	events := rows("events")
	deliveries := rows("deliveries")
	return map[string]func() creation{
		"/access": func() creation {
			return creation{
				at: "/access",
				fields: []string{
					"use_case", "Keep our bookkeeping in step with the ledger.", "contact_email",
					"a@example.com", "agreed_to_terms", "on",
				},
				count: rows("access_requests"),
				makes: 1,
			}
		},
		"/keys": func() creation {
			return creation{
				at:     "/keys",
				page:   "/keys/new",
				fields: []string{"name", "CI"},
				count:  rows("api_keys"),
				makes:  1,
			}
		},
		"/keys/:id/roll": func() creation {
			at := "/keys/" + w.value(
				"SELECT id FROM api_keys WHERE revoked_at IS NULL AND expires_at IS NULL ORDER BY id",
			) + "/roll"
			return creation{at: at, count: rows("api_keys"), makes: 1}
		},
		"/docs/key": func() creation { return creation{at: "/docs/key", count: rows("api_keys"), makes: 1} },
		"/team/invite": func() creation {
			return creation{
				at:     "/team/invite",
				fields: []string{"email", "max@example.com", "role", "owner"},
				count:  rows("mails"),
				makes:  1,
			}
		},
		"/settings/security/codes": func() creation {
			return creation{
				at:    "/settings/security/codes",
				count: "SELECT count(*) FROM audit WHERE action = 'user.recovery_codes_made'",
				makes: 1,
			}
		},
		"/test/webhooks/new": func() creation {
			return creation{
				at:     "/test/webhooks/new",
				fields: []string{"url", "https://hooks.example.com/new", "events", "*"},
				count:  rows("webhook_endpoints"),
				makes:  1,
			}
		},
		"/test/webhooks/:id/rotate": func() creation {
			id, _ := w.endpoint("https://hooks.example.com/rotated")
			return creation{
				at:    "/test/webhooks/" + id + "/rotate",
				count: "SELECT version FROM webhook_endpoints WHERE id = '" + id + "'",
				makes: 1,
			}
		},
		"/test/webhooks/:id/test": func() creation {
			id, _ := w.endpoint("https://hooks.example.com/tested")
			return creation{
				at:    "/test/webhooks/" + id + "/test",
				page:  "/test/webhooks/" + id,
				count: deliveries,
				makes: 1,
			}
		},
		"/test/webhooks/deliveries/:id/redeliver": func() creation {
			_, delivery := w.endpoint("https://hooks.example.com/again")
			return creation{
				at:    "/test/webhooks/deliveries/" + delivery + "/redeliver",
				page:  "/test/webhooks/deliveries/" + delivery,
				count: "SELECT count(*) FROM audit WHERE action = 'delivery.redelivered'",
				makes: 1,
			}
		},
		"/test/webhooks/deliveries": func() creation {
			_, delivery := w.endpoint("https://hooks.example.com/several")
			return creation{
				at:     "/test/webhooks/deliveries",
				page:   "/test/webhooks/deliveries",
				fields: []string{"id", delivery},
				count:  "SELECT count(*) FROM audit WHERE action = 'delivery.redelivered'",
				makes:  1,
			}
		},
		"/test/webhooks/:id/enable": func() creation {
			id, _ := w.endpoint("https://hooks.example.com/enabled")
			_, err := w.hooks.DisableEndpoint(w.Context(), *w.by, id)
			pagetest.Must(w.T, err)
			return creation{
				at:    "/test/webhooks/" + id + "/enable",
				count: "SELECT version FROM webhook_endpoints WHERE id = '" + id + "'",
				makes: 1,
			}
		},
		"/test/webhooks/:id/missed": func() creation {
			id, _ := w.endpoint("https://hooks.example.com/missed")
			_, err := w.simulator.Happen(w.Context(), *w.by, event.MaintenanceCreated)
			pagetest.Must(w.T, err)
			_, err = w.hooks.DisableEndpoint(w.Context(), *w.by, id)
			pagetest.Must(w.T, err)
			_, _, err = w.hooks.EnableEndpoint(w.Context(), *w.by, id)
			pagetest.Must(w.T, err)
			return creation{
				at:    "/test/webhooks/" + id + "/missed",
				count: "SELECT count(*) FROM audit WHERE action = 'endpoint.missed_sent'",
				makes: 1,
			}
		},
		"/test/applications/new": func() creation {
			unit := w.value(aVacantUnit)
			return creation{
				at:     "/test/applications/new",
				page:   "/test/applications/new?unit_id=" + unit,
				fields: []string{"email", "sam@example.com"},
				count:  rows("invitations"),
				makes:  1,
			}
		},
		"/test/applications/:id/accept": func() creation {
			return creation{
				at:    "/test/applications/" + w.applied(w.value(aVacantUnit)) + "/accept",
				count: rows("tenants"),
				makes: 1,
			}
		},
		"/test/import": func() creation {
			return creation{
				at:     "/test/import",
				fields: []string{"file", roll},
				count:  rows("imports"),
				makes:  1,
			}
		},
		"/test/import/:id": func() creation {
			id := w.value("SELECT id FROM imports ORDER BY id")
			return creation{
				at:     "/test/import/" + id,
				fields: []string{"seen", w.who.Seen("/test/import/" + id)},
				count:  "SELECT count(*) FROM imports WHERE status = 'queued'",
				makes:  1,
			}
		},
		"/test/leases/:id/attachments/new": func() creation {
			draft := w.value("SELECT id FROM leases WHERE status = 'draft' AND document_id IS NOT NULL " +
				"ORDER BY id DESC")
			return creation{
				at:     "/test/leases/" + draft + "/attachments/new",
				fields: []string{"file", string(documenttest.Pages("Quiet hours"))},
				count:  rows("lease_attachments"),
				makes:  1,
			}
		},
		"/test/leases/:id/condition/:kind/items/:item": func() creation {
			at, r := w.begun()
			var photo bytes.Buffer
			pagetest.Must(w.T, jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 64, 64)), nil))
			return creation{
				at:     at + "/items/" + r.Areas[0].Items[0].ID,
				fields: []string{"photos", photo.String()},
				count:  rows("condition_photos"),
				makes:  1,
			}
		},
		"/test/leases/:id/condition/:kind/arrange": func() creation {
			at, r := w.begun()
			return creation{
				at:     at + "/arrange",
				fields: []string{"to", r.Areas[0].ID, "items", "Bell"},
				count:  "SELECT version FROM condition_reports WHERE id = '" + r.ID + "'",
				makes:  1,
			}
		},
		"/test/leases/library/new": func() creation {
			return creation{
				at: "/test/leases/library/new",
				fields: []string{
					"file", string(documenttest.Pages("Quiet hours")), "title", "House rules", "kind", "house_rules",
				},
				count: rows("library_documents"),
				makes: 1,
			}
		},
		"/test/leases/templates/new": func() creation {
			return creation{
				at:     "/test/leases/templates/new",
				fields: []string{"name", "Texas, one year"},
				count:  rows("lease_templates"),
				makes:  1,
			}
		},
		"/test/leases/templates/:id/attachments/new": func() creation {
			made, err := w.agreements.AddTemplate(w.Context(), *w.by, agreement.TemplateInput{Name: "With a PDF"})
			pagetest.Must(w.T, err)
			return creation{
				at:     "/test/leases/templates/" + made.After.ID + "/attachments/new",
				fields: []string{"file", string(documenttest.Pages("Quiet hours"))},
				count:  rows("lease_template_attachments"),
				makes:  1,
			}
		},
		"/test/leases/:id/charge": func() creation {
			return creation{
				at:     "/test/leases/" + w.value(aLease) + "/charge",
				fields: []string{"charge", "pet", "amount", "25", "due_date", time.Now().Format(time.DateOnly)},
				count:  rows("payments"),
				makes:  1,
			}
		},
		"/test/leases/:id/deposit": func() creation {
			return creation{
				at:     "/test/leases/" + w.value(anEndedLease) + "/deposit",
				fields: []string{"method", "cash"},
				count:  rows("deposit_statements"),
				makes:  1,
			}
		},
		"/test/leases/:id/notices/new/:kind": func() creation {
			return creation{
				at:     "/test/leases/" + w.value(aLease) + "/notices/new/entry",
				fields: []string{"purpose", "Check the smoke alarms"},
				count:  rows("lease_notices"),
				makes:  1,
			}
		},
		"/test/leases/:id/notices/:notice/email": func() creation {
			const renters = " FROM lease_signers s JOIN tenants t ON t.portfolio_id = s.portfolio_id AND t.id = s.tenant_id " +
				"JOIN leases l ON l.portfolio_id = s.portfolio_id AND l.id = s.lease_id WHERE l.status = 'active' AND " +
				"t.email IS NOT NULL AND s.role IN ('primary', 'co_tenant')"
			lease := w.value("SELECT s.lease_id" + renters + " ORDER BY s.lease_id")
			today := w.rules.Today(*w.by)
			made, err := w.notices.Create(w.Context(), *w.by, lease, notice.Create{
				Kind:        notice.Entry,
				GivenOn:     today,
				EffectiveOn: today.AddDays(2),
				From:        new("09:00"),
				Until:       new("12:00"),
				Purpose:     new("Check the smoke alarms"),
			})
			pagetest.Must(w, err)
			return creation{
				at:    "/test/leases/" + lease + "/notices/" + made.After.ID + "/email",
				count: rows("mails WHERE subject LIKE 'Notice of entry: %'"),
				makes: w.count("SELECT count(*)" + renters + " AND s.lease_id = '" + lease + "'"),
			}
		},
		"/test/ledger/:id/record": func() creation {
			id := w.value(aRowThatIsDue)
			return creation{
				at:     "/test/ledger/" + id + "/record",
				fields: []string{"amount", "1", "method", "cash", "paid_on", time.Now().Format(time.DateOnly)},
				count:  "SELECT version FROM payments WHERE id = '" + id + "'",
				makes:  1,
			}
		},
		"/test/properties/new": func() creation {
			return creation{
				at:     "/test/properties/new",
				fields: []string{"street_address", "1 Elm St", "city", "Austin", "state", "TX"},
				count:  rows("properties"),
				makes:  1,
			}
		},
		"/test/properties/:id/verify": func() creation {
			id := w.value(aProperty)
			return creation{
				at:    "/test/properties/" + id + "/verify",
				count: "SELECT version FROM properties WHERE id = '" + id + "'",
				makes: 1,
			}
		},
		"/test/properties/:id/units/new": func() creation {
			return creation{
				at:     "/test/properties/" + w.value(aProperty) + "/units/new",
				fields: []string{"unit_number", "X9"},
				count:  rows("units"),
				makes:  1,
			}
		},
		"/test/leases/generate": func() creation {
			unit := w.value(
				"SELECT min(u.id) FROM units u JOIN portfolios p ON p.id = u.portfolio_id WHERE p.mode = 'test' " +
					"AND u.status = 'vacant'",
			)
			email := w.value(
				"SELECT min(t.email) FROM tenants t JOIN portfolios p ON p.id = t.portfolio_id WHERE p.mode = " +
					"'test' AND t.email IS NOT NULL",
			)
			return creation{
				at:     "/test/leases/generate",
				page:   "/test/leases/generate?unit_id=" + unit,
				fields: []string{"tenant", email, "start_date", "2027-01-01", "monthly_rent", "1000"},
				count:  rows("leases"),
				makes:  1,
			}
		},
		"/test/tenants/new": func() creation {
			return creation{
				at:     "/test/tenants/new",
				fields: []string{"first_name", "Noor", "last_name", "Haddad"},
				count:  rows("tenants"),
				makes:  1,
			}
		},
		"/test/tickets/new": func() creation {
			return creation{
				at:     "/test/tickets/new",
				page:   "/test/tickets/new?property_id=" + w.value(aProperty),
				fields: []string{"description", "The tap drips."},
				count:  rows("tickets"),
				makes:  1,
			}
		},
		"/test/tickets/:id/comments": func() creation {
			_, err := w.simulator.Happen(w.Context(), *w.by, event.MaintenanceCreated)
			pagetest.Must(w.T, err)
			at := "/test/tickets/" + w.value("SELECT id FROM tickets WHERE source = 'tenant_portal' ORDER BY id DESC")
			return creation{
				at:     at + "/comments",
				page:   at,
				fields: []string{"comment", "A plumber comes on Monday."},
				count:  rows("ticket_activities"),
				makes:  1,
			}
		},
		"/test/demo": func() creation {
			return creation{
				at:     "/test/demo",
				fields: []string{"kind", "maintenance.created"},
				count:  events,
				makes:  1,
			}
		},
		"/test/demo/clock": func() creation {
			return creation{
				at:     "/test/demo/clock",
				fields: []string{"shortcut", clock.DateOf(time.Now(), time.UTC).AddDays(40).String()},
				count:  "SELECT count(*) FROM portfolios WHERE advance_to IS NOT NULL",
				makes:  1,
			}
		},
		"/test/demo/reset": func() creation {
			return creation{
				at:    "/test/demo/reset",
				count: "SELECT count(*) FROM audit WHERE action = 'demo.reset'",
				makes: 1,
			}
		},
	}
}

// begun is the move-in report of a lease, with its address.
func (w *formFixture) begun() (at string, r *condition.Report) {
	w.Helper()
	lease := w.value(aLease)
	r, err := w.rules.Conditions.Report(w.Context(), *w.by, lease, condition.MoveIn)
	if fault.Is(err, fault.NoRecord) {
		r, err = w.rules.Conditions.Begin(w.Context(), *w.by, lease, condition.MoveIn)
	}
	pagetest.Must(w.T, err)
	return "/test/leases/" + lease + "/condition/move-in", r
}

// body is a form as a browser sends it: one with a file in parts.
func body(form url.Values) (kind string, sent []byte) {
	if !form.Has("file") && !form.Has("photos") {
		return "application/x-www-form-urlencoded", []byte(form.Encode())
	}
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	for name := range form {
		if name == "file" || name == "photos" {
			f, _ := m.CreateFormFile(name, "roll.csv")
			_, _ = f.Write([]byte(form.Get(name)))
			continue
		}
		_ = m.WriteField(name, form.Get(name))
	}
	_ = m.Close()
	return m.FormDataContentType(), b.Bytes()
}

// post sends bytes as the owner does, at the same time as others.
func (w *formFixture) post(at, kind string, sent []byte) *httptest.ResponseRecorder {
	q := httptest.NewRequestWithContext(w.Context(), http.MethodPost, pagetest.BaseURL+at, bytes.NewReader(sent))
	q.Header.Set("Content-Type", kind)
	q.Header.Set("Sec-Fetch-Site", "same-origin")
	q.AddCookie(&http.Cookie{Name: "session", Value: w.who.Session()})
	rec := httptest.NewRecorder()
	w.ServeHTTP(rec, q)
	return rec
}

func (w *formFixture) count(query string) (n int) {
	w.Helper()
	_, err := fmt.Sscan(w.value(query), &n)
	pagetest.Must(w.T, err)
	return n
}

// sentTwice sends a form four times at once and once more, and looks at what came of it.
func (w *formFixture) sentTwice(c creation) {
	w.Helper()
	page := c.page
	if page == "" {
		page = c.at
	}
	form := pagetest.With(w.who.Shown(page), c.fields...)
	form.Set("token", w.who.Token(page))
	kind, sent := body(form)
	before := w.count(c.count)
	if rec := w.post(c.at, kind, sent); rec.Code != http.StatusBadRequest || w.count(c.count) != before {
		w.Errorf("%s is taken without saying which form it is: %d", c.at, rec.Code)
	}
	form.Set("once", "this very form")
	kind, sent = body(form)
	var answers [4]*httptest.ResponseRecorder
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() { answers[i] = w.post(c.at, kind, sent) })
	}
	all.Wait()
	last := w.post(c.at, kind, sent)
	if made := w.count(c.count) - before; made != c.makes {
		w.Errorf("%s, sent five times, makes %d; want %d", c.at, made, c.makes)
	}
	to, shown := last.Header().Get("Location"), 0
	for _, a := range answers {
		switch {
		case a.Code == http.StatusOK:
			shown++
		case a.Code != http.StatusSeeOther || a.Header().Get("Location") != to:
			w.Errorf("%s leads to %q, another answer is %d and leads to %q:\n%s", c.at, to, a.Code,
				a.Header().Get("Location"), pagetest.Text(pagetest.Parse(w.T, a.Body.String())))
		}
	}
	if last.Code != http.StatusSeeOther || shown > 1 {
		w.Errorf("%s is shown %d times, and the last answer is %d", c.at, shown, last.Code)
	}
	to, _, _ = strings.Cut(to, "#") // the fragment stays in the browser
	w.who.Says(w.who.Get(to), http.StatusOK, "That form was sent before")
}

func TestEveryCreateFormIsAcceptedOnce(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		w := newFormFixture(t, d)
		all := w.creations()
		left := maps.Clone(all)
		order := []string{"/access", "/keys", "/test/import"} // what others need
		for _, r := range pagetest.TableOf(w.Pages) {
			if r.Once && !strings.HasPrefix(r.Path, "/live/") && !strings.HasPrefix(r.Path, "/trial/") &&
				all[r.Path] == nil {
				t.Errorf("%s creates something: say here how it is filled in", r.Path)
			} else if r.Once && all[r.Path] != nil && r.Path != "/test/demo/reset" {
				order = append(order, r.Path)
			}
		}
		for _, path := range append(order, "/test/demo/reset") {
			if left[path] == nil {
				continue
			}
			w.sentTwice(all[path]())
			if delete(left, path); path == "/access" {
				_, err := w.dev.Reviews.Approve(t.Context(), "dana@example.com", nil)
				pagetest.Must(t, err)
			}
		}
		for path := range left {
			t.Errorf("%s creates something, and may be sent twice", path)
		}
	})
}
