package resident_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/ticket"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/db/dbtest"
	"portal/db/retentionstore"
	"portal/web/pagetest"
)

// newReporter is a tenant who can report, and the form of a report with a name of its own.
func newReporter(f *tenantPages) (r *renter, report func(name string) url.Values) {
	f.Helper()
	r = f.rents(&f.home, f.home.Live, "3A", portfolio.PartyPrimary)[0]
	return r, func(name string) url.Values {
		return url.Values{"form": {name}, "description": {"The window is stuck."}, "entry_permission": {"granted"}}
	}
}

// stored are how many tickets, photos, activities, emails and forms there are.
func (f *tenantPages) stored() string {
	f.Helper()
	var all []string
	for _, table := range []string{"tickets", "ticket_photos", "ticket_activities", "mails", "sent_forms"} {
		all = append(all, fmt.Sprint(table, " ", f.count(table)))
	}
	return strings.Join(all, ", ")
}

// refuses checks that an answer refuses, in words, and that nothing is stored.
func (f *tenantPages) refuses(send func() *httptest.ResponseRecorder, status int, all ...string) {
	f.Helper()
	before := f.stored()
	f.says(send(), status, all...)
	if after := f.stored(); after != before {
		f.Errorf("before %s, then %s", before, after)
	}
	if left, err := os.ReadDir(f.spool); err != nil || len(left) > 0 {
		f.Errorf("files are left: %v, %v", left, err)
	}
}

func TestTenantLinkAllowsTenTicketsADay(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r, report := newReporter(f)
		for i := range tenantportal.MostTickets {
			f.says(f.posts(r.at("/tickets"), report(fmt.Sprint(i))), http.StatusSeeOther)
		}
		f.refuses(func() *httptest.ResponseRecorder { return f.posts(r.at("/tickets"), report("x")) },
			http.StatusTooManyRequests, "You can send 10 tickets a day. In an emergency, call.", "The window is stuck.")
		f.refuses(func() *httptest.ResponseRecorder { return f.posts(r.at("/tickets?lang=es"), report("x")) },
			http.StatusTooManyRequests, "Puede enviar 10 solicitudes al día. En una emergencia, llame.")
		r.link = f.newLink(r, false)
		f.refuses(func() *httptest.ResponseRecorder { return f.posts(r.at("/tickets"), report("y")) },
			http.StatusTooManyRequests)
		f.now = f.now.AddDate(0, 0, 1)
		f.says(f.posts(r.at("/tickets"), report("x")), http.StatusSeeOther)
		if n := f.count("tickets"); n != tenantportal.MostTickets+1 {
			f.Errorf("%d tickets", n)
		}
	})
}

func TestTenantLinkAllowsTwentyPhotosADay(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r, report := newReporter(f)
		photo := picture(f.T, 32)
		five := [][]byte{photo, photo, photo, photo, photo}
		for i := range tenantportal.MostPhotos/portfolio.MostPhotos - 1 {
			f.says(f.sends(r.at("/tickets"), report(fmt.Sprint(i)), five...), http.StatusSeeOther)
		}
		f.says(f.sends(r.at("/tickets"), report("17"), photo, photo), http.StatusSeeOther)
		f.refuses(func() *httptest.ResponseRecorder { return f.sends(r.at("/tickets"), report("x"), five...) },
			http.StatusTooManyRequests, "You can send 20 photos a day. Try again tomorrow.")
		f.says(f.sends(r.at("/tickets"), report("20"), five[:3]...), http.StatusSeeOther)
		f.refuses(func() *httptest.ResponseRecorder { return f.sends(r.at("/tickets?lang=es"), report("x"), photo) },
			http.StatusTooManyRequests, "Puede enviar 20 fotos al día. Intente mañana.")
		if n := f.count("ticket_photos WHERE ticket_id IS NOT NULL"); n != tenantportal.MostPhotos {
			f.Errorf("%d photos", n)
		}
		f.says(f.sends(r.at("/tickets"), report("x")), http.StatusSeeOther)
		f.now = f.now.AddDate(0, 0, 1)
		f.says(f.sends(r.at("/tickets"), report("y"), five...), http.StatusSeeOther)
	})
}

func TestDuplicateTenantFormsAreAcceptedOnce(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		all := f.rents(&f.home, f.home.Live, "3A", portfolio.PartyPrimary, portfolio.PartyCoTenant)
		r, form := all[0], url.Values{"form": {"one"}, "description": {"The window is stuck."}}
		photo := picture(f.T, 32)
		together := func(path string, form url.Values) (to string) {
			f.Helper()
			answers := make([]*httptest.ResponseRecorder, 10)
			var wait sync.WaitGroup
			for i := range answers {
				wait.Go(func() { answers[i] = f.sends(path, form, photo) })
			}
			wait.Wait()
			to = answers[0].Header().Get("Location")
			for _, rec := range append(answers, f.sends(path, form, photo)) {
				if rec.Code != http.StatusSeeOther || rec.Header().Get("Location") != to {
					f.Errorf("%d to %q, want 303 to %q", rec.Code, rec.Header().Get("Location"), to)
				}
			}
			return to
		}
		at := together(r.at("/tickets"), form)
		path, _, _ := strings.Cut(at, "?")
		together(path+"/comments", url.Values{"form": {"one"}, "words": {"It leaks, too."}})
		if got, want := f.stored(), "tickets 1, ticket_photos 2, ticket_activities 2, mails 1, sent_forms "+
			"2"; got != want {
			f.Errorf("%s, want %s", got, want)
		}
		f.says(f.posts(all[1].at("/tickets"), form), http.StatusSeeOther) // the name is that of somebody else's form
		if n := f.count("tickets"); n != 2 {
			f.Errorf("%d tickets", n)
		}
	})
}

func TestUnattachedPhotosExpireAfterOneDay(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r, report := newReporter(f)
		f.reports(r) // with a photo, and another one that waits
		refused := f.sends(r.at("/tickets"), url.Values{"form": {"x"}}, picture(f.T, 32))
		f.says(refused, http.StatusBadRequest, "Photos that are attached", "Photo 1")
		forget := func() {
			_, err := retentionstore.New(f.db).ForgetExpired(f.Context(), clock.At(f.now), 100)
			pagetest.Must(f, err)
		}
		f.now = f.now.Add(24*time.Hour - time.Second)
		forget()
		if n := f.count("ticket_photos WHERE ticket_id IS NULL"); n != 2 {
			f.Errorf("within a day %d photos wait", n)
		}
		f.now = f.now.Add(time.Second)
		forget()
		if waiting, all := f.count(
			"ticket_photos WHERE ticket_id IS NULL",
		), f.count(
			"ticket_photos",
		); waiting != 0 ||
			all != 1 {
			f.Errorf("after a day %d photos wait of %d", waiting, all)
		}
		form := report("x")
		form["kept"] = []string{r.waiting}
		f.says(f.posts(r.at("/tickets"), form), http.StatusSeeOther)
		if rec := f.gets(r.at("/tickets/" + r.ticket + "/photos/" + r.photo)); rec.Code != http.StatusOK {
			f.Errorf("the photo of the ticket: %d", rec.Code)
		}
	})
}

func TestOnlyCurrentResidentsReport(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		all := f.rents(
			&f.home,
			f.home.Live,
			"3A",
			portfolio.PartyPrimary,
			portfolio.PartyCoTenant,
			portfolio.PartyGuarantor,
		)
		n := 0
		send := func(r *renter, query string) *httptest.ResponseRecorder {
			n++
			form := url.Values{"form": {fmt.Sprint(n)}, "description": {"The window is stuck."}}
			return f.sends(r.at("/tickets"+query), form, picture(f.T, 32))
		}
		refuses := func(r *renter) {
			f.Helper()
			f.refuses(func() *httptest.ResponseRecorder { return send(r, "") }, http.StatusConflict,
				"Reports are for people who live there today.")
			f.refuses(func() *httptest.ResponseRecorder { return send(r, "?lang=es") }, http.StatusConflict,
				"Esto es para quienes viven ahí hoy.")
		}
		f.says(send(all[0], ""), http.StatusSeeOther)
		f.says(send(all[1], ""), http.StatusSeeOther)
		refuses(all[2])
		lease := func(status portfolio.LeaseStatus, start, end clock.Date) {
			dbtest.Exec(f, f.db, "UPDATE leases SET status = $1, start_date = $2, end_date = $3 WHERE id = $4",
				string(status), start, end, all[0].lease)
		}
		lease(portfolio.LeaseSigned, clock.Day(2026, 11, 20), clock.Day(2027, 11, 19))
		refuses(all[0])
		lease(portfolio.LeaseExpired, clock.Day(2025, 11, 1), clock.Day(2026, 11, 1))
		refuses(all[0])
		refuses(all[1])
		lease(portfolio.LeaseActive, clock.Day(2025, 11, 1), clock.Day(2027, 11, 1))
		f.says(send(all[0], ""), http.StatusSeeOther)
	})
}

func TestTenantCancelsOnlyOpenTickets(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r, _ := newReporter(f)
		f.reports(r)
		begun, path := r.ticket, r.at("/tickets/"+r.ticket+"/cancel")
		_, err := f.rules.Tickets.UpdateTicket(f.Context(), r.by, change.Target{ID: begun},
			ticket.Update{Status: change.To(portfolio.TicketInProgress)})
		pagetest.Must(f, err)
		f.refuses(func() *httptest.ResponseRecorder { return f.posts(path, nil) }, http.StatusConflict,
			"Work on it has started. Send a message instead.", "In progress")
		f.refuses(func() *httptest.ResponseRecorder { return f.posts(path+"?lang=es", nil) }, http.StatusConflict,
			"Ya empezaron a trabajar. Mejor envíe un mensaje.")
		f.reports(r)
		before := f.count("ticket_activities")
		for range 2 {
			f.says(f.posts(r.at("/tickets/"+r.ticket+"/cancel"), nil), http.StatusSeeOther)
		}
		if n := f.count("tickets WHERE status = 'cancelled'"); n != 1 || f.count("ticket_activities") != before+1 {
			f.Errorf("%d canceled, %s", n, f.stored())
		}
	})
}

func TestTicketFixedWithoutVisitHasNoScheduledStep(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r, _ := newReporter(f)
		f.reports(r)
		path := r.at("/tickets/" + r.ticket)
		f.says(f.gets(path), http.StatusOK, "ReviewedScheduledFixed")
		_, err := f.rules.Tickets.UpdateTicket(f.Context(), r.by, change.Target{ID: r.ticket},
			ticket.Update{Status: change.To(portfolio.TicketCompleted)})
		pagetest.Must(f, err)
		f.says(f.gets(path), http.StatusOK, "Done: ReviewedDone: Fixed")
		f.says(f.gets(path+"?lang=es"), http.StatusOK, "Listo: RevisadaListo: Resuelta")
	})
}

func TestTenantTextIsLimitedAndValidated(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r, report := newReporter(f)
		f.reports(r)
		comments := r.at("/tickets/" + r.ticket + "/comments")
		comment := func(name, words string) url.Values { return url.Values{"form": {name}, "words": {words}} }
		f.says(f.posts(comments, comment("full", strings.Repeat("ñ", 5000))), http.StatusSeeOther)
		for i, words := range []string{strings.Repeat("ñ", 5001), "a\x00b", "a\xffb", "", " \n "} {
			for query, label := range map[string]string{"": "Message to dana: ", "?lang=es": "Escriba un mensaje"} {
				f.refuses(func() *httptest.ResponseRecorder {
					return f.posts(comments+query, comment(fmt.Sprint(i), words))
				}, http.StatusBadRequest, label)
			}
		}
		for i, words := range []string{strings.Repeat("ñ", 10_001), "a\x00b", "a\xffb", "", " \n "} {
			for _, field := range []string{"description", "entry_notes"} {
				if field == "entry_notes" && strings.TrimSpace(words) == "" {
					continue // is optional
				}
				form := report(fmt.Sprint(i))
				form.Set(field, words)
				for query, label := range map[string]string{"": "Not sent yet", "?lang=es": "Escriba "} {
					f.refuses(func() *httptest.ResponseRecorder { return f.posts(r.at("/tickets"+query), form) },
						http.StatusBadRequest, label)
					rec := f.posts(r.at("/tickets"+query), form)
					if body := rec.Body.String(); !strings.Contains(body, `id="field-`+field+`-error"`) {
						f.Errorf("no error beside %s for %.10q: %s", field, words, body)
					}
				}
			}
		}
		for _, name := range []string{"", strings.Repeat("x", 65)} {
			f.refuses(func() *httptest.ResponseRecorder { return f.posts(r.at("/tickets"), report(name)) },
				http.StatusBadRequest)
		}
	})
}

func TestRefusedPhotosGetClearErrors(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r, report := newReporter(f)
		photo := picture(f.T, 32)
		six := slices.Repeat([][]byte{photo}, 6)
		heic := append([]byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"), make([]byte, 100)...)
		for what, bad := range map[[2]string][][]byte{
			{"Send up to 5 photos in all.", "Envíe hasta 5 fotos en total."}:                six,
			{"Photo 1: The picture is damaged", "Foto 1: La imagen está dañada"}:            {heic},
			{"Photo 1: The file is not a JPEG", "Foto 1: El archivo no es una imagen"}:      {[]byte("hello")},
			{"Photo 1: The picture is larger than 10 MB.", "Foto 1: La imagen pesa más de"}: {make([]byte, 10<<20+1)},
		} {
			for i, query := range []string{"", "?lang=es"} {
				f.refuses(
					func() *httptest.ResponseRecorder { return f.sends(r.at("/tickets"+query), report("x"), bad...) },
					http.StatusUnprocessableEntity,
					what[i],
					"The window is stuck.",
				)
			}
		}
		f.says(f.sends(r.at("/tickets"), report("x"), photo, photo, photo), http.StatusSeeOther)
		at, _, _ := strings.Cut(f.sends(r.at("/tickets"), report("x")).Header().Get("Location"), "?")
		for query, said := range map[string]string{
			"?lang=en": "A ticket takes at most 5 photos.",
			"?lang=es": "Una solicitud tiene 5 fotos como máximo.",
		} {
			rec := f.sends(at+"/comments"+query, url.Values{"form": {"z"}}, photo, photo, photo)
			f.says(rec, http.StatusBadRequest, said)
		}
		if n := f.count("ticket_photos WHERE ticket_id IS NOT NULL"); n != 3 || f.count("ticket_activities") != 0 {
			f.Errorf("%d photos, %s", n, f.stored())
		}
	})
}

// upload is a form with files that is made while it is read.
type upload struct {
	io.Reader
	read int64
}

// Read is io.Reader.
func (u *upload) Read(b []byte) (int, error) {
	n, err := u.Reader.Read(b)
	u.read += int64(n)
	return n, err
}

// uploads posts a form with a file of so many bytes, and tells how many bytes of it were read.
func (f *tenantPages) uploads(path string, size int64) (rec *httptest.ResponseRecorder, read int64) {
	f.Helper()
	var head bytes.Buffer
	m := multipart.NewWriter(&head)
	pagetest.Must(f, m.WriteField("form", "x"))
	pagetest.Must(f, m.WriteField("description", "The window is stuck."))
	_, err := m.CreateFormFile("photos", "photo.jpg")
	pagetest.Must(f, err)
	tail := strings.NewReader("\r\n--" + m.Boundary() + "--\r\n")
	u := &upload{Reader: io.MultiReader(&head, io.LimitReader(zeros{}, size), tail)}
	r := httptest.NewRequestWithContext(f.Context(), http.MethodPost, path, u)
	r.Header.Set("Content-Type", m.FormDataContentType())
	rec = httptest.NewRecorder()
	f.ServeHTTP(rec, r)
	return rec, u.read
}

// zeros has no end.
type zeros struct{}

// Read is io.Reader.
func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

func TestOversizedFormKeepsInput(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r, _ := newReporter(f)
		for query, said := range map[string]string{
			"":         "The photos are larger than 10 MB each. Send fewer, or smaller ones.",
			"?lang=es": "Las fotos pesan más de 10 MB cada una. Envíe menos, o más pequeñas.",
		} {
			f.refuses(func() *httptest.ResponseRecorder {
				rec, _ := f.uploads(r.at("/tickets"+query), 51<<20)
				return rec
			}, http.StatusUnprocessableEntity, said, "The window is stuck.")
		}
	})
}

// A form that is too large and does not say which one it is has nothing to be kept by.
func TestOversizedFormWithoutNameIsRefused(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r, _ := newReporter(f)
		f.refuses(func() *httptest.ResponseRecorder {
			form := url.Values{"description": {"There is a very strong smell of gas"}}
			return f.sends(r.at("/tickets"), form, make([]byte, 51<<20))
		}, http.StatusRequestEntityTooLarge)
	})
}

func TestUploadToInvalidLinkIsNotRead(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r, _ := newReporter(f)
		other := f.rents(&f.home, f.home.Live, "4B", portfolio.PartyPrimary)[0]
		f.reports(r, other)
		revoked := *other
		for _, path := range []string{
			tenantportal.Path + secret.New() + "/tickets",
			tenantportal.Path + secret.New() + "/tickets/" + r.ticket + "/comments",
			r.at("/tickets/" + other.ticket + "/comments"),
			r.at("/tickets/x/comments"),
		} {
			f.refuses(func() *httptest.ResponseRecorder {
				rec, read := f.uploads(path, 1<<20)
				if read > 0 {
					f.Errorf("%s: %d bytes were read", path, read)
				}
				return rec
			}, http.StatusNotFound, "This link doesn’t work")
		}
		pagetest.Must(f, f.tenants.RevokeLink(f.Context(), other.by, other.id))
		if rec, read := f.uploads(revoked.at("/tickets"), 1<<20); rec.Code != http.StatusNotFound || read > 0 {
			f.Errorf("revoked: %d after %d bytes", rec.Code, read)
		}
	})
}

func TestTenantPagesAreInSpanish(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r, _ := newReporter(f)
		f.reports(r)
		cookie := f.unlocks(r)
		pages := map[string][2]string{
			"":                     {"Report a problem", "Reportar un problema"},
			"/payments":            {"Charges and payments", "Cargos y pagos"},
			"/lease":               {"Monthly rent", "Renta mensual"},
			"/unlock":              {"Show amounts and documents", "Mostrar montos y documentos"},
			"/tickets":             {"Your tickets", "Sus solicitudes"},
			"/tickets/" + r.ticket: {"Send a message", "Enviar un mensaje"},
			"/mail/stop":           {"Stop emails", "Detener los correos"},
			"/mail/rent/stop":      {"Stop emails about rent?", "¿No recibir más correos sobre la renta?"},
		}
		for path, said := range pages {
			for i, ask := range [][2]string{
				{"", "en-US,es;q=0.5"}, {"", "es-MX,es;q=0.9,en;q=0.5"}, {"?lang=en", "es"}, {"?lang=es", "en"},
			} {
				request := httptest.NewRequestWithContext(f.Context(), http.MethodGet, r.at(path)+ask[0], http.NoBody)
				request.Header.Set("Accept-Language", ask[1])
				request.AddCookie(cookie)
				rec := httptest.NewRecorder()
				f.ServeHTTP(rec, request)
				f.says(rec, http.StatusOK, said[i%2])
				lang := []string{"en", "es"}[i%2]
				if body := rec.Body.String(); !strings.Contains(body, `<html lang="`+lang+`"`) ||
					strings.Contains(words(rec), said[1-i%2]) {
					f.Errorf("%s in %s:\n%s", path, lang, words(rec))
				}
			}
		}
	})
}

func TestTenantFormErrorsAreInSpanish(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r, report := newReporter(f)
		f.reports(r)
		bad := report("x")
		bad.Set("entry_permission", "maybe")
		f.says(f.posts(r.at("/tickets?lang=es"), bad), http.StatusBadRequest, "Elija una de las opciones.")
		f.says(f.posts(r.at("/unlock?lang=es"), url.Values{"code": {"000000"}}), http.StatusBadRequest, "código")
		for range 3 {
			f.says(f.posts(r.at("/code?lang=es"), nil), http.StatusSeeOther)
		}
		f.says(
			f.posts(r.at("/code?lang=es"), nil),
			http.StatusTooManyRequests,
			"Se envían como máximo 3 códigos por hora.",
		)
	})
}

func TestRefusedFormLinksToOtherLanguage(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r, _ := newReporter(f)
		f.reports(r)
		ticket := r.at("/tickets/" + r.ticket)
		rec := f.posts(ticket+"/comments", url.Values{"form": {"1"}})
		if !strings.Contains(rec.Body.String(), `href="`+ticket+`?lang=es"`) {
			f.Errorf("%d: %s", rec.Code, rec.Body)
		}
	})
}

func TestLinkedPhotosAreNotCached(t *testing.T) {
	f := newTenantPages(t, dbtest.SQLite(t), false)
	r, report := newReporter(f)
	sent := f.sends(r.at("/tickets"), report("1"), picture(t, 32))
	at, _, _ := strings.Cut(sent.Header().Get("Location"), "?")
	photo := dbtest.Texts(f, f.db, "SELECT id FROM ticket_photos")[0]
	linked := strings.TrimPrefix(f.tenants.PhotoLink(photo, f.now), pagetest.BaseURL)
	for _, path := range []string{at + "/photos/" + photo, at + "/photos/" + photo + "/thumbnail", linked} {
		rec := f.gets(path)
		if h := rec.Header(); rec.Code != http.StatusOK || h.Get("Cache-Control") != "no-store" ||
			h.Get("Content-Type") != "image/jpeg" || h.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.Contains(h.Get("Content-Security-Policy"), "sandbox") {
			f.Errorf("%s: %d, %v", path, rec.Code, h)
		}
	}
}

// sentPage is the page that follows a form, as the browser that sent it sees it once.
func (f *tenantPages) sentPage(sent *httptest.ResponseRecorder) *httptest.ResponseRecorder {
	f.Helper()
	f.says(sent, http.StatusSeeOther)
	return f.gets(sent.Header().Get("Location"), sent.Result().Cookies()...)
}

func TestDangerBesideTrifleShowsAdvice(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r, report := newReporter(f)
		for i, text := range []string{
			"towel rod is loose, fire in kitchen",
			"I wanted to ask about the paint. There is a fire in the kitchen.",
		} {
			form := pagetest.With(report(fmt.Sprint("beside", i)), "description", text)
			f.says(f.sentPage(f.posts(r.at("/tickets"), form)), http.StatusOK, "Stay safe first", "Get everybody out")
		}
	})
}

func TestEmergencyIsSentByFirstPressWhateverIsWrong(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r, report := newReporter(f)
		photo := picture(f.T, 32)
		emergency := func(name string, pairs ...string) url.Values {
			return pagetest.With(report(name), append([]string{"description", "There is a very strong smell of gas"},
				pairs...)...)
		}
		const leave = "Leave the home now"
		page := f.sentPage(f.sends(r.at("/tickets"), emergency("plain"), photo))
		f.says(page, http.StatusOK, "Stay safe first", leave, "T-1001 sent to")
		if body := page.Body.String(); strings.Index(body, "advice") > strings.Index(body, "sent to") {
			f.Errorf("something stands above the advice: %s", body)
		}
		again := f.gets(r.at("/tickets/" + dbtest.Texts(f, f.db, "SELECT id FROM tickets")[0]))
		if said := words(again); strings.Contains(said, "sent to") || !strings.Contains(said, leave) {
			f.Errorf("loaded again it says: %s", said)
		}
		if got, want := f.stored(), "tickets 1, ticket_photos 1, ticket_activities 0, mails 1, sent_forms 1"; got != want {
			f.Errorf("%s, want %s", got, want)
		}
		const noPhotos, noNotes = "Some photos were not sent with it: add them below.", "It does not say whether"
		f.says(
			f.sentPage(f.sends(r.at("/tickets"), emergency("broken"), []byte("no photo"))),
			http.StatusOK,
			leave,
			noPhotos,
		)
		f.says(f.sentPage(f.posts(r.at("/tickets"), emergency("long", "entry_notes", strings.Repeat("x", 1001)))),
			http.StatusOK, leave, noNotes)
		f.says(f.sentPage(f.posts(r.at("/tickets?lang=es"), emergency("wrong", "entry_permission", "maybe"))),
			http.StatusOK, "No dice si se puede entrar")
		five := [][]byte{photo, photo, photo, photo, photo}
		for i := range 3 {
			f.says(f.sends(r.at("/tickets"), report(fmt.Sprint(i)), five...), http.StatusSeeOther)
		}
		f.says(
			f.sentPage(f.sends(r.at("/tickets?lang=en"), emergency("many"), five...)),
			http.StatusOK,
			leave,
			noPhotos,
		)
		for i := f.count("tickets"); i < tenantportal.MostTickets; i++ {
			f.says(f.posts(r.at("/tickets"), report(fmt.Sprint("more", i))), http.StatusSeeOther)
		}
		f.refuses(func() *httptest.ResponseRecorder { return f.posts(r.at("/tickets"), report("x")) },
			http.StatusTooManyRequests)
		mails := f.count("mails")
		f.says(f.sentPage(f.sends(r.at("/tickets?lang=en"), emergency("eleventh"), photo)), http.StatusOK, leave)
		if n := f.count("mails"); n != mails+1 {
			f.Errorf("%d emails of the eleventh, an emergency", n-mails)
		}
		for i := range tenantportal.MostEmergencies - 1 {
			f.says(f.posts(r.at("/tickets"), emergency(fmt.Sprint("e", i))), http.StatusSeeOther)
		}
		f.refuses(func() *httptest.ResponseRecorder { return f.posts(r.at("/tickets?lang=en"), emergency("last")) },
			http.StatusTooManyRequests, "That is enough for today. Call instead.")
	})
}
