package main

import (
	"cmp"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/redis/go-redis/v9"

	"portal/api/agreement/document/seal"
	"portal/api/secret"
	"portal/api/triage"
	"portal/cmd/portal/cli"
	"portal/jobs"
)

// config is what the environment says (docs/operations.md has the table).
type config struct {
	addr             string
	baseURL          string // "" until the port is known
	data             string
	databaseURL      string
	redisURL         string
	secretKeys       [][]byte // the first encrypts, all decrypt; none: generated into the data folder
	proxies          []*net.IPNet
	metricsAddr      string
	demo             bool         // serves for a first look, with secrets that everybody knows
	smtp             *jobs.SMTP   // nil: mail is kept instead of sent
	seal             *seal.Sealer // nil: the service makes its own
	llm              *triage.LLM  // nil: the built-in triage alone
	insecureWebhooks bool         // development: receivers on this machine, over http too
	stripe           *stripeKeys  // nil: live portfolios take no online payment
}

// stripeKeys are what Stripe is reached with.
type stripeKeys struct {
	secret   string
	webhooks []string // of which each event is signed with one
	base     string   // the address of the API, "" for Stripe's
}

// complain notes a mistake in a variable.
type complain func(variable, format string, args ...any)

// configure reads the environment and names every mistake at once. What could be read is
// returned with them.
func configure(getenv func(string) string) (*config, error) {
	var wrong cli.Settings
	say := func(variable, format string, args ...any) {
		wrong = append(wrong, variable+" "+fmt.Sprintf(format, args...))
	}
	c := &config{
		addr:        cmp.Or(getenv("PORTAL_ADDR"), "127.0.0.1:8080"),
		data:        cmp.Or(getenv("PORTAL_DATA"), "./data"),
		databaseURL: getenv("DATABASE_URL"),
		redisURL:    getenv("REDIS_URL"),
		metricsAddr: getenv("PORTAL_METRICS_ADDR"),
	}
	for _, a := range [][2]string{{"PORTAL_ADDR", c.addr}, {"PORTAL_METRICS_ADDR", c.metricsAddr}} {
		if _, err := net.ResolveTCPAddr("tcp", a[1]); err != nil && a[1] != "" {
			say(a[0], "is %q, which isn't an address such as 127.0.0.1:8080", a[1])
		}
	}
	c.checkBaseURL(getenv("PORTAL_BASE_URL"), say)
	c.checkStores(getenv("PORTAL_SECRET_KEY"), say)
	c.checkMail(getenv("SMTP_URL"), getenv("PORTAL_MAIL_FROM"), say)
	c.checkLLM(getenv("PORTAL_LLM_URL"), getenv("PORTAL_LLM_MODEL"), getenv("PORTAL_LLM_KEY"), say)
	c.checkSeal(getenv(sealCert), getenv(sealKey), say)
	c.checkStripe(getenv("STRIPE_SECRET_KEY"), getenv("STRIPE_WEBHOOK_SECRET"), getenv("STRIPE_API_BASE"), say)
	c.checkWebhooks(getenv("PORTAL_ALLOW_INSECURE_WEBHOOKS"), say)
	for _, cidr := range cli.Words(getenv("PORTAL_TRUSTED_PROXIES")) {
		_, network, err := net.ParseCIDR(cidr)
		if err != nil {
			say("PORTAL_TRUSTED_PROXIES", "contains %q, which isn't a network such as 10.0.0.0/8", cidr)
			continue
		}
		c.proxies = append(c.proxies, network)
	}
	if wrong != nil {
		return c, wrong
	}
	return c, nil
}

// webAddress reads an address of http or https without a password, a query or a fragment.
func webAddress(text string) (u *url.URL, valid bool) {
	u, err := url.Parse(text)
	return u, err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" &&
		u.User == nil && u.RawQuery == "" && u.Fragment == ""
}

func (c *config) checkBaseURL(base string, say complain) {
	if base == "" {
		c.baseURL = defaultBase(c.addr)
		return
	}
	u, valid := webAddress(base)
	if !valid || strings.Trim(u.Path, "/") != "" {
		say("PORTAL_BASE_URL",
			"must be an address such as https://portal.example.com, without a path, a query or a password")
		return
	}
	c.baseURL = u.Scheme + "://" + u.Host
}

// defaultBase is http:// and the listen address; "" while its port is not chosen.
func defaultBase(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || port == "0" {
		return ""
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

func (c *config) checkStores(key string, say complain) {
	if c.databaseURL != "" {
		if u, err := url.Parse(c.databaseURL); err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
			say("DATABASE_URL", "must begin with postgres://")
		}
	}
	if c.redisURL != "" {
		if _, err := redis.ParseURL(c.redisURL); err != nil {
			say("REDIS_URL", "must look like redis://host:port or rediss://host:port")
		}
	}
	switch {
	case key == "" && c.databaseURL != "":
		say("PORTAL_SECRET_KEY", "is required with DATABASE_URL: 32 bytes in base64, the same on every node")
	case key != "":
		var err error
		if c.secretKeys, err = secret.ParseKeys(key); err != nil {
			say("PORTAL_SECRET_KEY", "must be 32 bytes in base64, or several such keys separated by commas")
		}
	}
}

// checkMail takes both settings or none. What it says never repeats SMTP_URL, which
// may hold a password.
func (c *config) checkMail(address, from string, say complain) {
	if address == "" && from == "" {
		return
	}
	_, wrongAddress := jobs.ParseSMTP(address)
	_, wrongSender := jobs.ParseSender(from)
	switch {
	case address == "":
		say("SMTP_URL",
			"is required with PORTAL_MAIL_FROM: the mail server, such as smtp://user:password@mail.example.com:587")
	case wrongAddress != nil:
		say("SMTP_URL", "%s", wrongAddress)
	}
	switch {
	case from == "":
		say("PORTAL_MAIL_FROM", "is required with SMTP_URL: the sender, such as Portal <portal@example.com>")
	case wrongSender != nil:
		say("PORTAL_MAIL_FROM", "%s", wrongSender)
	}
	if wrongAddress == nil && wrongSender == nil {
		c.smtp, _ = jobs.NewSMTP(address, from) // both were read already
	}
}

// checkLLM takes the address of an OpenAI-compatible endpoint with the model to ask.
func (c *config) checkLLM(address, model, key string, say complain) {
	if address == "" {
		if model != "" || key != "" {
			say("PORTAL_LLM_URL", "is required with PORTAL_LLM_MODEL and PORTAL_LLM_KEY: "+
				"the endpoint, such as https://llm.example.com/v1")
		}
		return
	}
	if _, valid := webAddress(address); !valid {
		say("PORTAL_LLM_URL", "must be an address such as https://llm.example.com/v1, without a query or a password")
	}
	if model == "" {
		say("PORTAL_LLM_MODEL", "is required with PORTAL_LLM_URL: the name of the model")
	}
	c.llm = &triage.LLM{URL: strings.TrimSuffix(address, "/"), Model: model, Key: key}
}

// mostWebhookSecrets is how many secrets events may be signed with, while one takes the place of the other.
const mostWebhookSecrets = 2

// checkStripe takes both keys or none. What it says never repeats one.
func (c *config) checkStripe(key, webhooks, base string, say complain) {
	if key == "" && webhooks == "" && base == "" {
		return
	}
	secrets := cli.Words(webhooks)
	switch {
	case key == "":
		say(
			"STRIPE_SECRET_KEY",
			"is required with STRIPE_WEBHOOK_SECRET and STRIPE_API_BASE: the secret key of the platform",
		)
	case !strings.HasPrefix(key, "sk_") && !strings.HasPrefix(key, "rk_"):
		say("STRIPE_SECRET_KEY", "must be a secret key of Stripe, which begins with sk_ or rk_")
	}
	switch {
	case len(secrets) == 0:
		say(
			"STRIPE_WEBHOOK_SECRET",
			"is required with STRIPE_SECRET_KEY: the signing secret of the Connect endpoint that Stripe sends events to",
		)
	case len(secrets) > mostWebhookSecrets:
		say(
			"STRIPE_WEBHOOK_SECRET",
			"has %d secrets, and may have two, separated by a comma, while one replaces the other",
			len(secrets),
		)
	}
	for _, s := range secrets {
		if !strings.HasPrefix(s, "whsec_") {
			say("STRIPE_WEBHOOK_SECRET", "must be a signing secret of Stripe, which begins with whsec_")
			break
		}
	}
	if _, valid := webAddress(base); base != "" && !valid {
		say("STRIPE_API_BASE", "must be an address such as https://api.stripe.com, without a query or a password")
	}
	c.stripe = &stripeKeys{secret: key, webhooks: secrets, base: strings.TrimSuffix(base, "/")}
}

// checkWebhooks follows checkBaseURL, since what eases development has no place on
// a server that the public reaches.
func (c *config) checkWebhooks(allow string, say complain) {
	switch allow {
	case "", "false", "0":
	case "true", "1":
		c.insecureWebhooks = true
	default:
		say("PORTAL_ALLOW_INSECURE_WEBHOOKS", "must be true or false")
	}
	if c.insecureWebhooks && c.secure() {
		say("PORTAL_ALLOW_INSECURE_WEBHOOKS", "is for development and isn't allowed if PORTAL_BASE_URL is https")
	}
}

// secure reports whether the public address is https.
func (c *config) secure() bool { return strings.HasPrefix(c.baseURL, "https:") }

// file is a path in the data folder.
func (c *config) file(name string) string { return filepath.Join(c.data, name) }
