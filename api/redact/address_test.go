package redact_test

import (
	"strings"
	"testing"

	"portal/api/redact"
)

func TestURLPasswordsAreRedactedInEverySpelling(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"https://user:hun ter2@example.com/x", "https://user:hun  ter 2@example.com",
		"https://:hunter2@example.com", "https://hunter2@example.com",
		"https://user:hunt@er2@example.com", "https://user:hunt/er2@example.com",
		"https://user:hunt?er2@example.com", "https://user:hunt#er2@example.com",
		"https://user:hunt:er2@example.com", "https://user:12 hunter2@example.com:8443/",
		"postgres://user:hun ter2@db/portal?sslmode=disable", `https:\/\/user:hunter2@example.com`,
		"HTTPS://user:hunter2@[::1]:80/", "https%3A%2F%2Fuser%3Ahunter2%40example.com%2Fx",
		"https://user%3Ahunter2%40example.com/", "https%3a//user:hunter2%40example.com",
		"https%3A%2F%2Fuser%3Ahun%20ter2%40example.com",
	} {
		for name, kept := range map[string]string{
			"text":   redact.FreeText("Deliver to " + address + " from now on."),
			"body":   redact.Body([]byte(`{"url":"`+strings.ReplaceAll(address, `\`, `\\`)+`"}`), 4096).Text,
			"no end": redact.Body([]byte(`{"url":"`+address), 4096).Text,
			"query":  redact.Query("url=" + strings.ReplaceAll(address, " ", "%20") + "&limit=2"),
			"header": redact.Header("X-Forward-To", address, 4096).Text,
		} {
			for _, part := range []string{"hun", "ter2", "er2"} {
				if strings.Contains(kept, part) {
					t.Errorf("of %s in a %s is kept %q", address, name, kept)
					break
				}
			}
			if !strings.Contains(kept, "example.com") && !strings.Contains(kept, "@db") &&
				!strings.Contains(kept, "[::1]") {
				t.Errorf("of %s in a %s the host is lost: %q", address, name, kept)
			}
		}
	}
}

func TestURLWithoutPasswordIsUnchanged(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"See https://example.com: write to ann@example.com.",
		"http://localhost:8080/docs, or ask ann@example.com",
		"http://localhost:8080 and ann@example.com", "https://example.com/a/b?x=1",
		"https://example.com:8443/@ann", "ann@example.com",
		"https://example.com/users/ann@example.com",
	} {
		if got := redact.FreeText(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	if got := redact.Query(
		"url=https%3A%2F%2Fexample.com%2Fx&email=ann%40example.com",
	); got != "url=https%3A%2F%2Fexample.com%2Fx&email=ann%40example.com" {
		t.Errorf("the query became %q", got)
	}
}
