package developer

import (
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/fault"
)

func TestMalformedHeaderIsReportedWithoutItsSecret(t *testing.T) {
	t.Parallel()
	key := newKey(access.Test)
	for header, want := range map[string]string{
		"Basic " + key:       "the scheme Basic, as curl -u sends it",
		"basic c2tfdGVzdA==": "the scheme Basic, as curl -u sends it",
		"Digest " + key:      "the scheme Digest;",
		"token " + key:       "the scheme Token;",
		key:                  "a key without the word Bearer",
		"hunter2 " + key:     "does not begin with the word Bearer and a space",
		"Bearer:" + key:      "does not begin with the word Bearer and a space",
		"Bearer\t" + key:     "does not begin with the word Bearer and a space",
		"hunter2":            "does not begin with the word Bearer and a space",
		"Bearer " + key[1:]:  "its format or checksum is wrong",
		"Bearer Bearer":      "its format or checksum is wrong",
	} {
		_, err := keyOf(header)
		f := fault.From(err)
		if f.Code != fault.MalformedAPIKey || !strings.Contains(f.Message, want) {
			t.Errorf("%s: %v", header, f)
		}
		for _, secret := range []string{key, key[20:], "hunter2", "c2tf"} {
			if strings.Contains(f.Message, secret) {
				t.Errorf("%s: the message repeats what may be a secret: %s", header, f.Message)
			}
		}
	}
	for _, header := range []string{"Bearer " + key, "bearer " + key, "BEARER " + key} {
		if got, err := keyOf(header); err != nil || got != key {
			t.Errorf("%s: %q, %v", header, got, err)
		}
	}
}
