package account

import (
	"testing"
	"time"
)

// RFC 6238, appendix B; the six digits are the last ones of the eight there.
func TestTOTPCodesMatchRFC6238(t *testing.T) {
	t.Parallel()
	key := totpKey("12345678901234567890")
	if got := key.code(1); got != "287082" {
		t.Errorf("at 59 the code is %s", got)
	}
	for seconds, want := range map[int64]string{
		1111111109:  "081804",
		1111111111:  "050471",
		1234567890:  "005924",
		2000000000:  "279037",
		20000000000: "353130",
	} {
		at := time.Unix(seconds, 0)
		if got := key.code(seconds / 30); got != want {
			t.Errorf("at %d the code is %s, want %s", seconds, got, want)
		}
		for _, off := range []time.Duration{-30 * time.Second, 0, 30 * time.Second} {
			if step, found := key.step(want, at.Add(off)); !found || step != seconds/30 {
				t.Errorf("at %d and %s the code of step %d is that of %d, %v", seconds, off, seconds/30, step, found)
			}
		}
		for _, off := range []time.Duration{-61 * time.Second, 61 * time.Second} {
			if _, found := key.step(want, at.Add(off)); found {
				t.Errorf("the code of %d is right %s later", seconds, off)
			}
		}
	}
}
