package ticket_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/ticket"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
)

// tenantFixture is a ticket that a tenant has submitted with two photos, and a member who manages it.
type tenantFixture struct {
	*pagetest.WebhookPages
	tenant access.Actor
	ticket *portfolio.Ticket
	photos []ticket.Picture
	at     string // of its page
	who    *pagetest.Reader
}

const complaint = "The kitchen faucet drips.\nAll night, and the bucket under it is full by the morning."

func newTenantFixture(t *testing.T, d *db.DB) *tenantFixture {
	t.Helper()
	y := &tenantFixture{WebhookPages: pagetest.NewWebhookPagesOn(t, d, pagetest.BaseURL)}
	l := y.Rent(portfolio.LeaseActive, "Dana")
	y.tenant, y.who = y.Actor(), y.Member(access.Manager)
	y.tenant.TenantID = l.TenantIDs[0]
	y.ticket, y.photos = y.submits(complaint, 2)
	y.at = "/test/tickets/" + y.ticket.ID
	return y
}

// submits submits a ticket of the tenant with some photos.
func (y *tenantFixture) submits(text string, photos int) (*portfolio.Ticket, []ticket.Picture) {
	y.Helper()
	var all []ticket.Picture
	var ids []string
	for i := range photos {
		y.Now = y.Now.Add(time.Second)
		p := ticket.Picture{
			Photo:     portfolio.Photo{ID: id.New(id.Photo, y.Now), Width: 64, Height: 48},
			CreatedAt: clock.At(y.Now),
			TenantID:  y.tenant.TenantID,
			Content:   drawn(y.T, 64, 48, i),
			Thumbnail: drawn(y.T, 16, 12, i),
			ExpiresAt: new(clock.At(y.Now.Add(time.Hour))),
		}
		y.OK(portfoliostore.New(y.DB).AddPhoto(y.Context(), y.Home.Test, &p))
		all, ids = append(all, p), append(ids, p.ID)
	}
	unit := y.Home.Unit[access.Test].ID
	m, err := y.Books.Tickets.SubmitTicket(y.Context(), y.tenant, ticket.Create{UnitID: &unit, Description: text}, ids)
	y.OK(err)
	return m.After, all
}

// drawn is a JPEG of a size, another one for each number.
func drawn(t *testing.T, width, height, number int) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		for y := range height {
			m.Set(x, y, color.RGBA{uint8(x * 255 / width), uint8(y * 255 / height), uint8(90 + 80*number), 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// writes has the tenant write a comment, a minute later.
func (y *tenantFixture) writes(words string) {
	y.Helper()
	y.Now = y.Now.Add(time.Minute)
	_, err := y.Books.Tickets.Comment(y.Context(), y.tenant, y.ticket.ID, "Dana Rivera", words)
	y.OK(err)
}

// activities are what happened to the ticket.
func (y *tenantFixture) activities() []portfolio.TicketActivity {
	y.Helper()
	all, err := y.Books.Tickets.Activities(y.Context(), y.Actor(), y.ticket.ID)
	y.OK(err)
	return all
}

// marks counts what a page says is new, or unread.
func (y *tenantFixture) marks(path string) (n int) {
	y.Helper()
	rec := y.who.Get(path)
	if rec.Code != http.StatusOK {
		y.Fatalf("%s: %d", path, rec.Code)
	}
	for e := range pagetest.Parse(y.T, rec.Body.String()).Descendants() {
		tag := e.Data == "span" && strings.HasPrefix(pagetest.Attr(e, "class"), "tag")
		if words := pagetest.Text(e); tag && (words == "New" || words == "Unread") {
			n++
		}
	}
	return n
}

func TestTicketPhotosAreServedOnlyToMembers(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		y := newTenantFixture(t, d)
		other, _ := y.submits("The window is stuck.", 1)
		for i, p := range y.photos {
			for path, want := range map[string][]byte{"": p.Content, "/thumbnail": p.Thumbnail} {
				at := y.at + "/photos/" + p.ID + path
				rec := y.who.Get(at)
				if rec.Code != http.StatusOK || !bytes.Equal(rec.Body.Bytes(), want) {
					t.Errorf("photo %d%s: %d, %d bytes", i, path, rec.Code, rec.Body.Len())
				}
				for name, want := range map[string]string{
					"Content-Type":            "image/jpeg",
					"X-Content-Type-Options":  "nosniff",
					"Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
					"Content-Disposition":     `inline; filename="photo.jpg"`,
					"Cache-Control":           "private, max-age=3600",
				} {
					if got := rec.Header().Get(name); got != want {
						t.Errorf("%s is %q, want %q", name, got, want)
					}
				}
				if rec := y.who.Send(http.MethodHead, at, nil, nil); rec.Code != http.StatusOK || rec.Body.Len() > 0 {
					t.Errorf("HEAD: %d with %d bytes", rec.Code, rec.Body.Len())
				}
				part := y.who.Send(
					http.MethodGet,
					at,
					nil,
					func(q *http.Request) { q.Header.Set("Range", "bytes=0-1") },
				)
				if part.Code != http.StatusPartialContent || !bytes.Equal(part.Body.Bytes(), want[:2]) {
					t.Errorf("a range: %d, %q", part.Code, part.Body)
				}
			}
		}
		photo := "/photos/" + y.photos[0].ID
		for _, path := range []string{
			"/test/tickets/" + other.ID + photo,
			"/live/tickets/" + y.ticket.ID + photo,
			y.at + "/photos/" + id.New(id.Photo, y.Now),
			y.at + "/photos/x",
			"/test/tickets/x" + photo,
		} {
			for _, size := range []string{"", "/thumbnail"} {
				rec := y.who.Get(path + size)
				y.who.Says(rec, http.StatusNotFound, "Page not found")
				if got := rec.Header().Get("Cache-Control"); got != "no-store" {
					t.Errorf("%s is kept: %s", path+size, got)
				}
			}
		}
		s := y.Stranger()
		s.Says(s.Get(y.at+photo), http.StatusNotFound, "Page not found")
		if rec := y.Guest().Get(y.at + photo); rec.Code != http.StatusSeeOther {
			t.Errorf("a guest is answered %d", rec.Code)
		}
	})
}

func TestTicketPageShowsPhotosAndReporter(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		y := newTenantFixture(t, d)
		page := y.who.Get(y.at)
		y.who.Says(page, http.StatusOK, "Reported by Dana Rivera on their tenant page")
		if to := pagetest.Link(t, page, "Dana Rivera"); to != "/test/tenants/"+y.tenant.TenantID {
			t.Errorf("the name leads to %q", to)
		}
		var said []string
		for e := range pagetest.Parse(t, page.Body.String()).Descendants() {
			if e.Type == html.ElementNode && e.Data == "img" {
				said = append(
					said,
					pagetest.Attr(e, "alt")+" "+pagetest.Attr(e, "src")+" "+pagetest.Attr(e.Parent, "href"),
				)
			}
		}
		for i, p := range y.photos {
			at := y.at + "/photos/" + p.ID
			want := "Photo " + string(rune('1'+i)) + " of 2: The kitchen faucet drips. " + at + "/thumbnail " + at
			if len(said) != 2 || said[i] != want {
				t.Errorf("%q, want %q", said, want)
			}
		}
		long, _ := y.submits(strings.Repeat("long ", 24), 1)
		if body := y.who.Get("/test/tickets/" + long.ID).Body.String(); !strings.Contains(
			body, `alt="Photo 1 of 1: `+strings.Repeat("long ", 16)+`…"`) {
			t.Error("a long title is not clipped")
		}
		other := y.Ticket("The roof leaks.")
		rec := y.who.Get("/test/tickets/" + other.ID)
		y.who.Says(rec, http.StatusOK, "Opened over the API")
		if body := rec.Body.String(); strings.Contains(body, "Conversation") || strings.Contains(body, "Photos") {
			t.Error("a ticket of the landlord has a conversation")
		}
	})
}

func TestReplyIsSentOnce(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		y := newTenantFixture(t, d)
		y.writes("It is worse now.\n<b>Much</b> worse.")
		page, at := y.who.Get(y.at), y.at+"/comments"
		for _, want := range []string{
			"Dana Rivera, tenant", "It is worse now. <b>Much</b> worse.", "Reply to Dana Rivera",
			"They have no email address", "At most 5,000 characters.",
		} {
			y.who.Says(page, http.StatusOK, want)
		}
		form := pagetest.With(
			y.who.Shown(y.at),
			"comment",
			"  A plumber comes.\r\nTomorrow.  ",
			"once",
			"this very form",
		)
		y.who.Leads(y.who.Post(at, y.at, form), y.at)
		y.who.Says(y.who.Get(y.at), http.StatusOK, "Your reply is sent.")
		y.who.Leads(y.who.Post(at, y.at, form), y.at)
		all := y.activities()
		if len(all) != 2 || all[1].Words != "A plumber comes.\nTomorrow." || all[1].ByTenant ||
			all[1].Author != "Maple & Oak" || all[1].Kind != portfolio.ActivityComment {
			t.Errorf("%+v", all)
		}
		for typed, why := range map[string]string{
			"  ":                       "This is required",
			strings.Repeat("x", 5_001): "Must have between 1 and 5,000 characters",
		} {
			rec := y.who.Post(at, y.at, pagetest.With(form, "comment", typed, "once", typed[:2]))
			y.who.Says(rec, http.StatusBadRequest, "Nothing was sent yetReply to Dana Rivera: "+why)
			if got := pagetest.FieldsOf(pagetest.Parse(t, rec.Body.String())).Get("comment"); strings.TrimSpace(got) !=
				strings.TrimSpace(typed) {
				t.Errorf("%d characters are kept of %d", len(got), len(typed))
			}
		}
		if got := y.activities(); len(got) != 2 {
			t.Errorf("%d activities", len(got))
		}
		y.who.Leads(y.who.Get(at), y.at)
		mine := y.Ticket("The roof leaks.")
		y.who.Says(y.who.Post("/test/tickets/"+mine.ID+"/comments", y.at, form), http.StatusNotFound, "")
		s := y.Stranger()
		s.Says(s.Post(at, "/test/tickets/new", form), http.StatusNotFound, "")
	})
}

func TestReplyFormSaysHowTenantIsNotified(t *testing.T) {
	y := onSQLite(t)
	tenant, err := y.Books.Tenants.Tenant(t.Context(), y.Actor(), y.tenant.TenantID)
	y.OK(err)
	tenant.Email = new("dana@example.com")
	y.OK(portfoliostore.New(y.DB).SaveTenant(t.Context(), y.Home.Test, tenant))
	y.who.Says(y.who.Get(y.at), http.StatusOK, "They get an email, at most once an hour.")
}

// onSQLite is a tenantFixture on SQLite, for a test that runs beside others.
func onSQLite(t *testing.T) *tenantFixture {
	t.Helper()
	t.Parallel()
	return newTenantFixture(t, dbtest.SQLite(t))
}

func TestVisitIsScheduledChangedAndRemoved(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		y := newTenantFixture(t, d)
		member := pagetest.Visitor("user_1", y.Home, access.Manager)
		member.Account.TimeZone = "America/Chicago"
		y.who = y.Reader(member)
		at := y.at + "/visit"
		plan := func(pairs ...string) {
			t.Helper()
			y.who.Leads(y.who.Post(at, y.at, pagetest.With(y.who.Shown(y.at), pairs...)), y.at)
		}
		plan("visit_date", "2026-11-13", "visit_from", "09:00", "visit_to", "11:30")
		y.who.Says(y.who.Get(y.at), http.StatusOK, "Visit scheduled.")
		got := y.now()
		start, end := clock.At(
			time.Date(2026, 11, 13, 15, 0, 0, 0, time.UTC),
		), clock.At(
			time.Date(2026, 11, 13, 17, 30, 0, 0, time.UTC),
		)
		if got.Status != portfolio.TicketScheduled || *got.ScheduledStart != start || *got.ScheduledEnd != end {
			t.Errorf("%s from %v to %v", got.Status, got.ScheduledStart, got.ScheduledEnd)
		}
		for _, want := range []string{
			"Visit planned: Nov 13, 2026, 9:00 AM to 11:30 AM CST", "Status changed to Scheduled", "Change visit",
		} {
			y.who.Says(y.who.Get(y.at), http.StatusOK, want)
		}
		plan()
		y.who.Says(y.who.Get(y.at), http.StatusOK, "Nothing was changed")
		plan("visit_from", "2:30 PM", "visit_to", "")
		if got := y.now(); *got.ScheduledStart != start+clock.Time((5*time.Hour+30*time.Minute).Milliseconds()) ||
			got.ScheduledEnd != nil {
			t.Errorf("from %v to %v", got.ScheduledStart, got.ScheduledEnd)
		}
		plan("remove", "on")
		if got := y.now(); got.ScheduledStart != nil || got.ScheduledEnd != nil || got.Status != portfolio.TicketOpen {
			t.Errorf("%s from %v to %v", got.Status, got.ScheduledStart, got.ScheduledEnd)
		}
		y.who.Says(y.who.Get(y.at), http.StatusOK, "Visit removed")
		s := y.Stranger()
		s.Says(s.Post(at, "/test/tickets/new", nil), http.StatusNotFound, "")
	})
}

// now is the ticket as it stands.
func (y *tenantFixture) now() *portfolio.Ticket {
	y.Helper()
	t, err := y.Books.Tickets.Ticket(y.Context(), y.Actor(), y.ticket.ID)
	y.OK(err)
	return t
}

func TestVisitErrorsAppearBesideFields(t *testing.T) {
	y := onSQLite(t)
	mine := y.Ticket("The roof leaks.")
	page := "/test/tickets/" + mine.ID
	form := pagetest.With(y.who.Shown(page), "visit_date", "2026-11-13", "visit_from", "09:00")
	for why, pairs := range map[string][]string{
		"Date: Enter a date.":                  {"visit_date", ""},
		"Date: Enter the date as":              {"visit_date", "soon"},
		"Date: Choose today or a later day.":   {"visit_date", "2026-11-11"},
		"Date: Choose a day within 10 years.":  {"visit_date", "9999-12-31"},
		"From: Enter a time.":                  {"visit_from", ""},
		"From: Enter a time, such as 2:30 PM.": {"visit_from", "noon"},
		"To: Enter a time after the start.":    {"visit_to", "08:59"},
		"Someone changed this after you":       {"version", "7"},
		"Date: It’s empty now.From: It’s emp":  {"version", "7"},
	} {
		rec := y.who.Post(page+"/visit", page, pagetest.With(form, pairs...))
		status := http.StatusBadRequest
		if pairs[0] == "version" {
			status = http.StatusConflict
		}
		y.who.Says(rec, status, why)
		if shown := pagetest.FieldsOf(
			pagetest.Parse(t, rec.Body.String()),
		); shown.Get(
			"visit_to",
		) != form.Get(
			"visit_to",
		) &&
			pairs[0] != "visit_to" {
			t.Errorf("%v is shown", shown)
		}
	}
	_, err := y.Books.Tickets.UpdateTicket(t.Context(), y.Actor(), change.Target{ID: mine.ID}, ticket.Update{
		Status: change.To(portfolio.TicketCompleted),
	})
	y.OK(err)
	y.who.Says(y.who.Get(page), http.StatusOK, "The work is over.")
	y.who.Leads(y.who.Post(page+"/visit", page, form), page)
	y.who.Says(y.who.Get(page), http.StatusOK, "The ticket is completed. Reopen it to schedule a visit.")
}

func TestTenantMessageIsUnreadUntilMemberViewsIt(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		y := newTenantFixture(t, d)
		const list = "/test/tickets"
		looked := func(when string, listed, shown int) {
			t.Helper()
			if got := y.marks(list); got != listed {
				t.Errorf("%s, the list has %d marks, want %d", when, got, listed)
			}
			y.who.Send(http.MethodHead, y.at, nil, nil)
			y.who.Get(y.at + "/photos/" + y.photos[0].ID)
			if got := y.marks(y.at); got != shown {
				t.Errorf("%s, the page has %d marks, want %d", when, got, shown)
			}
		}
		looked("submitted", 1, 1)
		looked("seen", 0, 0)
		y.writes("It is worse now.")
		y.writes("Much worse.")
		looked("written", 1, 3)
		y.who.Leads(y.who.Post(y.at+"/comments", y.at, pagetest.With(url.Values{}, "comment", "On our way.")), y.at)
		looked("answered", 0, 0)
		y.writes("Thanks.")
		stale := y.now()
		y.writes("One more thing.")
		y.OK(y.Books.Tickets.Look(t.Context(), y.Actor(), stale))
		looked("written after somebody has read", 1, 2)
	})
}

func TestIntegrationChangesAppearInConversation(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		y := newTenantFixture(t, d)
		_, err := y.Books.Tickets.UpdateTicket(t.Context(), y.Actor(), change.Target{ID: y.ticket.ID}, ticket.Update{
			Status: change.To(portfolio.TicketInProgress),
		})
		y.OK(err)
		y.who.Says(y.who.Get(y.at), http.StatusOK, "Status changed to In progress")
		for range 60 {
			y.writes("Hello?")
		}
		y.who.Says(y.who.Get(y.at), http.StatusOK, "Show 11 earlier")
		all := y.who.Get(y.at + "?activities=all")
		y.who.Says(all, http.StatusOK, "Status changed to In progress")
		if strings.Contains(y.who.Get(y.at).Body.String(), "Status changed to") {
			t.Error("what is earlier is shown")
		}
	})
}

func TestTicketPagesAreAccessible(t *testing.T) {
	b, y := pagetest.Browser(t), onSQLite(t)
	y.who.Leads(
		y.who.Post(
			y.at+"/visit",
			y.at,
			pagetest.With(y.who.Shown(y.at), "visit_date", "2026-11-13", "visit_from", "09:00"),
		),
		y.at,
	)
	y.writes("It is worse now.\nThe cabinet below is wet.")
	y.who.Leads(
		y.who.Post(y.at+"/comments", y.at, pagetest.With(url.Values{}, "comment", "A plumber comes tomorrow.")),
		y.at,
	)
	y.writes("Thank you!")
	y.who.Get(y.at)
	y.writes("They were here, and it drips again.")
	y.who.Looks(b, "/test/tickets", y.at)
}
