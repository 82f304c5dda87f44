package rest_test

import (
	"strings"
	"testing"
)

// Somebody who reads the description must be able to believe its examples: what is asked
// for is what comes out, a preview is one, and what is shown once is shown where it is.
func TestWriteExamplesAreConsistent(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	d := read(t, r.api.Document())
	for _, op := range r.api.Operations() {
		if !op.Changes {
			continue
		}
		described := d.operation(op)
		asked := record{}
		if body, has := described["requestBody"].(record); has && op.File == nil {
			asked = exampleOf(body).(record)
		}
		for status, response := range described["responses"].(record) {
			if !strings.HasPrefix(status, "2") || response.(record)["content"] == nil {
				continue
			}
			shown := exampleOf(response.(record)).(record)
			for field, want := range asked {
				if got, has := shown[field]; has && field != "phone" &&
					jsonOf(got) != jsonOf(want) { // which is stored in E.164
					t.Errorf("%s asks for %s %s, and %s shows %s", op.Name, field, jsonOf(want), status, jsonOf(got))
				}
			}
			preview := status == "200" && op.Status != 200
			would, has := shown["preview"].(record)
			if has != preview {
				t.Errorf("%s: is %s a preview? %v", op.Name, status, has)
			}
			if summary, _ := would["summary"].(string); strings.Contains(summary, "the :") {
				t.Errorf("%s does not say what it would change: %s", op.Name, summary)
			}
			_, secret := shown["secret"]
			once := op.Name == "create_webhook_endpoint" || op.Name == "rotate_webhook_secret"
			if secret != (once && !preview) {
				t.Errorf("%s: does %s show the secret? %v", op.Name, status, secret)
			}
			if link := shown["apply_url"]; op.Name == "invite_tenant" && (link == nil) != preview {
				t.Errorf("%s: %s shows the link %v", op.Name, status, link)
			}
			if link := shown["document_url"]; op.Name == "generate_lease" && (link == nil) != preview {
				t.Errorf("%s: %s shows the link %v", op.Name, status, link)
			}
			version := jsonOf(shown["version"])
			if op.Name == "create_test_payment" { // which is started and sent, and has cleared
				if version != "3" {
					t.Errorf("%s: %s shows the version %s", op.Name, status, version)
				}
				continue
			}
			if op.Single() && (version == "1") != (op.Status == 201 || op.Name == "test_webhook_endpoint") {
				t.Errorf("%s: %s shows the version %s", op.Name, status, version)
			}
		}
	}
}

func exampleOf(described record) any {
	return described["content"].(record)["application/json"].(record)["example"]
}
