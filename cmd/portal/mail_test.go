package main

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/cmd/portal/cli"
)

func TestEmailRequiresServerAndSender(t *testing.T) {
	t.Parallel()
	const server, sender = "smtp://portal:swordfish@mail.example.com:587", "Harbor Lane <portal@example.com>"
	for _, c := range []struct {
		url, from string
		wrong     []string // variables that are named
	}{
		{"", "", nil},
		{server, sender, nil},
		{"smtps://mail.example.com", "portal@example.com", nil},
		{"smtp://[::1]:2525/", sender, nil},
		{server, "", []string{"PORTAL_MAIL_FROM"}},
		{"", sender, []string{"SMTP_URL"}},
		{"http://portal:swordfish@mail.example.com", sender, []string{"SMTP_URL"}},
		{"mail.example.com:587", sender, []string{"SMTP_URL"}},
		{"smtp://", sender, []string{"SMTP_URL"}},
		{"smtp://portal@mail.example.com", sender, []string{"SMTP_URL"}},
		{"smtp://:swordfish@mail.example.com", sender, []string{"SMTP_URL"}},
		{"smtp://mail.example.com:0", sender, []string{"SMTP_URL"}},
		{"smtp://mail.example.com:99999", sender, []string{"SMTP_URL"}},
		{"smtp://portal:sword fish@mail.example.com/in?tls=none", sender, []string{"SMTP_URL"}},
		{server, "Harbor Lane", []string{"PORTAL_MAIL_FROM"}},
		{server, "a@example.com, b@example.com", []string{"PORTAL_MAIL_FROM"}},
		{server, "a@example.com\r\nBcc: b@example.com", []string{"PORTAL_MAIL_FROM"}},
		{"ftp://portal:swordfish@mail.example.com", "nobody", []string{"PORTAL_MAIL_FROM", "SMTP_URL"}},
	} {
		got, err := configure(func(name string) string {
			return map[string]string{"SMTP_URL": c.url, "PORTAL_MAIL_FROM": c.from}[name]
		})
		if len(c.wrong) == 0 {
			if err != nil || (got.smtp != nil) != (c.url != "") {
				t.Errorf("%q from %q: %v", c.url, c.from, err)
			}
			continue
		}
		var named []string
		if err == nil {
			t.Errorf("%q from %q was taken", c.url, c.from)
			continue
		}
		for line := range strings.SplitSeq(err.Error(), "\n") {
			name, _, _ := strings.Cut(line, " ")
			named = append(named, name)
		}
		slices.Sort(named)
		if !slices.Equal(named, c.wrong) || strings.Contains(err.Error(), "fish") {
			t.Errorf("%q from %q: %v", c.url, c.from, err)
		}
	}
}

// invited makes an invitation in the demo landlord's portfolio of a mode, by the
// rules, and is the token of its link.
func (h home) invited(t *testing.T, mode access.Mode) string {
	t.Helper()
	c, err := configure(func(name string) (value string) {
		for _, setting := range h.env {
			if v, found := strings.CutPrefix(setting, name+"="); found {
				value = v
			}
		}
		return value
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := openProduct(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	token, err := p.inviteSomebody(t.Context(), mode)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func (p *product) inviteSomebody(ctx context.Context, mode access.Mode) (token string, err error) {
	s, err := p.demo(ctx)
	if err != nil {
		return "", err
	}
	key := map[access.Mode]string{access.Test: s.TestKey, access.Live: s.LiveKey}[mode]
	caller, err := p.Developer.Authenticate(ctx, "Bearer "+key)
	if err != nil {
		return "", err
	}
	by := *caller.Actor()
	properties, err := p.Portfolio.Properties.Properties(ctx, by, portfolio.PropertyFilter{Query: list.Query{Limit: 1}})
	if err != nil {
		return "", err
	}
	property, err := p.Portfolio.Properties.Property(ctx, by, properties.Data[0].ID)
	if err != nil {
		return "", err
	}
	made, err := p.applications.Invitations.InviteTenant(ctx, by, application.TenantInvite{
		UnitID: property.Units[0].ID,
		Email:  "sam@example.com",
	})
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(*made.After.ApplyURL, "http://portal.test/apply/"), nil
}

func TestKeptEmailCanBeListedAndRead(t *testing.T) {
	t.Parallel()
	h := newHome(t, "PORTAL_BASE_URL=http://portal.test")
	token := h.invited(t, access.Test)
	code, out, err := h.inside(t, "", "mail", "list")
	if code != cli.ExitDone || !strings.Contains(out, "sam@example.com") ||
		!strings.Contains(out, "Apply now: ") || strings.Contains(out, token) {
		t.Errorf("exit code %d: %s%s", code, out, err)
	}
	var all []map[string]any
	_, out, _ = h.inside(t, "", "mail", "list", "--all", "--json")
	if err := json.Unmarshal([]byte(out), &all); err != nil || len(all) != 1 || all[0]["status"] != "kept" ||
		all[0]["mode"] != "test" || all[0]["last_error"] != nil {
		t.Fatalf("%v: %s", err, out)
	}
	id := all[0]["id"].(string)
	code, out, err = h.inside(t, "", "mail", "show", id)
	for _, want := range []string{
		"Id: " + id, "Status: kept (test mode, 0 attempts)", "To: sam@example.com",
		"Subject: Apply now: ", "List-Unsubscribe: <http://portal.test/mail/unsubscribe/",
		"\n\nHello,\n", "/apply/" + token,
	} {
		if code != cli.ExitDone || !strings.Contains(out, want) {
			t.Errorf("exit code %d, without %q:\n%s%s", code, want, out, err)
		}
	}
	if strings.Contains(out, "<p") {
		t.Error("it shows HTML")
	}
	var one map[string]any
	_, out, _ = h.inside(t, "", "mail", "show", id, "--json")
	if err := json.Unmarshal([]byte(out), &one); err != nil || one["id"] != id ||
		!strings.Contains(one["html"].(string), token) || !strings.Contains(one["text"].(string), token) ||
		one["unsubscribe_url"] == nil {
		t.Errorf("%v: %s", err, out)
	}
	if code, _, err := h.inside(t, "", "mail", "show", "mail_absent"); code != cli.ExitFailed ||
		!strings.Contains(err, "No mail has the id") {
		t.Errorf("exit code %d: %s", code, err)
	}
}

func TestLinkTokensAreNeverLogged(t *testing.T) {
	t.Parallel()
	s := newHome(t).serve(t)
	const token = "T0kenThatNobodyMustSee-0123456789_abcdefghi"
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, "BREW"} {
		for _, path := range []string{
			"/apply/" + token, "/apply/" + token + "/", "/apply/" + token + "?sent",
			"/apply//" + token, "/mail/unsubscribe/" + token, "/mail/" + token,
		} {
			request, err := http.NewRequestWithContext(t.Context(), method, s.vars["PORTAL_URL"]+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode >= http.StatusInternalServerError {
				t.Errorf("%s %s: %d", method, path, response.StatusCode)
			}
		}
	}
	s.signalAndEnd(t)
	if strings.Contains(s.err.String(), token) {
		t.Errorf("the log holds the token:\n%s", s.err.String())
	}
}
