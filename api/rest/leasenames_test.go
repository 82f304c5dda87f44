package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/agreement/document/documenttest"
	"portal/db"
)

func TestGeneratedLeaseShowsNamesOfEveryScript(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s := seeded{1, access.Test}
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		tenant, ask := "/tenants/"+s.id("ten", 1), r.mutation(s, "generate_lease")
		for _, name := range []string{
			"Олександр Ковальчук", "Γεώργιος Παπαδόπουλος", "דנה כהן", "محمد الحسيني", "कृष्ण शर्मा",
			"ปิ่น ทิพย์", "小明 王", "さくら 髙橋", "철수 김",
		} {
			first, last, _ := strings.Cut(name, " ")
			r.send(http.MethodPatch, tenant, key, `{"first_name":"`+first+`","last_name":"`+last+`"}`).done(t)
			made := ask.by(r, key).done(t)
			lease := made["id"].(string)
			var content []byte
			must(t, r.db.Each(db.Outside(t.Context()), `SELECT v.content FROM document_versions v
				JOIN leases l ON l.document_id = v.document_id WHERE l.id = $1`, []any{lease},
				func(scan db.Scan) error { return scan(&content) }))
			if said := documenttest.Tool(t, content, "pdftotext", "FILE", "-"); strings.Count(said, name) < 3 {
				t.Errorf("the document does not say %s", name)
			}
			r.exec("UPDATE leases SET status = 'voided' WHERE id = '" + lease + "'")
		}
		r.send(http.MethodPatch, tenant, key, `{"first_name":"𓀀"}`).done(t)
		refused := ask.by(r, key)
		refused.expect(t, http.StatusBadRequest, "invalid_field")
		if !strings.Contains(string(refused.body), "tenant_id") || !strings.Contains(string(refused.body), "𓀀") {
			t.Errorf("%s", refused.body)
		}
	})
}
