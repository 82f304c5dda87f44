package developer

import (
	"hash/crc32"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"portal/api/access"
)

func TestBase62AndChecksum(t *testing.T) {
	t.Parallel()
	largest := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	for _, n := range []*big.Int{largest, big.NewInt(0), big.NewInt(61), big.NewInt(62)} {
		digits := base62(new(big.Int).Set(n), bodyLength)
		back := new(big.Int)
		for _, d := range digits {
			back.Add(back.Mul(back, big.NewInt(62)), big.NewInt(int64(strings.IndexRune(digits62, d))))
		}
		if len(digits) != bodyLength || back.Cmp(n) != 0 {
			t.Errorf("%s is written %s, which is %s", n, digits, back)
		}
	}
	if got := checksum(""); got != "000000" {
		t.Errorf("the checksum of nothing is %s", got)
	}
	if got, want := checksum("123456789"), base62(big.NewInt(0xCBF43926), 6); got != want { // the check value of CRC-32
		t.Errorf("the checksum is %s, want %s", got, want)
	}
}

func TestEveryNewKeyIsWellFormed(t *testing.T) {
	t.Parallel()
	for range 500 {
		for _, mode := range []access.Mode{access.Test, access.Live} {
			if key := newKey(mode); !wellFormed(key) || !strings.HasPrefix(key, "sk_"+string(mode)+"_pm_") {
				t.Fatalf("%s is not well-formed", key)
			}
		}
	}
}

var keyForm = regexp.MustCompile(`^sk_(test|live)_pm_[0-9A-Za-z]{49}$`)

func FuzzOnlyWhatHasTheFormAndTheChecksumIsAKey(f *testing.F) {
	for _, s := range []string{
		newKey(access.Test),
		newKey(access.Live),
		"",
		"sk_test_pm_",
		strings.Repeat("0", keyLength),
		"sk_live_pm_" + strings.Repeat("z", 49),
	} {
		f.Add(s)
		if len(s) == keyLength {
			f.Add(s[:20] + "-" + s[21:])
			f.Add(s[:keyLength-1] + "\x00")
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := keyForm.MatchString(s) &&
			base62(
				big.NewInt(int64(crc32.ChecksumIEEE([]byte(s[:keyLength-checkLength])))),
				checkLength,
			) == s[keyLength-checkLength:]
		if wellFormed(s) != want {
			t.Errorf("%q: well-formed is %v", s, !want)
		}
		if keyForm.MatchString(s) { // with its own checksum it is one
			if sealed := s[:keyLength-checkLength] + checksum(s[:keyLength-checkLength]); !wellFormed(sealed) {
				t.Errorf("%q is not well-formed", sealed)
			}
		}
	})
}
