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

func TestStripeNeedsBothKeysAndNoKeyIsRepeated(t *testing.T) {
	t.Parallel()
	const key, hook, other = "sk_live_SWORDFISH1", "whsec_SWORDFISH2", "whsec_SWORDFISH3"
	for _, c := range []struct {
		key, hooks, base string
		says             []string // none: it is taken
	}{
		{key, hook, "", nil},
		{"rk_live_SWORDFISH1", hook, "", nil},
		{key, hook + "," + other, "http://127.0.0.1:1/", nil},
		{key, " " + hook + " , " + other, "", nil},
		{key, "", "", []string{"STRIPE_WEBHOOK_SECRET is required with STRIPE_SECRET_KEY"}},
		{"", hook, "", []string{"STRIPE_SECRET_KEY is required with STRIPE_WEBHOOK_SECRET"}},
		{"", "", "http://127.0.0.1:1", []string{"STRIPE_SECRET_KEY is required", "STRIPE_WEBHOOK_SECRET is required"}},
		{"pk_live_SWORDFISH", hook, "", []string{"STRIPE_SECRET_KEY must be a secret key of Stripe"}},
		{key, "SWORDFISH", "", []string{"STRIPE_WEBHOOK_SECRET must be a signing secret of Stripe"}},
		{key, hook + ",SWORDFISH", "", []string{"STRIPE_WEBHOOK_SECRET must be a signing secret of Stripe"}},
		{"SWORDFISH", "SWORDFISH", "", []string{"STRIPE_SECRET_KEY must", "STRIPE_WEBHOOK_SECRET must"}},
		{key, hook + "," + other + "," + hook + "4", "", []string{"STRIPE_WEBHOOK_SECRET has 3 secrets"}},
		{key, hook, "https://u:SWORDFISH@stripe.example", []string{"STRIPE_API_BASE must be an address"}},
	} {
		env := map[string]string{
			"STRIPE_SECRET_KEY": c.key, "STRIPE_WEBHOOK_SECRET": c.hooks, "STRIPE_API_BASE": c.base,
		}
		got, err := configure(func(name string) string { return env[name] })
		if c.says == nil {
			if err != nil || got.stripe == nil || got.stripe.secret != c.key ||
				len(got.stripe.webhooks) != strings.Count(c.hooks, ",")+1 {
				t.Errorf("%v: %v", env, err)
			}
			continue
		}
		if err == nil || strings.Contains(err.Error(), "SWORDFISH") {
			t.Errorf("%v: %v", env, err)
			continue
		}
		for _, words := range c.says {
			if !strings.Contains(err.Error(), words) {
				t.Errorf("%v: %v does not say %q", env, err, words)
			}
		}
	}
	if got, err := configure(func(string) string { return "" }); err != nil || got.stripe != nil {
		t.Errorf("without keys: %v", err)
	}
	code, out, said := newHome(t, "STRIPE_SECRET_KEY="+key).run(t, "serve")
	if code != cli.ExitMisuse || out != "" || !strings.Contains(said, "STRIPE_WEBHOOK_SECRET is required") ||
		strings.Contains(said, key) {
		t.Errorf("exit code %d: %s", code, said)
	}
}
