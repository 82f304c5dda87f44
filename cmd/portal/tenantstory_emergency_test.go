package main

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"portal/web/webtest"
)

// emergencies are reports that are answered with advice, as people write them.
var emergencies = []struct{ text, lang, advice string }{
	{"I smell gaz in the kitchn", "en", "Leave the home now"},
	{"gas leak", "en", "Leave the home now"},
	{"Huele a gas", "es", "Salga de la vivienda ahora"},
	{"fuga de gaz en la cosina", "es", "Salga de la vivienda ahora"},
}

// reportsEmergencies has the tenant send each by the first press and read what to do, and leads the tickets to those
// states that the first one did not have.
func (s *tenantStory) reportsEmergencies() {
	s.Helper()
	photos := s.photos()
	var tickets []string
	for i, e := range emergencies {
		p := s.tenant
		before := s.reported()
		p.visit(s.path + "/tickets?lang=" + e.lang)
		p.write("description", e.text)
		p.tick("entry_permission", "denied")
		p.Attach("#photos", photos...)
		form := s.form()
		p.goes(sendReport, s.path+"/tickets/tkt_")
		s.isAdvised(e.text, e.advice)
		if i%2 == 0 {
			s.look("advice")
		}
		s.isSentOnce(form)
		id, _, _ := strings.Cut(strings.TrimPrefix(p.Path(), s.path+"/tickets/"), "?")
		tickets = append(tickets, id)
		made := s.live(http.MethodGet, "/maintenance/tickets/"+id, "")
		if made["priority"] != "emergency" || made["description"] != e.text || made["entry_permission"] != "denied" ||
			len(made["photos"].([]any)) != len(photos) || s.reported() != before+1 {
			s.Errorf("%q became %v", e.text, made)
		}
		s.office.link(s.T, s.vars["PORTAL_DEMO_LANDLORD"],
			regexp.QuoteMeta(s.vars["PORTAL_URL"])+`/live/tickets/`+id+`\s`)
	}
	s.leads(tickets)
}

// leads has tickets in states that the landlord alone knows, and one that the tenant cancels.
func (s *tenantStory) leads(tickets []string) {
	s.Helper()
	p := s.tenant
	p.visit(s.path + "/tickets/" + tickets[0] + "?lang=en")
	p.sees("Stay safe first")
	s.lookInBoth("ticket-emergency")
	p.goes(`main form[action*="/cancel"] button`, s.path+"/tickets/"+tickets[0])
	p.sees("Canceled")
	if webtest.Value[bool](p.Window, `!!document.querySelector(".steps")`) {
		s.Errorf("a canceled ticket shows how far it has come: %s", p.Text(".steps"))
	}
	s.lookInBoth("ticket-canceled")
	for i, status := range []string{"in_progress", "on_hold"} {
		s.live(http.MethodPatch, "/maintenance/tickets/"+tickets[i+1], `{"status":"`+status+`"}`)
		p.visit(s.path + "/tickets/" + tickets[i+1] + "?lang=en")
		p.sees(map[string]string{"in_progress": "In progress", "on_hold": "On hold"}[status])
		s.lookInBoth("ticket-" + status)
	}
	p.visit(s.path + "?lang=en")
	s.lookInBoth("home-tickets")
	p.visit(s.path + "/tickets?lang=en")
	s.lookInBoth("tickets")
}

// reported is how many tickets of the tenant the API has.
func (s *tenantStory) reported() int {
	s.Helper()
	return len(s.live(http.MethodGet, "/maintenance/tickets?limit=100&tenant_id="+s.id, "")["data"].([]any))
}

// isAdvised checks that the page has the advice above everything, with numbers to call, and says once that the report
// was sent.
func (s *tenantStory) isAdvised(text, advice string) {
	s.Helper()
	p := s.tenant
	said := p.Text("main .advice")
	for _, want := range []string{advice, "911", "(512) 555-0100", "Harbor Lane Rentals"} {
		if !strings.Contains(said, want) {
			s.Errorf("the advice about %q does not say %q: %s", text, want, said)
		}
	}
	for what, holds := range map[string]string{
		"a link to call 911":      `document.querySelector(".advice a[href='tel:911']")`,
		"a link to call them":     `document.querySelector(".advice a[href='tel:+15125550100']")`,
		"the advice first":        `document.querySelector("main > :first-child").matches(".advice")`,
		"that the report is sent": `document.querySelector("main > .note.ok[role=status]")`,
	} {
		if !webtest.Value[bool](p.Window, "!!("+holds+")") {
			s.Errorf("the page about %q has not %s", text, what)
		}
	}
	p.visit(p.Path())
	if webtest.Value[bool](p.Window, `!!document.querySelector("main > .note.ok[role=status]")`) {
		s.Errorf("the page about %q says again that it is sent when it is loaded again", text)
	}
}

// form is what the form that the tenant has open sends, as a query.
func (s *tenantStory) form() string {
	s.Helper()
	return webtest.Value[string](s.tenant.Window, `(() => {
		const all = new FormData(document.querySelector("main form.report"));
		all.delete("photos");
		return new URLSearchParams(all).toString();
	})()`)
}

// isSentOnce sends a form that was sent once more, as an impatient reader does: it leads to the same ticket.
func (s *tenantStory) isSentOnce(form string) {
	s.Helper()
	values, err := url.ParseQuery(form)
	if err != nil {
		s.Fatal(err)
	}
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for name, all := range values {
		for _, value := range all {
			if err := w.WriteField(name, value); err != nil {
				s.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		s.Fatal(err)
	}
	answer, _ := s.posts(s.path+"/tickets", w.FormDataContentType(), &body)
	path, _, _ := strings.Cut(s.tenant.Path(), "?")
	if to := answer.Header.Get("Location"); answer.StatusCode != http.StatusSeeOther || !strings.HasPrefix(to, path) {
		s.Errorf("sent twice it leads to %s %s, not to %s", answer.Status, to, path)
	}
}
