package lease_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/agreement/document/documenttest"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

func TestMemberAttachesPDFsToADraft(t *testing.T) {
	e := newLeasePages(t)
	owner := e.Member(access.Owner)
	at := e.generated(owner)
	add := at + "/attachments/new"
	owner.Says(owner.Get(at), http.StatusOK, "House rules, an addendum, a pamphlet")
	owner.Says(owner.Get(add), http.StatusOK, "Scripts, links and files within it are removed")
	form := owner.Shown(add)
	for what, c := range map[string]struct{ content, want string }{
		"nothing":   {"", "Choose a PDF."},
		"a picture": {"\x89PNG\r\n\x1a\n", "PDF"},
		"an 11 MB":  {"%PDF-1.7" + strings.Repeat("x", 11<<20), "The file is larger than 10 MB."},
		"a 35 MB":   {"%PDF-1.7" + strings.Repeat("x", 35<<20), "The file is larger than 10 MB."},
	} {
		t.Run(what, func(t *testing.T) {
			owner.Says(sendsFile(owner, add, form, "file", "rules.pdf", c.content), http.StatusBadRequest, c.want)
		})
	}
	rules := string(documenttest.Pages("Quiet hours", "No smoking"))
	initialed := pagetest.With(form, "requires_initials", "on")
	owner.Leads(sendsFile(owner, add, initialed, "file", "House rules.pdf", rules), at)
	page := owner.Get(at)
	owner.Says(page, http.StatusOK, "The PDF is attached.")
	owner.Says(page, http.StatusOK, "2 pages, with initials")
	owner.Says(owner.Get(at+"/review"), http.StatusOK, "House rules.pdf")

	id := dbtest.Texts(t, e.DB, "SELECT id FROM lease_attachments")[0]
	shown := owner.Get(at + "/attachments/" + id)
	if shown.Code != http.StatusOK || shown.Header().Get("Content-Type") != "application/pdf" ||
		!strings.HasPrefix(shown.Body.String(), "%PDF-1.7") {
		t.Errorf("%d %v", shown.Code, shown.Header())
	}
	elsewhere := strings.Replace(at, "/test/", "/live/", 1)
	for _, path := range []string{at + "/attachments/att_00000000000000000000000000", elsewhere + "/attachments/" + id,
		elsewhere + "/attachments/new"} {
		if rec := owner.Get(path); rec.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, rec.Code)
		}
	}

	sign := owner.Get(at + "/sign")
	owner.Says(sign, http.StatusOK, "Initials for House rules.pdf")
	signs := owner.Shown(at + "/sign")
	refused := owner.Post(at+"/sign", at+"/sign", pagetest.With(signs, "initials."+id, "XX"))
	owner.Says(refused, http.StatusBadRequest, "initials")

	owner.Leads(owner.Post(at+"/attachments/"+id+"/remove", at, nil), at)
	owner.Says(owner.Get(at), http.StatusOK, "The attachment was removed.")
	if kept := dbtest.Texts(t, e.DB, "SELECT id FROM lease_attachments"); len(kept) > 0 {
		t.Error(kept)
	}
	dbtest.Exec(t, e.DB, "UPDATE leases SET status = 'pending_signature' WHERE id = $1",
		strings.TrimPrefix(at, "/test/leases/"))
	owner.Leads(owner.Get(add), at)
	owner.Leads(sendsFile(owner, add, form, "file", "House rules.pdf", rules), at)
}
