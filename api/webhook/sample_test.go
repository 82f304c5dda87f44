package webhook_test

import (
	"testing"
	"time"

	"portal/api/webhook"
)

func TestSamplesUseReservedExampleHosts(t *testing.T) {
	t.Parallel()
	for _, e := range webhook.Samples(time.Now()) {
		if !e.Sample() {
			t.Errorf("%s is no sample", e.URL)
		}
	}
	for address, want := range map[string]bool{
		"https://example.com/":            true,
		"https://hooks.example/":          true,
		"https://CRM.Example.ORG.:8443/x": true,
		"https://notexample.com/":         false,
		"https://example.com.acme.io/":    false,
		"https://acme.io/example.com":     false,
		"https://example.co/":             false,
	} {
		if e := (webhook.Endpoint{URL: address}); e.Sample() != want {
			t.Errorf("%s: %v", address, e.Sample())
		}
	}
}
