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

func TestMemberMakesALeaseOfTheirOwn(t *testing.T) {
	e := newLeasePages(t)
	owner := e.Member(access.Owner)
	owner.Says(owner.Get(e.form), http.StatusOK, "My own PDF")
	at, _ := e.drafted(owner, "document", "own", "clauses.pets", "One cat.")
	law := owner.Get(at + "/law")
	owner.Says(law, http.StatusOK, "says what your document says. The law of Texas asks for these disclosures")
	owner.Says(law, http.StatusOK, "Leave this empty if your document has the disclosure")
	if strings.Contains(law.Body.String(), "clauses.pets") {
		t.Error("the step asks for clauses that the document would not say")
	}
	owner.Leads(owner.Post(at+"/law", at+"/law", owner.Shown(at+"/law")), at+"/review")
	review := owner.Get(at + "/review")
	owner.Says(review, http.StatusOK, "Add your lease as a PDF")
	owner.Says(review, http.StatusOK, "To be added by the landlord")
	owner.Says(review, http.StatusOK, "Nobody but you reads whether your document says what the law asks for.")

	add := at + "/attachments/new"
	owner.Says(owner.Get(add), http.StatusOK, "The PDF is the lease that everybody signs.")
	form := owner.Shown(add)
	text := string(documenttest.Pages("The tenant keeps the garden", "The landlord keeps the roof"))
	owner.Leads(sendsFile(owner, add, form, "file", "Our lease.pdf", text), at)
	page := owner.Get(at)
	owner.Says(page, http.StatusOK, "2 pages, the text of the lease")
	if strings.Contains(page.Body.String(), "Add your lease as a PDF") {
		t.Error("the text is asked for where it is there")
	}
	owner.Says(owner.Get(add), http.StatusOK, "Read and signed with the lease")
	owner.Says(sendsFile(owner, add, form, "file", "Other.pdf", text), http.StatusBadRequest, "has its PDF already")
	if kept := dbtest.Texts(t, e.DB, "SELECT file_name FROM lease_attachments"); len(kept) != 1 {
		t.Error(kept)
	}
}

func TestPagesOfALeaseOfTheirOwnAreAccessible(t *testing.T) {
	b, e := pagetest.Browser(t), newLeasePages(t)
	r := e.Member(access.Owner)
	at, _ := e.drafted(r, "document", "own")
	r.Looks(b, at+"/law", at+"/review", at+"/attachments/new")
}
