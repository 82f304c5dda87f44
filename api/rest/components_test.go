package rest_test

import (
	"strings"
	"testing"
)

// componentOf is the name of the component that a schema refers to, "" where it is
// written in place.
func componentOf(schema any) string {
	s, _ := schema.(map[string]any)
	ref, _ := s["$ref"].(string)
	if len(s) != 1 {
		return ""
	}
	return strings.TrimPrefix(ref, "#/components/schemas/")
}

// described are the operations of the document, by their names.
func (d document) described() map[string]map[string]any {
	all := map[string]map[string]any{}
	for _, item := range d.at("paths") {
		for _, op := range item.(map[string]any) {
			op := op.(map[string]any)
			all[op["operationId"].(string)] = op
		}
	}
	return all
}

func TestBodiesAndResponsesAreNamedComponents(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	d := read(t, r.api.Document())
	for name, op := range d.described() {
		named := func(where string, content any) {
			kinds, _ := content.(map[string]any)
			for kind, c := range kinds {
				if componentOf(c.(map[string]any)["schema"]) == "" {
					t.Errorf("%s: the schema of %s as %s is written in place: %v", name, where, kind,
						c.(map[string]any)["schema"])
				}
			}
		}
		if body, has := op["requestBody"].(map[string]any); has {
			named("the body", body["content"])
		}
		for status, response := range op["responses"].(map[string]any) {
			named(status, d.follow(response.(map[string]any))["content"])
		}
	}
}

// The components have the names that clients were generated from.
func TestComponentNamesMatchSpecification(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	d := read(t, r.api.Document())
	operations := d.described()
	for operation, want := range map[string]struct{ body, status, answer string }{
		"list_properties":           {"", "200", "PropertyList"},
		"create_property":           {"PropertyCreate", "201", "PropertyWithUnitsOut"},
		"get_property":              {"", "200", "PropertyWithUnitsOut"},
		"update_property":           {"PropertyUpdate", "200", "PropertyOut"},
		"list_tenants":              {"", "200", "TenantList"},
		"invite_tenant":             {"TenantInviteCreate", "201", "TenantInviteOut"},
		"get_tenant":                {"", "200", "TenantOut"},
		"update_tenant":             {"TenantUpdate", "200", "TenantOut"},
		"list_leases":               {"", "200", "LeaseList"},
		"get_lease":                 {"", "200", "LeaseWithTermsOut"},
		"generate_lease":            {"LeaseGenerate", "201", "LeaseWithTermsOut"},
		"send_lease":                {"", "200", "LeaseWithTermsOut"},
		"create_signing_link":       {"", "201", "LeaseSigningLinkOut"},
		"create_lease_attachment":   {"LeaseAttachmentCreate", "201", "LeaseAttachmentOut"},
		"delete_lease_attachment":   {"", "204", ""},
		"list_lease_templates":      {"", "200", "LeaseTemplateList"},
		"get_lease_template":        {"", "200", "LeaseTemplateOut"},
		"update_lease":              {"LeaseUpdate", "200", "LeaseWithTermsOut"},
		"list_maintenance_tickets":  {"", "200", "MaintenanceTicketList"},
		"create_maintenance_ticket": {"MaintenanceTicketCreate", "201", "MaintenanceTicketOut"},
		"get_maintenance_ticket":    {"", "200", "MaintenanceTicketOut"},
		"update_maintenance_ticket": {"MaintenanceTicketUpdate", "200", "MaintenanceTicketOut"},
		"list_payments":             {"", "200", "PaymentList"},
		"get_payment":               {"", "200", "PaymentWithTransactionsOut"},
		"create_import":             {"ImportCreate", "202", "ImportOut"},
		"get_import":                {"", "200", "ImportOut"},
		"update_import":             {"ImportUpdate", "200", "ImportOut"},
		"confirm_import":            {"", "202", "ImportOut"},
		"discard_import":            {"", "204", ""},
		"create_test_payment":       {"TestPaymentCreate", "201", "PaymentAttemptOut"},
		"list_webhook_endpoints":    {"", "200", "WebhookEndpointList"},
		"create_webhook_endpoint":   {"WebhookEndpointCreate", "201", "WebhookEndpointOut"},
		"get_webhook_endpoint":      {"", "200", "WebhookEndpointOut"},
		"rotate_webhook_secret":     {"WebhookSecretRotate", "200", "WebhookEndpointOut"},
		"get_lease_details":         {"", "200", "LeaseDetailsOut"},
		"update_lease_details":      {"LeaseDetailsUpdate", "200", "LeaseDetailsOut"},
		"get_me":                    {"", "200", "MeOut"},
	} {
		op, has := operations[operation]
		if !has {
			t.Errorf("%s is not documented", operation)
			continue
		}
		if body, _ := op["requestBody"].(map[string]any); body != nil || want.body != "" {
			if got := componentOf(jsonContent(body)["schema"]); got != want.body {
				t.Errorf("the body of %s is %q, want %s", operation, got, want.body)
			}
		}
		answer, _ := op["responses"].(map[string]any)[want.status].(map[string]any)
		if got := componentOf(jsonContent(answer)["schema"]); got != want.answer {
			t.Errorf("%s answers %q, want %s", operation, got, want.answer)
		}
	}
	for _, name := range []string{"ApiKeyOut", "UnitOut", "ErrorResponse"} {
		d.at("components", "schemas", name)
	}
}

func jsonContent(of map[string]any) map[string]any {
	content, _ := of["content"].(map[string]any)
	body, _ := content["application/json"].(map[string]any)
	if body == nil {
		body, _ = content["multipart/form-data"].(map[string]any)
	}
	return body
}

// A closed list of values is one component, so that a generated client has one type for
// it wherever it stands.
func TestEveryEnumIsANamedComponent(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	d := read(t, r.api.Document())
	schemas := d.at("components", "schemas")
	named := map[string]bool{}
	for name, s := range schemas {
		s := s.(map[string]any)
		values, is := s["enum"].([]any)
		if !is {
			continue
		}
		if key := jsonOf(values); named[key] {
			t.Errorf("%s has the values of another component", name)
		} else {
			named[key] = true
		}
		delete(s, "enum")
	}
	delete(d.at("components"), "parameters") // Dry-Run is a boolean in a header
	walkTree(d.tree, func(m map[string]any) {
		if values, is := m["enum"].([]any); is {
			t.Errorf("a closed list is written in place: %v", values)
		}
	})
}

// The path of an operation that answers records of a kind names one of its tags.
func TestListComponentsAreNamedAfterTheirRecords(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	d := read(t, r.api.Document())
	for _, op := range r.api.Operations() {
		if !op.List() {
			continue
		}
		list := componentOf(
			jsonContent(d.operation(op)["responses"].(map[string]any)["200"].(map[string]any))["schema"],
		)
		data := d.at("components", "schemas", list, "properties", "data")["items"]
		record, is := strings.CutSuffix(list, "List")
		if got := componentOf(data); !is || got != record+"Out" {
			t.Errorf("%s answers %s of %s", op.Name, list, got)
		}
	}
}
