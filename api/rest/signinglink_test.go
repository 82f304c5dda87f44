package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/portfolio"
	"portal/db/dbtest"
)

// A key reads no link of a tenant. It is given one where it asks for it, and the log of the lease says so.
func TestKeyIsGivenSigningLinkOnlyWhenItAsks(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		r.landlord("robin@example.com", unlimited())
		s := seeded{1, access.Test}
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		reader := *r.key("ada@example.com", access.Test, "read").Plaintext
		stranger := *r.key("robin@example.com", access.Test, "write").Plaintext
		made := r.mutation(s, "generate_lease").by(r, key).done(t)
		tenant, landlord := signerOf(made, 0), signerOf(made, 1)
		if made["esign_url"] == nil || made["esign_url"] != tenant["esign_url"] || landlord["esign_url"] == nil {
			t.Errorf("the answer that generates it: %v, %v, %v", made["esign_url"], tenant, landlord)
		}
		lease := "/leases/" + made["id"].(string)
		read := r.get(lease, key).done(t)
		if read["esign_url"] != nil || signerOf(read, 0)["esign_url"] != nil ||
			signerOf(read, 1)["esign_url"] != landlord["esign_url"] {
			t.Errorf("read again: %v, %v", read["esign_url"], read["signers"])
		}
		link := lease + "/signers/" + tenant["id"].(string) + "/link"
		preview := r.send(http.MethodPost, link, key, "", "Dry-Run", "true")
		if preview.status != http.StatusOK || strings.Contains(string(preview.body), "/sign/") {
			t.Errorf("a preview: %d %s", preview.status, preview.body)
		}
		r.send(http.MethodPost, link, reader, "").expect(t, http.StatusForbidden, "scope_required")
		r.send(http.MethodPost, link, stranger, "").expect(t, http.StatusNotFound, "not_found")
		r.send(http.MethodPost, lease+"/signers/x/link", key, "").expect(t, http.StatusNotFound, "not_found")
		r.send(http.MethodPost, "/leases/x/signers/x/link", key, "").expect(t, http.StatusNotFound, "not_found")
		first := r.send(http.MethodPost, link, key, "", "Idempotency-Key", "k")
		given := first.done(t)
		if given["object"] != "signing_link" || given["esign_url"] != tenant["esign_url"] ||
			given["lease_id"] != made["id"] || given["signer_id"] != tenant["id"] ||
			first.status != http.StatusCreated {
			t.Errorf("%v", given)
		}
		r.send(http.MethodPost, link, key, "", "Idempotency-Key", "k").alike(t, first)
		// One is of the generation, and one of the request.
		entries := dbtest.Texts(t, r.db, "SELECT note FROM document_evidence WHERE kind = 'link_given'")
		if len(entries) != 2 || !strings.Contains(entries[1], "key_") {
			t.Errorf("the log has %v", entries)
		}
		for _, status := range []portfolio.LeaseStatus{portfolio.LeaseVoided, portfolio.LeaseSigned} {
			r.exec("UPDATE leases SET status = '" + string(status) + "' WHERE id = '" + made["id"].(string) + "'")
			r.send(http.MethodPost, link, key, "").expect(t, http.StatusConflict, "invalid_transition")
		}
	})
}

// ofGeneratedLease are the operations that need a lease with a document, and their paths.
var ofGeneratedLease = map[string]func(lease record) string{
	"send_lease": func(lease record) string { return "/leases/" + lease["id"].(string) + "/send" },
	"create_lease_attachment": func(lease record) string {
		return "/leases/" + lease["id"].(string) + "/attachments"
	},
	"delete_lease_attachment": func(lease record) string {
		attached := lease["attachments"].([]any)[0].(record)
		return "/leases/" + lease["id"].(string) + "/attachments/" + attached["id"].(string)
	},
	"create_signing_link": func(lease record) string {
		return "/leases/" + lease["id"].(string) + "/signers/" + signerOf(lease, 0)["id"].(string) + "/link"
	},
}

// A draft that is not sent reaches nobody, and one that is blocked is emailed as soon as nothing blocks it.
func TestDraftIsEmailedWhenItIsSentAndNothingBlocksIt(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s := seeded{1, access.Test}
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		mails := func() int { return len(dbtest.Texts(t, r.db, "SELECT id FROM mails")) }
		m := r.mutation(s, "generate_lease")
		m.body = strings.TrimSuffix(m.body, "}") + `,"send":false}`
		made := m.by(r, key).done(t)
		at := "/leases/" + made["id"].(string)
		blocked := func(lease record) string {
			all := lease["blocked_by"].([]any)
			if len(all) == 0 {
				return ""
			}
			return all[0].(record)["code"].(string)
		}
		if made["sent_at"] != nil || made["esign_url"] != nil || signerOf(made, 1)["esign_url"] != nil ||
			blocked(made) != "lead_paint_unanswered" {
			t.Errorf("a draft: %v", made)
		}
		r.send(http.MethodPost, at+"/signers/"+signerOf(made, 0)["id"].(string)+"/link", key, "").
			expect(t, http.StatusConflict, "invalid_transition")
		sent := r.send(http.MethodPost, at+"/send", key, "").done(t)
		if sent["sent_at"] != nil || blocked(sent) != "lead_paint_unanswered" || mails() != 0 {
			t.Errorf("sent while it is blocked: %v, %d mails", sent, mails())
		}
		answered := r.send("PATCH", at, key, `{"lead_paint":{"hazards":"none","records":"none"}}`).done(t)
		if answered["sent_at"] == nil || blocked(answered) != "" || mails() != 2 {
			t.Errorf("nothing blocks it any more: %v, %d mails", answered, mails())
		}
		again := r.send(http.MethodPost, at+"/send", key, "").done(t)
		if again["sent_at"] != answered["sent_at"] || mails() != 2 {
			t.Errorf("sent again: %v, %d mails", again, mails())
		}
	})
}

// signerOf is one of those who sign a lease.
func signerOf(lease record, n int) record { return lease["signers"].([]any)[n].(record) }
