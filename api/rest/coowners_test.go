package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
)

func TestCoOwnersAreGeneratedAndChanged(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		r.landlord("bob@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		stranger := *r.key("bob@example.com", access.Test, "write").Plaintext
		reader := *r.key("ada@example.com", access.Test, "read").Plaintext
		body := r.mutation(seeded{1, access.Test}, "generate_lease").body
		person := func(email string) string { return `{"name":"Jordan Ellis","email":"` + email + `"}` }
		made := r.send(http.MethodPost, "/leases/generate", key,
			strings.TrimSuffix(body, "}")+`,"co_owners":[`+person("jordan@example.com")+`]}`).done(t)
		signers := made["signers"].([]any)
		owner, landlord := signerOf(made, len(signers)-2), signerOf(made, len(signers)-1)
		if owner["role"] != "landlord" || owner["name"] != "Jordan Ellis" || owner["tenant_id"] != nil ||
			landlord["role"] != "landlord" || owner["esign_url"] == nil || owner["title"] != nil {
			t.Errorf("%v, %v", owner, landlord)
		}
		at := "/leases/" + made["id"].(string)
		read := r.get(at, key).done(t)
		if owner = signerOf(read, len(signers)-2); owner["esign_url"] != nil ||
			signerOf(read, len(signers)-1)["esign_url"] == nil {
			t.Errorf("read again, a co-owner has the link %v", owner["esign_url"])
		}
		if shown := fmt.Sprint(r.get(at, reader).done(t)["co_owners"]); !strings.Contains(shown, "jordan@example.com") {
			t.Errorf("the lease has the co-owners %s", shown)
		}
		link := r.send(http.MethodPost, at+"/signers/"+owner["id"].(string)+"/link", key, "").done(t)
		if url, _ := link["esign_url"].(string); !strings.Contains(url, owner["id"].(string)) {
			t.Errorf("the link of a co-owner is %v", link)
		}
		patch := func(key, all string) answer {
			return r.send(http.MethodPatch, at, key, `{"co_owners":`+all+`}`)
		}
		for field, all := range map[string]string{
			"co_owners": `[` + person("a@b.co") + `,` + person("b@b.co") + `,` + person("c@b.co") + `,` +
				person("d@b.co") + `]`,
			"co_owners.0.email": `[{"name":"A","email":"nobody"}]`,
			"co_owners.0.name":  `[{"email":"a@b.co"}]`,
			"co_owners.0.age":   `[{"name":"A","email":"a@b.co","age":4}]`,
		} {
			a := patch(key, all)
			if f := failureOf(t, a); f != field {
				t.Errorf("%s: the fault is at %q: %s", all, f, a.body)
			}
		}
		patch(stranger, "[]").expect(t, http.StatusNotFound, "not_found")
		patch(key, "[]").expect(t, http.StatusConflict, "invalid_transition")
		patch(key, "["+person("jordan@example.com")+"]").done(t)
	})
}
