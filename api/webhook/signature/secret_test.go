package signature

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestSecretIs256RandomBitsInLibraryFormat(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 200 {
		secret, prefix := NewSecret()
		bits, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(bits) != 32 || !strings.HasPrefix(secret, "whsec_") || prefix != secret[:10] ||
			seen[secret] {
			t.Fatalf("the secret is %s, its prefix %s: %v", secret, prefix, err)
		}
		seen[secret] = true
	}
}
