package secret

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func box(t *testing.T, seed byte) *Box {
	t.Helper()
	b, err := NewBox(bytes.Repeat([]byte{seed}, KeySize))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSealedValueOpensOnlyForItsPurpose(t *testing.T) {
	t.Parallel()
	b := box(t, 1)
	for _, text := range []string{"", "whsec_MfKQ9r8GKYqrTwjU", "\x00\xff", strings.Repeat("long ", 100_000)} {
		sealed := b.Seal("webhook_secret", text)
		if got, err := b.Open("webhook_secret", sealed); err != nil || got != text {
			t.Errorf("%.20q opens as %.20q: %v", text, got, err)
		}
		for _, purpose := range []string{"", "webhook_secre", "webhook_secret ", "email_token"} {
			if got, err := b.Open(purpose, sealed); err == nil || got != "" {
				t.Errorf("%.20q opens for %q: %q", text, purpose, got)
			}
		}
		if _, err := box(t, 2).Open("webhook_secret", sealed); err == nil {
			t.Errorf("%.20q opens with another key", text)
		}
		if text != "" && bytes.Contains(sealed, []byte(text)) {
			t.Errorf("%.20q lies in clear", text)
		}
	}
}

func TestTamperedCiphertextDoesNotOpen(t *testing.T) {
	t.Parallel()
	b := box(t, 1)
	sealed := b.Seal("p", "secret")
	for i := range sealed {
		for bit := range 8 {
			changed := bytes.Clone(sealed)
			changed[i] ^= 1 << bit
			if got, err := b.Open("p", changed); err == nil {
				t.Fatalf("with bit %d of byte %d changed it opens as %q", bit, i, got)
			}
		}
		if _, err := b.Open("p", sealed[:i]); err == nil {
			t.Errorf("%d bytes of %d open", i, len(sealed))
		}
	}
	if _, err := b.Open("p", append(sealed, 0)); err == nil {
		t.Error("with a byte more it opens")
	}
	if _, err := b.Open("p", nil); err == nil {
		t.Error("nothing opens")
	}
}

func TestSealingSameTextTwiceDiffers(t *testing.T) {
	t.Parallel()
	b, seen := box(t, 1), map[string]bool{}
	for range 1000 {
		sealed := b.Seal("p", "secret")
		if nonce := string(sealed[:12]); seen[nonce] {
			t.Fatal("a nonce was used twice")
		} else {
			seen[nonce] = true
		}
	}
}

func TestBoxRequires32ByteKey(t *testing.T) {
	t.Parallel()
	for n := range 65 {
		if _, err := NewBox(make([]byte, n)); (err == nil) != (n == 32) {
			t.Errorf("a key of %d bytes: %v", n, err)
		}
	}
}

func TestKeyIsParsedFromBase64(t *testing.T) {
	t.Parallel()
	key := bytes.Repeat([]byte{0xfb}, 32)
	text := base64.StdEncoding.EncodeToString(key)
	for _, s := range []string{text, text + "\n", "  " + text + "\r\n"} {
		if got, err := ParseKey(s); err != nil || !bytes.Equal(got, key) {
			t.Errorf("%q: %v", s, err)
		}
	}
	for _, s := range []string{
		"",
		"short",
		text[:40],
		text + text,
		strings.TrimRight(text, "="),
		base64.URLEncoding.EncodeToString(key),
		strings.Repeat("00", 32),
	} {
		_, err := ParseKey(s)
		if err == nil {
			t.Errorf("%q is read", s)
		} else if s != "" && strings.Contains(err.Error(), s) {
			t.Errorf("the error tells the key: %v", err)
		}
	}
}

func TestKeyFileIsCreatedOnceWithOwnerOnlyPermissions(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "secret.key")
	first, err := KeyFile(path)
	if err != nil || len(first) != 1 || len(first[0]) != KeySize {
		t.Fatalf("%d keys: %v", len(first), err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v: %v", info.Mode(), err)
	}
	again, err := KeyFile(path)
	if err != nil || !bytes.Equal(again[0], first[0]) {
		t.Errorf("the second reading differs: %v", err)
	}
	other, err := KeyFile(filepath.Join(t.TempDir(), "secret.key"))
	if err != nil || bytes.Equal(other[0], first[0]) {
		t.Errorf("two files have the same key: %v", err)
	}
}

func TestConcurrentStartsCreateOneKey(t *testing.T) {
	t.Parallel()
	for range 20 {
		folder := t.TempDir()
		path := filepath.Join(folder, "secret.key")
		keys := make([][][]byte, 16)
		var all sync.WaitGroup
		for i := range keys {
			all.Go(func() {
				var err error
				if keys[i], err = KeyFile(path); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for _, key := range keys {
			if len(key) != 1 || len(key[0]) != KeySize || !bytes.Equal(key[0], keys[0][0]) {
				t.Fatal("they have different keys")
			}
		}
		left, err := os.ReadDir(folder)
		if err != nil || len(left) != 1 {
			t.Errorf("the folder holds %v: %v", left, err)
		}
	}
}

func TestDamagedKeyFileIsNeverReplaced(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "secret.key")
	for _, text := range []string{"", "rubbish", strings.Repeat("A", 43)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := KeyFile(path); err == nil {
			t.Errorf("%q is a key", text)
		}
		if kept, err := os.ReadFile(path); err != nil || string(kept) != text {
			t.Errorf("%q became %q: %v", text, kept, err)
		}
	}
}

func TestKeyFileCreationFailureIsAnError(t *testing.T) {
	t.Parallel()
	if _, err := KeyFile(filepath.Join(t.TempDir(), "no", "such", "folder", "secret.key")); err == nil {
		t.Error("a key was made in a folder that is not there")
	}
	if _, err := KeyFile(t.TempDir()); err == nil {
		t.Error("a folder is a key")
	}
}

func TestFirstKeySealsAndAllKeysOpen(t *testing.T) {
	t.Parallel()
	one, two := bytes.Repeat([]byte{1}, KeySize), bytes.Repeat([]byte{2}, KeySize)
	both, err := NewBox(two, one)
	if err != nil {
		t.Fatal(err)
	}
	old, fresh := box(t, 1), box(t, 2)
	if got, err := both.Open("p", old.Seal("p", "text")); err != nil || got != "text" {
		t.Errorf("what the second key has sealed opens as %q: %v", got, err)
	}
	if got, err := fresh.Open("p", both.Seal("p", "text")); err != nil || got != "text" {
		t.Errorf("the first key does not seal: %q, %v", got, err)
	}
	if _, err := old.Open("p", both.Seal("p", "text")); err == nil {
		t.Error("the second key seals")
	}
	sealed := old.Seal("p", "text")
	anew, changed, err := both.Reseal("p", sealed)
	if got, opened := fresh.Open("p", anew); err != nil || !changed || opened != nil || got != "text" {
		t.Errorf("sealed anew it opens as %q: %v, %v, %v", got, changed, err, opened)
	}
	if again, changed, err := both.Reseal("p", anew); err != nil || changed || !bytes.Equal(again, anew) {
		t.Errorf("what the first key has sealed is sealed anew: %v, %v", changed, err)
	}
	if kept, changed, err := both.Reseal("other", sealed); err == nil || changed || !bytes.Equal(kept, sealed) {
		t.Errorf("what does not open is changed: %v, %v", changed, err)
	}
	if _, err := NewBox(); err == nil {
		t.Error("no key makes a box")
	}
}

func TestMultipleKeysAreParsedInOrder(t *testing.T) {
	t.Parallel()
	one, two := bytes.Repeat([]byte{1}, KeySize), bytes.Repeat([]byte{2}, KeySize)
	a, b := base64.StdEncoding.EncodeToString(one), base64.StdEncoding.EncodeToString(two)
	for _, s := range []string{
		a + "," + b, " " + a + " , " + b + "\n", a + "\n" + b + "\n", a + "\r\n" + b,
		a + ",\n" + b,
	} {
		got, err := ParseKeys(s)
		if err != nil || len(got) != 2 || !bytes.Equal(got[0], one) || !bytes.Equal(got[1], two) {
			t.Errorf("%q: %d keys, %v", s, len(got), err)
		}
	}
	for _, s := range []string{"", ",", "\n", a + "," + b[:40], a + ";" + b, a + " " + b} {
		if got, err := ParseKeys(s); err == nil {
			t.Errorf("%q: %d keys", s, len(got))
		}
	}
}
