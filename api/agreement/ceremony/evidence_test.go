package ceremony_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/document/documenttest"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/mail"
	"portal/api/portfolio/lease"
	"portal/db/dbtest"
)

// executed is the text of the lease that all have signed, with one space between words.
func (f *fixture) executed() string {
	f.Helper()
	e, err := f.agreements.Execution(f.Context(), *f.lease.DocumentID)
	f.ok(err)
	return strings.Join(strings.Fields(documenttest.Tool(f.T, e.Content, "pdftotext", "-raw", "FILE", "-")), " ")
}

// says expects texts in the lease that all have signed, however its lines break.
func says(f *fixture, text string, wanted ...string) {
	f.Helper()
	together := strings.ReplaceAll(text, " ", "")
	for _, want := range wanted {
		if !strings.Contains(together, strings.ReplaceAll(want, " ", "")) {
			f.Errorf("the certificate does not say %q", want)
		}
	}
}

// follows has a mail server answer the latest email to a signer.
func (f *fixture) follows(i int, topic string, status mail.Status, words string) {
	f.Helper()
	f.ok(f.MailFollowed(f.Context(), f.by.Portfolio, f.lease.Signers[i].ID, mail.Followed{
		ID: "mail_1", Topic: topic, To: f.address(i), Status: status, Words: words,
	}))
}

// What a mail server refused was never sent, and the signed lease does not say that it was.
func TestCertificateTellsWhatBecameOfEachEmail(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.follows(0, "link", mail.Failed, "550 5.1.1 no such user")
		f.follows(2, "link", mail.Sent, "250 2.0.0 Ok: queued as 4F2C")
		f.ok(f.SendLink(f.Context(), f.by, f.lease.ID, f.lease.Signers[0].ID))
		f.status = mail.Kept
		f.ok(f.SendLink(f.Context(), f.by, f.lease.ID, f.lease.Signers[1].ID))
		f.status = mail.Queued
		for i := range 3 {
			f.signs(i)
		}
		text := f.executed()
		says(f, text,
			"Email with the link to sam@example.com: queued",
			"Email with the link to sam@example.com: failed (550 5.1.1 no such user)",
			"Email with the link to dana@example.com: accepted by the mail server (250 2.0.0 Ok: queued as 4F2C)",
			"Email with the link to nguyễn@example.com: kept, not sent",
			"Email with a code to sam@example.com: queued",
			"Entered the code of the email to sam@example.com",
		)
		if wrong := regexp.MustCompile(`was sent [^t]|accepted.{0,40}sam@`).FindString(text); wrong != "" {
			f.Errorf("the certificate says %q", wrong)
		}
		before := f.log()
		f.follows(0, "code", mail.Sent, "250 late") // what happens after the last signature is no part of it
		if after := f.log(); after != before {
			f.Errorf("the log has grown to %s", after)
		}
	})
}

// Whoever changes the address of a tenant leaves a trace, and opens nothing by the links that went out before.
func TestChangedAddressEndsLinksAndStandsOnTheCertificate(t *testing.T) {
	onEach(t, func(f *fixture) {
		earlier, key := f.token(0), f.by
		key.KeyID = "key_01KA5R2M7Q8D4E6F9G1H3J5K7M"
		f.ok(f.Review(f.Context(), earlier, from))
		mails := len(f.mails)
		_, err := f.rules.Tenants.UpdateTenant(f.Context(), key, change.Target{ID: *f.lease.Signers[0].TenantID},
			lease.TenantUpdate{Email: change.To(new("mallory@example.com"))})
		f.ok(err)
		if err := f.Review(f.Context(), earlier, from); !fault.Is(err, fault.NoRecord) {
			f.Errorf("the earlier link: %v", err)
		}
		var to []string
		for _, m := range f.mails[mails:] {
			to = append(to, m.To)
			if m.To == "sam@example.com" &&
				(strings.Contains(m.Text, "/sign/") || strings.Contains(m.Text, "mallory")) {
				f.Errorf("the earlier address is told %s", m.Text)
			}
		}
		if !slices.Equal(to, []string{"sam@example.com", "mallory@example.com"}) {
			f.Errorf("mails went to %v", to)
		}
		if wanted, err := f.wanted(mail.Message{
			About: f.lease.Signers[0].ID, Topic: "link", To: "sam@example.com",
		}); err != nil || wanted {
			f.Errorf("a link that is still on its way to the earlier address: %t, %v", wanted, err)
		}
		for i := range 3 {
			f.signsVersion(i, 2)
		}
		says(f, f.executed(),
			"Address changed from sam@example.com to mallory@example.com by the landlord’s key "+key.KeyID+
				"; earlier links ended",
			"Email with the link to mallory@example.com: queued",
			"Entered the code of the email to mallory@example.com",
		)
	})
}

func TestChangedAddressAfterAllHaveSignedIsLoggedAndToldToEarlierAddress(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.executes()
		earlier, mails := f.token(0), len(f.mails)
		_, err := f.rules.Tenants.UpdateTenant(f.Context(), f.by, change.Target{ID: *f.lease.Signers[0].TenantID},
			lease.TenantUpdate{Email: change.To(new("mallory@example.com"))})
		f.ok(err)
		if log := f.behind("executed"); log != "address_changed Sam Rivera" {
			f.Error(log)
		}
		note := dbtest.Texts(f, f.db, "SELECT note FROM document_evidence WHERE kind = 'address_changed'")
		if len(note) != 1 || note[0] != "sam@example.com\nmallory@example.com\nthe landlord in the dashboard" {
			f.Errorf("%q", note)
		}
		told := f.mails[mails:]
		if len(told) != 1 || told[0].To != "sam@example.com" || strings.Contains(told[0].Text, "mallory") ||
			!strings.Contains(told[0].Text, "no longer go to this address") ||
			!strings.Contains(told[0].HTML, "no longer go to this address") ||
			strings.Contains(told[0].Text, "before anything is signed") {
			f.Errorf("%+v", told)
		}
		if _, err := f.Page(f.Context(), earlier); !fault.Is(err, fault.NoRecord) {
			f.Errorf("the earlier link: %v", err)
		}
		if p := f.page(0); p.Standing != ceremony.Executed {
			f.Error(p.Standing)
		}
		f.intact()
		e, err := f.agreements.Execution(f.Context(), *f.lease.DocumentID)
		f.ok(err)
		v, err := f.agreements.VerifyFile(f.Context(), e.Content)
		f.ok(err)
		if v.Finding != agreement.Genuine || v.Log.Entries != strings.Count(f.log(), ", ")+1 {
			f.Errorf("%+v", v)
		}
	})
}

func TestHandedOutLinkStandsOnTheCertificate(t *testing.T) {
	onEach(t, func(f *fixture) {
		key := f.by
		key.KeyID = "key_01KA5R2M7Q8D4E6F9G1H3J5K7M"
		given, err := f.agreements.GiveLink(f.Context(), key, f.lease.ID, f.lease.Signers[1].ID)
		f.ok(err)
		if !strings.HasSuffix(*given.After.EsignURL, "/sign/"+f.token(1)) {
			f.Errorf("%+v", given.After)
		}
		shown, err := f.agreements.Lease(f.Context(), key, f.lease.ID)
		f.ok(err)
		if shown.EsignURL != nil || shown.Signers[0].EsignURL != nil || shown.Signers[1].EsignURL != nil ||
			shown.Signers[2].EsignURL == nil {
			f.Errorf("a key reads the links of tenants: %+v", shown.Signers)
		}
		reader := key
		reader.Scopes = access.Scopes{access.Read}
		for what, c := range map[string]struct {
			by     access.Actor
			signer string
			want   fault.Code
		}{
			"without the scope": {reader, f.lease.Signers[0].ID, fault.ScopeRequired},
			"of nobody":         {key, "sig_01KA5R2M7Q8D4E6F9G1H3J5K7M", fault.NoRecord},
		} {
			if _, err := f.agreements.GiveLink(f.Context(), c.by, f.lease.ID, c.signer); !fault.Is(err, c.want) {
				f.Errorf("%s: %v", what, err)
			}
		}
		for i := range 3 {
			f.signs(i)
		}
		says(f, f.executed(), "Link handed out by the landlord’s key "+key.KeyID)
		_, err = f.agreements.GiveLink(f.Context(), key, f.lease.ID, f.lease.Signers[1].ID)
		if !fault.Is(err, fault.InvalidTransition) {
			f.Errorf("of a signed lease: %v", err)
		}
	})
}

// A tenant who has no email address signs on the landlord's device, and the signed lease says so.
func TestTenantSignsOnTheLandlordsDevice(t *testing.T) {
	onEach(t, func(f *fixture) {
		_, err := f.rules.Tenants.UpdateTenant(f.Context(), f.by, change.Target{ID: *f.lease.Signers[0].TenantID},
			lease.TenantUpdate{Email: change.To[*string](nil)})
		f.ok(err)
		sign := func(by access.Actor, name string, version int) error {
			return f.SignHere(f.Context(), by, f.lease.ID, f.lease.Signers[0].ID, "dana@example.com",
				ceremony.Signature{Version: version, Name: name}, from)
		}
		manager := f.by
		manager.Role = access.Manager
		for what, c := range map[string]struct {
			err  error
			want fault.Code
		}{
			"by a manager":       {sign(manager, f.name(0), 2), fault.ScopeRequired},
			"an earlier version": {sign(f.by, f.name(0), 1), fault.StaleWrite},
			"another name":       {sign(f.by, "Sam Riviera", 2), fault.InvalidField},
			"the landlord":       {f.SignHere(f.Context(), f.by, f.lease.ID, f.lease.Signers[2].ID, "", ceremony.Signature{}, from), fault.NoRecord},
		} {
			if !fault.Is(c.err, c.want) {
				f.Errorf("%s: %v", what, c.err)
			}
		}
		f.ok(sign(f.by, f.name(0), 2))
		f.ok(sign(f.by, f.name(0), 2)) // again: nothing changes
		f.signsVersion(1, 2)
		f.signsVersion(2, 2)
		says(f, f.executed(),
			"Address changed from sam@example.com to none by the landlord in the dashboard",
			"Was handed the device of dana@example.com, who confirmed their sign-in",
			"Signed on the device of dana@example.com, who signed in for the landlord",
		)
	})
}
