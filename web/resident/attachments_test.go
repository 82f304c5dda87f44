package resident_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"portal/api/agreement/ceremony"
	"portal/api/agreement/document/documenttest"
	"portal/web/pagetest"
)

func TestAttachmentsAreReadBeforeSigning(t *testing.T) {
	s := newSignPages(t)
	file, err := s.agreements.Clean(t.Context(), s.by, "<b>Rules</b>.pdf", documenttest.Pages("Quiet hours"))
	pagetest.Must(t, err)
	file.RequiresInitials = true
	made, err := s.agreements.Attach(t.Context(), s.by, s.lease.ID, file)
	pagetest.Must(t, err)
	id := made.After.ID
	link := s.links[0]
	for query, says := range map[string]string{
		"":         "Part of the lease: read them before you sign",
		"?lang=es": "Son parte del contrato: léalos antes de firmar",
	} {
		if text := words(s.gets(link + query)); !strings.Contains(text, says) {
			t.Errorf("%q: %s", query, text)
		}
	}
	shown := s.gets(link + "/attachments/" + id)
	if shown.Code != http.StatusOK || shown.Header().Get("Content-Type") != "application/pdf" ||
		!strings.Contains(shown.Header().Get("Content-Disposition"), "inline") {
		t.Errorf("%d %v", shown.Code, shown.Header())
	}
	if rec := s.gets(link + "/attachments/att_00000000000000000000000000"); rec.Code != http.StatusNotFound {
		t.Error(rec.Code)
	}

	s.steps(link+"/review", nil)
	page := s.steps(link+"/code", url.Values{"consent": {"on"}})
	pagetest.Inert(t, s.gets(link))
	if !strings.Contains(page, "Your initials for ") {
		t.Error("no initials are asked for")
	}
	form := url.Values{"version": {"2"}, "code": {s.code()}, "name": {s.lease.Signers[0].Name}}
	field := ceremony.InitialsField(id)
	for query, says := range map[string]string{
		"":         "Type your initials for ",
		"?lang=es": "Escriba sus iniciales",
	} {
		rec := s.posts(link+query, form)
		_, at, found := strings.Cut(rec.Body.String(), field+`-error">`)
		if rec.Code != http.StatusBadRequest || !found || !strings.Contains(at[:min(len(at), 400)], says) {
			t.Errorf("%q: %d: %s", query, rec.Code, words(rec))
		}
	}
	form.Set(field, "sr")
	if page := s.steps(link, form); !strings.Contains(page, "You have signed") && !strings.Contains(page, "signed") {
		t.Error(page)
	}
	if text := words(s.gets(link)); strings.Contains(text, "Your initials") {
		t.Error(text)
	}
}
