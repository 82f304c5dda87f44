package main

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"portal/web/webtest"
)

// TestTenantPageReportEndToEnd is the story of a tenant's page: a member emails the link, the tenant
// reports something with photos on a phone where no script runs, receivers and the landlord are told, the landlord
// answers, plans a visit and completes the work, and the tenant sees that and, with a code, what they owe. Not
// parallel: a browser leaves those little of the machine that are about time.
func TestTenantPageReportEndToEnd(t *testing.T) {
	b := webtest.Open(t, webtest.Config{
		Program: os.Getenv("PORTAL_TEST_CHROMIUM"),
		Modules: os.Getenv("PORTAL_TEST_NODE_MODULES"),
		Shots:   os.Getenv("PORTAL_TEST_SHOTS"),
	})
	t.Run("sqlite", func(t *testing.T) {
		s := newTenantStory(t, b)
		s.looks = true
		s.run()
	})
	if proving { // web/resident has every form of the page on both databases
		t.Run("postgres", func(t *testing.T) { newTenantStory(t, b, onPostgres(t)...).run() })
	}
}

// tenantStory is a tenant of the live portfolio of the demo, and a member of its account.
type tenantStory struct {
	*story
	looks    bool // at each page of the tenant, in both languages
	landlord *browserUser
	tenant   *browserUser
	email    string // of the tenant
	id       string // of the tenant
	path     string // of the tenant's page
	ticket   map[string]any
}

// tenantPhone is that of somebody who lets no script run.
var tenantPhone = webtest.Screen{Width: 360, Height: 780, Plain: true}

func newTenantStory(t *testing.T, b *webtest.Browser, env ...string) *tenantStory {
	t.Helper()
	s := &tenantStory{story: newStory(t, b, env...), email: "imani.okafor@example.com"}
	at := s.vars["PORTAL_URL"]
	s.landlord = &browserUser{Window: b.Window(t), at: at, screen: webtest.Desktop}
	s.tenant = &browserUser{Window: b.Window(t), at: at, screen: tenantPhone}
	return s
}

func (s *tenantStory) run() {
	s.Helper()
	s.listens("maintenance.created")
	s.isSentALink()
	s.looksAround()
	s.reports()
	s.isReceived()
	s.isAnswered()
	s.isFixed()
	s.isCharged()
	s.unlocks()
	s.reportsEmergencies()
	s.isRevoked()
}

// isSentALink has a member email the tenant the link of their page.
func (s *tenantStory) isSentALink() {
	s.Helper()
	for _, each := range s.live(http.MethodGet, "/tenants?limit=100", "")["data"].([]any) {
		if tenant := each.(map[string]any); tenant["email"] == s.email {
			s.id = tenant["id"].(string)
		}
	}
	d := s.landlord
	d.visit("/sign-in")
	d.write("email", s.vars["PORTAL_DEMO_LANDLORD"])
	d.write("password", s.vars["PORTAL_DEMO_PASSWORD"])
	d.goes("main form button[type=submit]", "/live/overview")
	d.visit("/live/tenants/" + s.id)
	d.goes(`main form[action$="/link/send"] button`, "/live/tenants/"+s.id)
	d.sees("Link is live")
	s.path = s.mailed(`/tenant/[\w-]+`)
}

// mailed is the path of a link in the newest email to the tenant that has one.
func (s *tenantStory) mailed(pattern string) string {
	s.Helper()
	link := s.office.link(s.T, s.email, regexp.QuoteMeta(s.vars["PORTAL_URL"])+pattern+`\s`)
	return strings.TrimSpace(strings.TrimPrefix(link, s.vars["PORTAL_URL"]))
}

// reports sends the form of the first page, with three photos.
func (s *tenantStory) reports() {
	s.Helper()
	p := s.tenant
	p.visit(s.path + "?lang=en")
	p.write("description", "The kitchen faucet drips all night.")
	p.tick("entry_permission", "granted")
	p.write("entry_notes", "The cat stays in the bedroom.")
	p.Attach("#photos", s.photos()...)
	p.goes(sendReport, s.path+"/tickets/tkt_")
	p.sees("sent to Harbor Lane Rentals")
	id, _, _ := strings.Cut(strings.TrimPrefix(p.Path(), s.path+"/tickets/"), "?")
	s.ticket = s.live(http.MethodGet, "/maintenance/tickets/"+id, "")
	s.look("ticket-sent")
}

// sendReport is the button that sends a form of the tenant.
const sendReport = "main form.report button[type=submit]"

// isReceived checks what receivers, the API and the landlord are told of the ticket.
func (s *tenantStory) isReceived() {
	s.Helper()
	id := s.ticket["id"].(string)
	eventually(s.T, "maintenance.created comes", func() bool { return len(s.receiver.came(id)) > 0 })
	about := s.about(s.receiver.came(id)[0])
	for _, p := range about["photos"].([]any) {
		if link, has := p.(map[string]any)["url"]; !has || link != nil {
			s.Errorf("an event has the link of a photo: %v", p)
		}
	}
	if len(about["photos"].([]any)) != 3 || about["id"] != id || about["tenant_id"] != s.id ||
		about["entry_permission"] != "granted" {
		s.Errorf("told of %v", about)
	}
	s.checkPhotos()
	s.office.link(s.T, s.vars["PORTAL_DEMO_LANDLORD"],
		regexp.QuoteMeta(s.vars["PORTAL_URL"])+`/live/tickets/`+id+`\s`)
}

// isAnswered has the landlord look, write and plan a visit, and the tenant read it.
func (s *tenantStory) isAnswered() {
	s.Helper()
	at, d := "/live/tickets/"+s.ticket["id"].(string), s.landlord
	d.visit(at)
	d.sees("The kitchen faucet drips all night.")
	s.follows("Reviewed", "ticket-reviewed",
		`document.querySelector(".steps [aria-current]")?.innerText === "Reviewed"`)
	d.write("comment", "A plumber comes on Tuesday. Please clear the cabinet.")
	d.goes(`main form[action$="/comments"] button[type=submit]`, at)
	d.sees("Please clear the cabinet.")
	day := time.Now().UTC().AddDate(0, 0, 7)
	for name, value := range map[string]string{
		"visit_date": day.Format(time.DateOnly),
		"visit_from": "09:00",
		"visit_to":   "12:00",
	} {
		d.Do(fmt.Sprintf(`document.querySelector("[name=%s]").value = %q`, name, value))
	}
	d.goes(`main form[action$="/visit"] button[type=submit]`, at)
	d.sees("Visit planned")
	s.follows("Please clear the cabinet.", "ticket-scheduled",
		`document.querySelector(".steps [aria-current]")?.innerText === "Scheduled"`)
	path := s.mailed(`/tenant/[\w-]+/tickets/` + s.ticket["id"].(string))
	stop := strings.Replace(path, "/tickets/"+s.ticket["id"].(string), "/mail/stop", 1)
	s.office.link(s.T, s.email, `List-Unsubscribe:\s*<`+regexp.QuoteMeta(s.vars["PORTAL_URL"]+stop)+`>`)
	s.tenant.visit(path + "?lang=en")
	s.tenant.sees(day.Format("Monday, January 2"))
	s.tenant.visit(stop)
	s.lookInBoth("mail-stop")
}

// follows has the tenant open the ticket until it says something.
func (s *tenantStory) follows(words, name, holds string) {
	s.Helper()
	p := s.tenant
	p.visit(s.path + "/tickets/" + s.ticket["id"].(string) + "?lang=en")
	p.sees(words)
	if !webtest.Value[bool](p.Window, holds) {
		s.Errorf("the steps of a ticket that is %s: %s", name, p.Text(".steps"))
	}
	s.lookInBoth(name)
}

// isFixed has the landlord complete the ticket.
func (s *tenantStory) isFixed() {
	s.Helper()
	at := "/live/tickets/" + s.ticket["id"].(string)
	s.landlord.visit(at)
	s.landlord.Click(".head .menu summary")
	s.landlord.goes(`main form[action$="/status"]:has(input[value="completed"]) button`, at)
	s.follows("Fixed", "ticket-fixed", `document.querySelectorAll(".steps .done").length === 4`)
}

// isCharged has the landlord charge what the tenant owes: a deposit that is late, and the water of next month.
func (s *tenantStory) isCharged() {
	s.Helper()
	d := s.landlord
	lease := s.live(http.MethodGet, "/leases?tenant_id="+s.id, "")["data"].([]any)[0].(map[string]any)["id"].(string)
	for _, charge := range []struct {
		kind, amount string
		days         int // from today until it is due
	}{{"deposit", "2100", -4}, {"utility", "84.50", 30}} {
		d.visit("/live/leases/" + lease + "/charge")
		d.Do(fmt.Sprintf(`document.querySelector("main [name=charge]").value = %q`, charge.kind))
		d.Do(fmt.Sprintf(`document.querySelector("main [name=due_date]").value = %q`,
			time.Now().UTC().AddDate(0, 0, charge.days).Format(time.DateOnly)))
		d.write("amount", charge.amount)
		d.goes(`main form.form button[type=submit]`, "/live/l")
	}
}

// unlocks has the tenant see money with the code from their mail.
func (s *tenantStory) unlocks() {
	s.Helper()
	p := s.tenant
	p.visit(s.path + "?lang=en")
	p.goes(`main a[href*="/unlock"]`, s.path+"/unlock")
	s.lookInBoth("unlock")
	p.goes(`main form[action*="/code"] button`, s.path+"/unlock")
	code := regexp.MustCompile(`\d{6}`).FindString(s.office.link(s.T, s.email, `(?:is|es) \d{6}\s`))
	s.lookInBoth("code")
	p.write("code", strings.Map(func(digit rune) rune { return '0' + '9' - digit }, code))
	p.goes(`main form[action*="/unlock"] button`, s.path+"/unlock")
	s.look("code-wrong")
	p.Do(`document.querySelector("main [name=code]").value = ""`)
	p.write("code", code)
	p.goes(`main form[action*="/unlock"] button`, s.path)
	p.sees("Balance due")
	s.lookInBoth("home-unlocked")
	for page, words := range map[string]string{"payments": "Charges and payments", "lease": "Monthly rent"} {
		p.visit(s.path + "/" + page + "?lang=en")
		p.sees(words)
		p.sees("$2,100.00")
		s.lookInBoth(page)
	}
}

// isRevoked has the member end the link, which opens nothing then.
func (s *tenantStory) isRevoked() {
	s.Helper()
	s.landlord.visit("/live/tenants/" + s.id)
	s.landlord.goes(`main form[action$="/link/revoke"] button`, "/live/tenants/"+s.id)
	for _, path := range []string{"", "/payments", "/tickets", "/tickets/" + s.ticket["id"].(string)} {
		if answer, _ := s.fetches(s.path + path); answer.StatusCode != http.StatusNotFound {
			s.Errorf("%s after the link has ended: %s", path, answer.Status)
		}
	}
	answer, _ := s.posts(s.path+"/unlock", "application/x-www-form-urlencoded", strings.NewReader("code=123456"))
	if answer.StatusCode != http.StatusNotFound {
		s.Errorf("a form after the link has ended: %s", answer.Status)
	}
	s.tenant.visit(s.path)
	s.look("gone")
}
