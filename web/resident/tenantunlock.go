package resident

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"portal/api/fault"
	"portal/api/tenantportal"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/page"
)

// tenantUnlock asks for the code that shows amounts and documents.
func tenantUnlock(t *tenantRequest) error {
	return t.unlockPage(page.Blank(url.Values{}), t.QueryParam("sent") != "")
}

// unlockTo are the pages that a code can lead to.
var unlockTo = map[string]string{"pay": "/pay", "lease": "/lease", "payments": "/payments", "statement": "/statement"}

// unlockFile are the paths of the files and reports that a code can lead to.
var unlockFile = regexp.MustCompile(
	`^/(?:statement\.(?:pdf|csv)|lease/\w+/(?:(?:lease|deposit)\.pdf|condition/\w+)|payments/\w+/\w+/receipt\.pdf)$`)

// askCode asks for the code first, which then leads to the page or the file that was asked for.
func (t *tenantRequest) askCode() error {
	to := strings.TrimPrefix(t.Request.Request().URL.Path, t.base)
	if page := strings.TrimPrefix(to, "/"); unlockTo[page] != "" {
		to = page
	} else if months := monthsOf(t.Request.Request().URL.Query()); months != "" {
		to += "?" + months
	}
	return t.SeeOther(t.at("/unlock") + langQuery(t.Request) + "&to=" + url.QueryEscape(to))
}

// monthsOf are the months of a statement, as an address has them.
func monthsOf(query url.Values) string {
	months := url.Values{}
	for name, values := range query {
		if name == "from" || name == "to" {
			months[name] = values[:1]
		}
	}
	return months.Encode()
}

// unlocks names the page or the file that a code leads to, and the months of a statement: "" for the first page.
func (t *tenantRequest) unlocks() (path, months string) {
	to := t.QueryParam("to")
	if page := unlockTo[to]; page != "" {
		return page, ""
	}
	file, query, _ := strings.Cut(to, "?")
	if !unlockFile.MatchString(file) {
		return "", ""
	}
	sent, err := url.ParseQuery(query)
	if err != nil {
		return file, ""
	}
	return file, monthsOf(sent)
}

// unlockQuery keeps the language, and what a code leads to.
func (t *tenantRequest) unlockQuery() string {
	if path, _ := t.unlocks(); path != "" {
		return langQuery(t.Request) + "&to=" + url.QueryEscape(t.QueryParam("to"))
	}
	return langQuery(t.Request)
}

func (t *tenantRequest) unlockPage(f *page.Form, sent bool) error {
	query := t.unlockQuery()
	title := t.say("Show amounts and documents", "Mostrar montos y documentos")
	if f.Rejected() {
		title = t.say("Not shown yet: ", "Aún no se muestran: ") + title
	}
	view := views.Unlock{
		Tenant: t.frame(title, "/unlock"),
		Email:  t.MaskedEmail(),
		Sent:   sent,
		Send:   t.at("/code") + query,
	}
	view.Form = f.Fill(kit.Form{
		Action: t.at("/unlock") + query,
		Submit: t.say("Show", "Mostrar"),
		Failed: t.say("Not shown yet", "Aún no se muestran"),
		Groups: []kit.FieldGroup{{Fields: []kit.Field{codeField(t.header, view.Email)}}},
	})
	return t.ShowAs(f.Status, views.UnlockPage(view))
}

// tenantSendCode emails a code.
func tenantSendCode(t *tenantRequest) error {
	err := t.section.Tenants.SendCode(t.Ctx(), t.Param("token"), t.Reads())
	switch {
	case fault.Is(err, fault.RateLimited):
		f := page.Blank(url.Values{})
		f.Reject("code", t.say(fault.From(err).Message,
			"Se envían como máximo 3 códigos por hora. Use el último, o espere."))
		f.Status = http.StatusTooManyRequests
		return t.unlockPage(f, true)
	case err != nil && !fault.Is(err, fault.InvalidTransition): // the page says that there is no address
		return t.NoLink(err)
	}
	return t.SeeOther(t.at("/unlock") + t.unlockQuery() + "&sent=1")
}

// tenantUnlockWith takes a code.
func tenantUnlockWith(t *tenantRequest) error {
	if status := t.ReadForm(); status != http.StatusOK {
		return page.Unread(status, page.FormSize)
	}
	f := t.Request.Form()
	proof, err := t.section.Tenants.Unlock(t.Ctx(), t.Param("token"), f.Text("code"))
	if fault.Is(err, fault.InvalidField) {
		f.Refused(err)
		if t.header.Spanish {
			f.FieldErrors["code"] = inSpanish["code"]
		}
		return t.unlockPage(f, true)
	}
	if err != nil {
		return t.NoLink(err)
	}
	t.KeepGuestCookie(unlockCookie(t.Visit), proof, int(tenantportal.UnlockTime.Seconds()))
	path, months := t.unlocks()
	if months != "" {
		months = "&" + months
	}
	return t.SeeOther(t.at(path) + langQuery(t.Request) + months)
}
