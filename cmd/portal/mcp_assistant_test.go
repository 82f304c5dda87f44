package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"mime/multipart"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allTools are what a live key with every scope is shown, in this order.
var allTools = slices.Concat(readTools, []string{
	"update_property", "update_tenant", "create_maintenance_ticket", "update_maintenance_ticket", "update_lease",
})

// readTools are what a test key is shown.
var readTools = []string{
	"get_expiring_leases",
	"get_rent_balances",
	"list_maintenance_requests",
	"get_unit_history",
	"list_properties",
	"get_property",
	"list_tenants",
	"list_leases",
	"list_maintenance_tickets",
	"list_payments",
	"get_portfolio_summary",
	"get_import",
}

// assisting is a server whose demo an assistant may ask as often as it likes. It must
// end well.
func assisting(t *testing.T) *service {
	t.Helper()
	s := newHome(t).serve(t)
	t.Cleanup(func() { s.signalAndEnd(t) })
	s.do(t, "plan", "set", "landlord@example.com", "prime", "--sustained", "100000", "--burst", "100000")
	return s
}

// sendsRoll sends a rent roll with a key, and is the id of its import.
func (s *service) sendsRoll(t *testing.T, key string) string {
	t.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	part, err := m.CreateFormFile("file", "roll.csv")
	if err == nil {
		_, err = part.Write(
			[]byte("address,unit,tenant,start,rent\n\"9 Pine St, Austin, TX 78701\",1,Ann Lee,2026-02-01,900\n"),
		)
	}
	if err = errors.Join(err, m.Close()); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		s.vars["PORTAL_URL"]+"/api/v1/external/imports", &body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", m.FormDataContentType())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var sent struct{ ID string }
	if err := json.NewDecoder(res.Body).Decode(&sent); err != nil || sent.ID == "" {
		t.Fatalf("%d: %v", res.StatusCode, err)
	}
	return sent.ID
}

// assistant is a client that somebody else has written, connected to the server.
type assistant interface {
	tools(t *testing.T) []string
	call(t *testing.T, tool string, args arguments) reply
	ping(t *testing.T)
}

type arguments = map[string]any

// reply is what a call has come to: a result or the code of an error.
type reply struct {
	IsError bool
	Content []struct{ Type, Text string }
	Record  map[string]any `json:"structuredContent"`
	code    int
}

// meeting is what a client knows after it has connected.
type meeting struct {
	Version      string
	Server       struct{ Name, Version string }
	Capabilities map[string]any
}

// expect: tools are all there is.
func (m meeting) expect(t *testing.T, version string) {
	t.Helper()
	_, tools := m.Capabilities["tools"]
	if m.Version != version || m.Server.Name == "" || m.Server.Version == "" || !tools || len(m.Capabilities) != 1 {
		t.Errorf("connected by %s: %+v", version, m)
	}
}

// converse is what every client does, by whatever version: it looks at everything,
// opens a ticket, tries every other change, and makes mistakes.
func converse(t *testing.T, a assistant, version, sent string) {
	t.Helper()
	if got := a.tools(t); !slices.Equal(got, allTools) {
		t.Errorf("the tools are %q, not %q", got, allTools)
	}
	if version < "2026-07-28" { // which has no ping any more
		a.ping(t)
	}
	c := conversation{a, version}
	known := c.looks(t)
	if said := c.asks(
		t,
		"get_import",
		arguments{"import_id": sent},
	); said["id"] != sent ||
		said["confirmable"] != true {
		t.Errorf("the import is %v", said)
	}
	c.tries(t, known)
	c.errs(t, known)
}

type conversation struct {
	assistant
	version string
}

// identities are some records of the portfolio.
type identities struct{ property, unit, tenant, lease, ticket string }

// looks calls every tool that reads, after it has opened a ticket that is to be seen.
func (c conversation) looks(t *testing.T) (known identities) {
	t.Helper()
	known.property = at(t, c.asks(t, "list_properties", nil), "data.0.id")
	known.unit = at(t, c.asks(t, "get_property", arguments{"property_id": known.property}), "units.0.id")
	known.ticket = at(t, c.asks(t, "create_maintenance_ticket", arguments{
		"unit_id":     known.unit,
		"description": "The kitchen tap drips.",
	}), "id")
	known.tenant = at(t, c.asks(t, "list_tenants", nil), "data.0.id")
	known.lease = at(t, c.asks(t, "list_leases", nil), "data.0.id")
	for _, tool := range []string{
		"get_expiring_leases", "get_rent_balances", "list_maintenance_requests", "list_payments",
		"get_portfolio_summary",
	} {
		c.asks(t, tool, nil)
	}
	for tool, filled := range map[string]arguments{ // as some clients fill in what nobody has said
		"get_portfolio_summary":     {"random_string": "x"},
		"list_payments":             {"status": "", "starting_after": nil, "limit": "5", "overdue": "false"},
		"list_maintenance_requests": {"status": nil, "unit_id": "", "limit": "3"},
	} {
		c.asks(t, tool, filled)
	}
	for _, kind := range []string{"leases", "maintenance", "payments"} {
		c.asks(t, "get_unit_history", arguments{"unit_id": known.unit, "kind": kind})
	}
	return known
}

// tries previews every change, and nothing has changed.
func (c conversation) tries(t *testing.T, known identities) {
	t.Helper()
	for tool, args := range map[string]arguments{
		"update_property":           {"property_id": known.property, "name": "The corner house"},
		"update_tenant":             {"tenant_id": known.tenant, "preferred_contact_method": "sms"},
		"create_maintenance_ticket": {"unit_id": known.unit, "description": "The bell is silent."},
		"update_maintenance_ticket": {"ticket_id": known.ticket, "status": "completed"},
		"update_lease":              {"lease_id": known.lease, "rent_due_day": 2},
	} {
		args["dry_run"] = true
		record := c.asks(t, tool, args)
		preview, _ := record["preview"].(map[string]any)
		if preview["dry_run"] != true || preview["would_change"] != true {
			t.Errorf("%s: %v is no preview of a change", tool, record)
		}
	}
	emptied := c.asks(t, "update_tenant", arguments{
		"tenant_id": known.tenant, "clear": []string{"phone", "emergency_contact"}, "dry_run": true,
	})
	if emptied["phone"] != nil || emptied["emergency_contact"] != nil {
		t.Errorf("what is cleared is %v", emptied)
	}
	tickets := c.asks(t, "list_maintenance_tickets", arguments{"property_id": known.property, "limit": 100})
	if status := statusOf(tickets, known.ticket); status != "open" {
		t.Errorf("after a preview the ticket is %q", status)
	}
}

// statusOf looks for a record in a list.
func statusOf(list map[string]any, id string) any {
	records, _ := list["data"].([]any)
	for _, r := range records {
		if record, _ := r.(map[string]any); record["id"] == id {
			return record["status"]
		}
	}
	return nil
}

// errs: what the caller can mend is a result that says how, a tool that does not exist
// an error of the protocol.
func (c conversation) errs(t *testing.T, known identities) {
	t.Helper()
	for tool, args := range map[string]arguments{
		"get_property":              {},
		"get_import":                {"import_id": known.lease},
		"list_tenants":              {"sort_by": "name"},
		"get_unit_history":          {"unit_id": known.property},
		"update_maintenance_ticket": {"ticket_id": known.ticket, "status": "fixed", "dry_run": true},
	} {
		r := c.call(t, tool, args)
		if !r.IsError || r.code != 0 || r.Record != nil || len(r.Content) == 0 || r.Content[0].Text == "" {
			t.Errorf("%s with %v: %+v", tool, args, r)
		}
	}
	if r := c.call(t, "delete_everything", arguments{}); r.code != -32602 {
		t.Errorf("an unknown tool: %+v", r)
	}
}

// asks calls a tool that has to answer, with a record and with the same as text.
func (c conversation) asks(t *testing.T, tool string, args arguments) map[string]any {
	t.Helper()
	if args == nil {
		args = arguments{}
	}
	r := c.call(t, tool, args)
	if r.IsError || r.code != 0 || len(r.Record) == 0 || len(r.Content) != 1 || r.Content[0].Type != "text" {
		t.Fatalf("%s with %v: %+v", tool, args, r)
	}
	var told map[string]any
	err := json.Unmarshal([]byte(unfenced(r.Content[0].Text)), &told)
	if err != nil || !reflect.DeepEqual(told, inOneLine(r.Record)) {
		t.Errorf("%s tells %s, not %v", tool, r.Content[0].Text, r.Record)
	}
	return r.Record
}

// inOneLine is a record whose texts have blanks for the ends of their lines, as they do where
// they are marked.
func inOneLine(v any) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, "\n", " ")
	case []any:
		all := slices.Clone(v)
		for i := range all {
			all[i] = inOneLine(all[i])
		}
		return all
	case map[string]any:
		all := make(map[string]any, len(v))
		for name := range v {
			all[name] = inOneLine(v[name])
		}
		return all
	}
	return v
}

var marksNamed = regexp.MustCompile(`^Text between <<([A-Z2-7]{12})>> and <</([A-Z2-7]{12})>> was written by tenants`)

// unfenced is the text of an answer without its first line and the marks that this names.
func unfenced(text string) string {
	named := marksNamed.FindStringSubmatch(text)
	if named == nil || named[1] != named[2] {
		return text
	}
	_, body, _ := strings.Cut(text, "\n")
	return strings.NewReplacer("<<"+named[1]+">>", "", "<</"+named[1]+">>", "").Replace(body)
}

// at is a field of a record, by its path.
func at(t *testing.T, record map[string]any, path string) string {
	t.Helper()
	var v any = record
	for step := range strings.SplitSeq(path, ".") {
		switch of := v.(type) {
		case map[string]any:
			v = of[step]
		case []any:
			if n, err := strconv.Atoi(step); err == nil && n < len(of) {
				v = of[n]
			}
		}
	}
	s, ok := v.(string)
	if !ok {
		t.Fatalf("no %s in %v", path, record)
	}
	return s
}
