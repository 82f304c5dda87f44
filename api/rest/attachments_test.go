package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/agreement/document/documenttest"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/db/dbtest"
)

// onePDF is a body with a PDF of two pages that can be attached.
func onePDF() string {
	return fileParts(string(documenttest.Pages("Quiet hours", "No smoking")), "requires_initials", "true")
}

// fileFor is the body of an operation of a generated lease, "" for one without a file.
func fileFor(op *operation.Operation) string {
	if op.File == nil {
		return ""
	}
	return onePDF()
}

func TestPDFIsAttachedToDraftByKey(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		r.landlord("robin@example.com", unlimited())
		s := seeded{1, access.Test}
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		reader := *r.key("ada@example.com", access.Test, "read").Plaintext
		stranger := *r.key("robin@example.com", access.Test, "write").Plaintext
		lease := "/leases/" + r.mutation(s, "generate_lease").by(r, key).done(t)["id"].(string)
		at := lease + "/attachments"
		attached := func() []any { return r.get(lease, key).done(t)["attachments"].([]any) }
		version := r.get(lease, key).done(t)["version"]

		preview := r.send(http.MethodPost, at, key, onePDF(), "Dry-Run", "true").done(t)
		if preview["file_name"] != "roll.pdf" || preview["preview"].(record)["would_change"] != true ||
			len(attached()) != 0 || r.get(lease, key).done(t)["version"] != version {
			t.Errorf("a preview: %v", preview)
		}
		r.send(http.MethodPost, at, reader, onePDF()).expect(t, http.StatusForbidden, "scope_required")
		r.send(http.MethodPost, at, stranger, onePDF()).expect(t, http.StatusNotFound, "not_found")
		for what, body := range map[string]string{
			"no PDF":        fileParts("Ann,1450"),
			"a broken PDF":  fileParts("%PDF-1.7\nxref"),
			"no part of it": fileParts(""),
		} {
			a := r.send(http.MethodPost, at, key, body)
			a.expect(t, http.StatusBadRequest, "invalid_field")
			if !strings.Contains(string(a.body), `"param":"file"`) {
				t.Errorf("%s: %s", what, a.body)
			}
		}
		r.send(http.MethodPost, at, key, fileParts("%PDF-1.7"+strings.Repeat("x", 10<<20))).
			expect(t, http.StatusRequestEntityTooLarge, "body_too_large")
		r.send(http.MethodPost, at, key, fileParts("x", "requires_initials", `"yes"`)).
			expect(t, http.StatusBadRequest, "invalid_field")

		first := r.send(http.MethodPost, at, key, onePDF(), "Idempotency-Key", "k")
		made := first.done(t)
		if first.status != http.StatusCreated || made["pages"] != number("2") || made["requires_initials"] != true ||
			made["content_type"] != "application/pdf" || len(made["sha256"].(string)) != 64 {
			t.Errorf("%d %v", first.status, made)
		}
		r.send(http.MethodPost, at, key, onePDF(), "Idempotency-Key", "k").alike(t, first)
		if all := attached(); len(all) != 1 || all[0].(record)["id"] != made["id"] {
			t.Errorf("the lease has %v", all)
		}
		second := r.send(http.MethodPost, at, key, onePDF()).done(t)
		if second["file_name"] != "roll (2).pdf" || second["id"] == made["id"] {
			t.Errorf("the same file again: %v", second)
		}

		one := at + "/" + made["id"].(string)
		r.send(http.MethodDelete, one, reader, "").expect(t, http.StatusForbidden, "scope_required")
		r.send(http.MethodDelete, one, stranger, "").expect(t, http.StatusNotFound, "not_found")
		r.send(http.MethodDelete, at+"/att_01KA5R2M7Q8D4E6F9G1H3J5K7M", key, "").
			expect(t, http.StatusNotFound, "not_found")
		would := r.send(http.MethodDelete, one, key, "", "Dry-Run", "true").done(t)
		if len(would["attachments"].([]any)) != 1 || len(attached()) != 2 {
			t.Errorf("a preview: %v", would)
		}
		if a := r.send(http.MethodDelete, one, key, ""); a.status != http.StatusNoContent || len(attached()) != 1 {
			t.Errorf("removed: %d %s", a.status, a.body)
		}
		r.send(http.MethodDelete, one, key, "").expect(t, http.StatusNotFound, "not_found")

		dbtest.Exec(t, r.db, "UPDATE leases SET status = $1 WHERE id = $2", string(portfolio.LeasePendingSignature),
			strings.TrimPrefix(lease, "/leases/"))
		r.send(http.MethodPost, at, key, onePDF()).expect(t, http.StatusConflict, "signature_in_progress")
		r.send(http.MethodDelete, at+"/"+second["id"].(string), key, "").
			expect(t, http.StatusConflict, "signature_in_progress")
		r.send(http.MethodPost, "/leases/"+s.id("lea", 1)+"/attachments", key, onePDF()).
			expect(t, http.StatusConflict, "invalid_transition")
	})
}
