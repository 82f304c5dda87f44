package lease_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/mail"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

// generated is the path of a lease that an owner has generated, with what is known of lead paint.
func (e *leasePages) generated(r *pagetest.Reader) string {
	e.Helper()
	form := pagetest.With(r.Shown(e.form), "tenant_id", e.dana, "start_date", "2028-01-01", "end_date", "",
		"monthly_rent", "1500", "lead_paint.hazards", "none", "lead_paint.records", "none")
	rec := r.Post("/test/leases/generate", e.form, form)
	at := strings.TrimSuffix(rec.Header().Get("Location"), "/money")
	if rec.Code != http.StatusSeeOther || !strings.HasPrefix(at, "/test/leases/lea_") {
		e.Fatalf("%d to %q: %s", rec.Code, at, pagetest.Text(pagetest.Parse(e.T, rec.Body.String())))
	}
	r.Leads(r.Post(at+"/send", at, nil), at)
	return at
}

// A lease is emailed by a button of its own, which says to whom, and what blocks a signature.
func TestLeasePageSendsDraftForSignature(t *testing.T) {
	e := newLeasePages(t)
	owner := e.Member(access.Owner)
	form := pagetest.With(owner.Shown(e.form), "tenant_id", e.dana, "start_date", "2028-01-01", "end_date", "",
		"monthly_rent", "1500", "lead_paint.hazards", "")
	at := strings.TrimSuffix(owner.Post("/test/leases/generate", e.form, form).Header().Get("Location"), "/money")
	for _, words := range []string{
		"This draft hasn’t been sent yet.", "dana@example.com, in English, with Spanish one click away", "State what you know about lead-based paint in the home",
	} {
		owner.Says(owner.Get(at), http.StatusOK, words)
	}
	owner.Leads(owner.Get(at+"/sign"), at)
	all, err := e.post.Mails(t.Context(), mail.Filter{Limit: 100})
	e.OK(err)
	owner.Leads(owner.Post(at+"/send", at, nil), at)
	owner.Says(owner.Get(at), http.StatusOK, "The emails will leave by themselves when this is done")
	after, err := e.post.Mails(t.Context(), mail.Filter{Limit: 100})
	e.OK(err)
	if len(after) != len(all) {
		t.Errorf("%d mails before, %d after", len(all), len(after))
	}
	lead := at + "/lead"
	form = owner.Shown(lead)
	owner.Says(
		owner.Post(lead, lead, pagetest.With(form, "lead_paint.hazards", "none")),
		http.StatusBadRequest,
		"required",
	)
	owner.Leads(
		owner.Post(lead, lead, pagetest.With(form, "lead_paint.hazards", "none", "lead_paint.records", "none")),
		at,
	)
	owner.Says(owner.Get(at), http.StatusOK, "Email: kept, not sent")
	if got := owner.Shown(lead).Get("lead_paint.hazards"); got != "none" {
		t.Errorf("the form shows %q", got)
	}
}

func TestLeasePageShowsAndResendsSignerLinks(t *testing.T) {
	e := newLeasePages(t)
	owner := e.Member(access.Owner)
	at := e.generated(owner)
	page := owner.Get(at)
	owner.Says(page, http.StatusOK, "Email: kept, not sent")
	signer := dbtest.Texts(t, e.DB, "SELECT id FROM lease_signers WHERE id IS NOT NULL AND tenant_id IS NOT NULL")[0]
	send := at + "/signers/" + signer + "/send"
	mails := func() int {
		all, err := e.post.Mails(t.Context(), mail.Filter{Limit: 100})
		e.OK(err)
		return len(all)
	}
	before := mails()
	owner.Leads(owner.Post(send, at, nil), at)
	owner.Says(owner.Get(at), http.StatusOK, "The link is on its way.")
	if mails() != before+1 {
		t.Errorf("%d mails, before %d", mails(), before)
	}
	for range 4 {
		owner.Leads(owner.Post(send, at, nil), at)
	}
	owner.Leads(owner.Post(send, at, nil), at)
	owner.Says(owner.Get(at), http.StatusOK, "the most that one recipient gets")
	e.OK(e.signings.MailFollowed(t.Context(), e.Home.Test, signer, mail.Followed{
		Topic: "link", To: "dana@example.com", Status: mail.Failed, Words: "550 5.1.1 no such user",
	}))
	for _, words := range []string{"Did not arrive", "The mail server said: 550 5.1.1 no such user", "Change address"} {
		owner.Says(owner.Get(at), http.StatusOK, words)
	}
	e.OK(e.signings.MailFollowed(t.Context(), e.Home.Test, signer, mail.Followed{
		Topic: "link", To: "dana@example.com", Status: mail.Failed,
		Words: `sending SMTP RCPT TO command: 550 "5.1.1 No such mailbox", affected recipient(s): <dana@example.com>`,
	}))
	owner.Says(owner.Get(at), http.StatusOK, `The mail server said: 550 "5.1.1 No such mailbox"`)
	if strings.Contains(owner.Get(at).Body.String(), "affected recipient") {
		t.Error("the page repeats what the mail client says of itself")
	}
	for _, words := range []string{"Draft, sent", "0 of "} {
		owner.Says(owner.Get(at), http.StatusOK, words)
	}
	dbtest.Exec(t, e.DB, "UPDATE leases SET status = 'pending_signature'") // by the signature of another party
	locked := owner.Get(at)
	owner.Says(locked, http.StatusOK, "An address can’t change once somebody has signed")
	if strings.Contains(locked.Body.String(), "Change address") {
		t.Error("the page offers what the first signature locks")
	}
	if rec := owner.Post(at+"/signers/sig_01KA5R2M7Q8D4E6F9G1H3J5K7M/send", at, nil); rec.Code != http.StatusNotFound {
		t.Errorf("a signer of nobody: %d", rec.Code)
	}
}

func TestTenantSignsOnTheLandlordsDevice(t *testing.T) {
	e := newLeasePages(t)
	owner := e.Member(access.Owner)
	at := e.generated(owner)
	signer := dbtest.Texts(t, e.DB, "SELECT id FROM lease_signers WHERE tenant_id IS NOT NULL AND name = 'Dana Whitfield'")[0]
	here := at + "/signers/" + signer + "/sign"
	owner.Says(owner.Get(at), http.StatusOK, "Sign here")
	owner.Says(owner.Get(here), http.StatusOK, "Dana Whitfield signs here")
	if page := owner.Get(here).Body.String(); strings.Index(page, "Key terms") > strings.Index(page, `name="name"`) {
		t.Error("the signature stands above the lease, which is read first")
	}
	form := owner.Shown(here)
	owner.Says(owner.Post(here, here, pagetest.With(form, "name", "Somebody Else")),
		http.StatusBadRequest, "Type the name as the lease has it")
	owner.Leads(owner.Post(here, here, pagetest.With(form, "name", "Dana Whitfield")), at)
	owner.Says(owner.Get(at), http.StatusOK, "The tenant has signed the lease.")
	kinds := dbtest.Texts(t, e.DB,
		"SELECT kind FROM document_evidence WHERE kind NOT IN ('mail_kept', 'generated') ORDER BY number")
	if got := strings.Join(kinds, " "); got != "handed_over viewed consented signed" {
		t.Error(got)
	}
	manager := e.Member(access.Manager)
	if strings.Contains(manager.Get(at).Body.String(), "Sign here") {
		t.Error("a manager is offered to have a tenant sign")
	}
	if rec := manager.Get(here); rec.Code == http.StatusOK {
		t.Errorf("a manager opens %s", here)
	}
}

func TestExpiredLeaseIsExtendedInDashboard(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Owner)
	at := e.generated(r)
	r.Says(r.Get(at), http.StatusOK, "Extend time to sign")
	id := strings.TrimPrefix(at, "/test/leases/")
	dbtest.Exec(t, e.DB, "UPDATE leases SET status = 'pending_signature' WHERE id = $1", id)
	e.Now = e.Now.AddDate(0, 0, 15)
	r = e.Member(access.Owner)
	if page := r.Get(at).Body.String(); strings.Count(page, `"`+at+`/extend"`) != 2 { // in the menu, and before it
		t.Error("before the lease is marked as expired, its page does not lead with more time to sign")
	}
	e.OK(e.rules.Calendar.RollOver(t.Context(), e.Home.Test, time.UTC))
	r = e.Member(access.Owner)
	r.Says(r.Get(at), http.StatusOK, "Time to sign ended")
	r.Says(r.Get(at+"/extend"), http.StatusOK, "the links work again")
	r.Says(r.Sends(at+"/extend", "expires_in_days", "91"), http.StatusBadRequest, "90")
	r.Says(r.Sends(at+"/extend", "expires_in_days", ""), http.StatusBadRequest, "Enter the number of days.")
	r.Leads(r.Sends(at+"/extend", "expires_in_days", "10"), at)
	r.Says(r.Get(at), http.StatusOK, "The time to sign is extended.")
	r.Says(r.Get(at), http.StatusOK, "Sign by")
	dbtest.Exec(t, e.DB, "UPDATE leases SET status = 'active' WHERE id = $1", id)
	r.Leads(r.Get(at+"/extend"), at)
	r.Says(r.Get(at), http.StatusOK, "The time to sign a lease that’s active can’t be extended.")
}

func TestLandlordSignsLeaseInDashboard(t *testing.T) {
	e := newLeasePages(t)
	owner := e.Member(access.Owner)
	at := e.generated(owner)
	owner.Says(owner.Get(at), http.StatusOK, "Sign lease")
	owner.Says(owner.Get(at+"/sign"), http.StatusOK, "Key terms")
	name := dbtest.Texts(t, e.DB, "SELECT name FROM lease_signers WHERE role = 'landlord'")[0]
	form := owner.Shown(at + "/sign")
	owner.Says(owner.Post(at+"/sign", at+"/sign", pagetest.With(form, "name", "Somebody Else")),
		http.StatusBadRequest, "Type the name as the lease has it")
	owner.Leads(owner.Post(at+"/sign", at+"/sign", pagetest.With(form, "name", name)), at)
	page := owner.Get(at)
	owner.Says(page, http.StatusOK, "You have signed the lease.")
	if strings.Contains(page.Body.String(), "Sign lease") {
		t.Error("the page asks to sign again")
	}
	dbtest.Exec(t, e.DB, "UPDATE lease_signers SET signed_at = 1 WHERE role <> 'landlord'")
	if strings.Contains(owner.Get(at).Body.String(), "Email: on its way") {
		t.Error("an email to somebody who has signed is on its way")
	}
	owner.Leads(owner.Get(at+"/sign"), at)
	kinds := dbtest.Texts(
		t,
		e.DB,
		"SELECT kind FROM document_evidence WHERE kind NOT IN ('mail_kept', 'generated') ORDER BY number",
	)
	if got := strings.Join(kinds, " "); got != "confirmed viewed consented signed" {
		t.Error(got)
	}
	manager := e.Member(access.Manager)
	if rec := manager.Post(at+"/sign", at, url.Values{"name": {name}}); rec.Code == http.StatusSeeOther {
		t.Errorf("a manager signs: %d", rec.Code)
	}
}

func TestOtherPortfoliosCannotReachSigners(t *testing.T) {
	e := newLeasePages(t)
	owner, stranger := e.Member(access.Owner), e.Stranger()
	at, other := e.generated(owner), e.generated(owner)
	live := strings.Replace(at, "/test/", "/live/", 1)
	signer := func(lease string) string {
		return dbtest.Texts(t, e.DB, "SELECT id FROM lease_signers WHERE lease_id = $1 AND role = 'primary'",
			strings.TrimPrefix(lease, "/test/leases/"))[0]
	}
	name := dbtest.Texts(t, e.DB, "SELECT name FROM lease_signers WHERE role = 'landlord'")[0]
	form := url.Values{"version": {"1"}, "name": {name}}
	stood := func() string {
		all := dbtest.Dump(t, e.DB, nil)
		return fmt.Sprint(all["document_evidence"], all["lease_signers"], all["mails"])
	}
	before := stood()
	for who, r := range map[string]*pagetest.Reader{"a stranger": stranger, "the owner in live mode": owner} {
		for _, lease := range []string{at, live} {
			if r == owner && lease == at {
				continue
			}
			if rec := r.Get(lease + "/sign"); rec.Code != http.StatusNotFound {
				t.Errorf("%s reads %s/sign: %d", who, lease, rec.Code)
			}
			for _, path := range []string{lease + "/sign", lease + "/signers/" + signer(at) + "/send"} {
				if rec := r.Post(path, "/test/tickets/new", form); rec.Code != http.StatusNotFound {
					t.Errorf("%s posts to %s: %d", who, path, rec.Code)
				}
			}
		}
	}
	if rec := owner.Post(at+"/signers/"+signer(other)+"/send", at, nil); rec.Code != http.StatusNotFound {
		t.Errorf("a signer of another lease: %d", rec.Code)
	}
	if after := stood(); after != before {
		t.Errorf("something was written: %s, before %s", after, before)
	}
}
