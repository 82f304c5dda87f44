package developer

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"

	"portal/api/access"
)

// The form of a key (docs/site/authentication.md): sk_test_pm_ or sk_live_pm_, 43 base62
// characters of 256 random bits, 6 of a CRC-32 (IEEE) over what stands before.
const (
	headLength  = len("sk_test_pm_")
	bodyLength  = 43
	checkLength = 6
	keyLength   = headLength + bodyLength + checkLength
	prefixShown = headLength + 6
	digits62    = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// newKey makes a key of a mode.
func newKey(mode access.Mode) string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	key := "sk_" + string(mode) + "_pm_" + base62(new(big.Int).SetBytes(b), bodyLength)
	return key + checksum(key)
}

func checksum(s string) string {
	sum := crc32.ChecksumIEEE([]byte(s))
	return base62(big.NewInt(int64(sum)), checkLength)
}

// base62 writes a number with a fixed count of digits.
func base62(n *big.Int, width int) string {
	b := make([]byte, width)
	base, digit := big.NewInt(62), new(big.Int)
	for i := width - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		b[i] = digits62[digit.Int64()]
	}
	return string(b)
}

// wellFormed reports whether s has the form and the checksum of a key; a typo fails
// here without a look-up.
func wellFormed(s string) bool {
	if len(s) != keyLength || !strings.HasPrefix(s, "sk_test_pm_") && !strings.HasPrefix(s, "sk_live_pm_") {
		return false
	}
	for i := headLength; i < keyLength; i++ {
		if strings.IndexByte(digits62, s[i]) < 0 {
			return false
		}
	}
	return checksum(s[:keyLength-checkLength]) == s[keyLength-checkLength:]
}

// KeyMode tells the mode of a key from its form alone, without a look-up. It is false for
// what has not the form of a key, or not its checksum: then it was mistyped or not copied
// whole.
func KeyMode(key string) (access.Mode, bool) {
	if !wellFormed(key) {
		return "", false
	}
	return access.Mode(key[len("sk_"):len("sk_test")]), true
}

// hashKey is what is stored of a key. A fast hash is enough for 256 random bits.
func hashKey(s string) []byte {
	sum := sha256.Sum256([]byte(s))
	return sum[:]
}
