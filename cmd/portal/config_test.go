package main

import (
	"strings"
	"testing"

	"portal/cmd/portal/cli"
)

func TestAllConfigurationErrorsAreReportedTogether(t *testing.T) {
	t.Parallel()
	mistakes := map[string]string{
		"PORTAL_ADDR":            "nowhere",
		"PORTAL_BASE_URL":        "ftp://portal:swordfish@portal.example.com",
		"PORTAL_METRICS_ADDR":    "127.0.0.1:http:80",
		"PORTAL_SECRET_KEY":      "dG9vIHNob3J0IGEgc2VjcmV0",
		"PORTAL_TRUSTED_PROXIES": "10.0.0.0/8,10.0.0.1",
		"DATABASE_URL":           "mysql://portal:swordfish@db/portal",
		"REDIS_URL":              "http://:swordfish@redis",

		"PORTAL_ALLOW_INSECURE_WEBHOOKS": "yes, please",
	}
	h := newHome(t)
	for name, value := range mistakes {
		h = h.with(name + "=" + value)
	}
	for _, args := range [][]string{{"serve"}, {"migrate"}, {"key", "list", "a@example.com"}, {"health"}} {
		code, out, err := h.run(t, args...)
		if code != cli.ExitMisuse || out != "" {
			t.Errorf("portal %s: exit code %d, printed %q", strings.Join(args, " "), code, out)
		}
		lines := strings.Split(strings.TrimSpace(err), "\n")
		if len(lines) != 1+len(mistakes) {
			t.Errorf("%d mistakes are told in %d lines: %s", len(mistakes), len(lines), err)
		}
		for name := range mistakes {
			if !strings.Contains(err, "\n"+name+" ") {
				t.Errorf("%s is not named: %s", name, err)
			}
		}
		if strings.Contains(err, "swordfish") || strings.Contains(err, mistakes["PORTAL_SECRET_KEY"]) {
			t.Errorf("a secret is told: %s", err)
		}
	}
}

func TestPostgreSQLServerRequiresSecretKeyVariable(t *testing.T) {
	t.Parallel()
	code, _, err := newHome(t, "DATABASE_URL=postgres://127.0.0.1/portal").run(t, "serve")
	if code != cli.ExitMisuse || !strings.Contains(err, "PORTAL_SECRET_KEY is required") {
		t.Errorf("exit code %d: %s", code, err)
	}
}

func TestLocalReceiversRequireDevelopmentMode(t *testing.T) {
	t.Parallel()
	const variable, secure = "PORTAL_ALLOW_INSECURE_WEBHOOKS", "https://portal.example.com"
	for _, c := range []struct {
		value, base string
		allowed     bool
		says        string
	}{
		{"", "", false, ""},
		{"false", "", false, ""},
		{"0", secure, false, ""},
		{"true", "", true, ""},
		{"1", "http://portal.example.com", true, ""},
		{"TRUE", "", false, "must be true or false"},
		{"yes", secure, false, "must be true or false"},
		{"true", secure, false, "isn't allowed if PORTAL_BASE_URL is https"},
		{"1", secure, false, "isn't allowed if PORTAL_BASE_URL is https"},
	} {
		got, err := configure(func(name string) string {
			return map[string]string{
				variable:          c.value,
				"PORTAL_BASE_URL": c.base,
			}[name]
		})
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), variable) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q with %q: %v", c.value, c.base, err)
			}
			continue
		}
		if err != nil || got.insecureWebhooks != c.allowed {
			t.Errorf("%q with %q: %+v, %v", c.value, c.base, got, err)
		}
	}
}

func TestDefaultBaseURLFollowsListenAddress(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080",
		"[::1]:8080":     "http://[::1]:8080",
		"0.0.0.0:8080":   "http://localhost:8080",
		"[::]:8080":      "http://localhost:8080",
		":8080":          "http://localhost:8080",
		"127.0.0.1:0":    "", // not known before it listens
	} {
		if got := defaultBase(addr); got != want {
			t.Errorf("%s gives %q, want %q", addr, got, want)
		}
	}
}
