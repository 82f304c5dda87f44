package main

import (
	"encoding/base64"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"portal/cmd/portal/cli"
)

// TestSecretsAreNeverStoredInPlaintext sends keys wherever a careless client puts them.
func TestSecretsAreNeverStoredInPlaintext(t *testing.T) {
	t.Parallel()
	s := newHome(t).serve(t)
	key := s.newKey(t)
	careless(t, s, *key.Plaintext)
	s.signalAndEnd(t)

	secret, err := os.ReadFile(filepath.Join(s.data, "secret.key"))
	if err != nil {
		t.Fatal(err)
	}
	secrets := []string{
		*key.Plaintext,
		s.vars["PORTAL_TEST_KEY"],
		s.vars["PORTAL_LIVE_KEY"],
		s.vars["PORTAL_DEMO_PASSWORD"],
		strings.TrimSpace(string(secret)),
	}
	for name, text := range map[string]string{"the log": s.err.String(), "the database": database(t, s.home)} {
		for _, secret := range secrets {
			if secret == "" || strings.Contains(text, secret) {
				t.Errorf("%s holds the secret %q", name, secret)
			}
		}
	}
	if strings.Contains(s.out.String(), *key.Plaintext) {
		t.Error("the server prints a key that it did not make")
	}
}

// careless asks with a key in every place that is written down.
func careless(t *testing.T, s *service, key string) {
	t.Helper()
	for _, path := range []string{"/me?key=" + key, "/properties?city=" + key, "/properties/" + key, "/" + key, "/me"} {
		for _, auth := range []string{key, key + "x", strings.ToUpper(key), "Bearer " + key} {
			request, err := http.NewRequestWithContext(
				t.Context(),
				http.MethodGet,
				s.vars["PORTAL_URL"]+"/api/v1/external"+path,
				nil,
			)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Authorization", "Bearer "+auth)
			request.Header.Set("User-Agent", "curl -H 'Authorization: Bearer "+key+"'")
			request.Header.Set("Referer", "https://example.com/?key="+key)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
		}
	}
}

// database is every byte of the database's files.
func database(t *testing.T, h home) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(h.data, "portal.db*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: %v", files, err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

func TestUnreachableStoreErrorOmitsPassword(t *testing.T) {
	t.Parallel()
	key := base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef"))
	h := newHome(t, "PORTAL_SECRET_KEY="+key)
	at := freeAddress(t)
	for _, store := range []string{
		"DATABASE_URL=postgres://portal:swordfish@" + at + "/portal",
		"DATABASE_URL=postgres://portal:swordfish@" + at + "/portal?sslmode=nonsense",
	} {
		code, out, err := h.with(store).run(t, "migrate")
		if code != cli.ExitFailed || out != "" {
			t.Errorf("%s: exit code %d, printed %q", store, code, out)
		}
		if strings.Contains(err, "swordfish") || strings.Contains(err, key) || err == "" {
			t.Errorf("%s: it said %q", store, err)
		}
	}
	s := h.with("REDIS_URL=redis://:swordfish@" + at).serve(t)
	if r := s.me(t, s.vars["PORTAL_TEST_KEY"]); r.StatusCode != http.StatusOK {
		t.Errorf("without Redis: %s", r.Status)
	}
	eventually(t, "the server says that Redis is away", func() bool { return strings.Contains(s.err.String(), "edis") })
	s.signalAndEnd(t)
	if log := s.err.String(); strings.Contains(log, "swordfish") || strings.Contains(log, key) {
		t.Errorf("the log holds a secret: %s", log)
	}
}
