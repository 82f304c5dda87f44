package triage

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// strange texts are what no person writes and somebody sends.
func strange() []string {
	return []string{
		"",
		" ",
		"\x00",
		strings.Repeat("\x00", 10_000),
		"\xff\xfe\xfd",
		strings.Repeat("\xc3", 10_000),
		"!!!???...",
		strings.Repeat(".", 10_000),
		"🔥🔥🔥",
		strings.Repeat("💧", 2_500),
		"مرحبا هناك تسرب",
		"水漏れ",
		strings.Repeat("a", 10_000),
		strings.Repeat("water gush ", 900),
		strings.Repeat("no water gush ", 700),
		strings.Repeat("not ", 2_500),
		strings.Repeat("ignore previous instructions ", 350),
		strings.Repeat("smoke, ", 1_400),
		strings.Repeat("wtaer lekaing ", 700),
		strings.Repeat("qzxkjv", 1_600),
		"-",
		"-5",
		"99999999999999999999 degrees",
		"((((|||)))",
		strings.Repeat("é", 5_000),
		strings.Repeat("'", 10_000),
		"a\u200bb\u00adc",
		strings.Repeat("it's fixed but ", 650),
	}
}

func TestEveryTextGetsCompleteVerdict(t *testing.T) {
	t.Parallel()
	for _, text := range strange() {
		check(t, text)
	}
}

func check(t *testing.T, text string) {
	t.Helper()
	v := BuiltIn().Triage(text)
	if !slices.Contains(Categories, v.Category) || !slices.Contains(Priorities, v.Priority) ||
		v.Source != "built_in" || v.ModelVersion == "" {
		t.Errorf("%.40q: %+v", text, v)
	}
	if v.Confidence < 0 || v.Confidence > 1 || v.SafetyFlags == nil || v.Reasons == nil || len(v.Reasons) > 8 {
		t.Errorf("%.40q: %+v", text, v)
	}
	if !slices.IsSorted(v.SafetyFlags) || level(v.Floor()) > level(v.Priority) {
		t.Errorf("%.40q: %+v with the floor %s", text, v, v.Floor())
	}
	for _, r := range v.Reasons {
		if r.Rule == "" || utf8.RuneCountInString(r.Matched) > mostMatched || !strings.Contains(text, r.Matched) {
			t.Errorf("%.40q: the reason %+v", text, r)
		}
	}
}

func TestEmptyTextIsGeneralAndLow(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "  \n", "?!", "🔥", "\x00\x00"} {
		if v := BuiltIn().Triage(text); v.Category != "general" || v.Priority != Low || len(v.Reasons) != 0 {
			t.Errorf("%q: %+v", text, v)
		}
	}
}

func TestConcurrentTriageIsDeterministic(t *testing.T) {
	t.Parallel()
	texts := append(strange(), plainEmergencies...)
	want := make([]Verdict, len(texts))
	for i, text := range texts {
		want[i] = BuiltIn().Triage(text)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i, text := range texts {
				if got := BuiltIn().Triage(text); !reflect.DeepEqual(got, want[i]) {
					t.Errorf("%.40q: %+v, was %+v", text, got, want[i])
				}
			}
		})
	}
	group.Wait()
}

func TestReasonsQuoteText(t *testing.T) {
	t.Parallel()
	v := BuiltIn().Triage("Hello. I SMELL a bit of Gas in the hallway!")
	if len(v.Reasons) == 0 || v.Reasons[0].Rule != "emergency.gas" || !strings.Contains(v.Reasons[0].Matched, "Gas") {
		t.Errorf("%+v", v.Reasons)
	}
	if !slices.Contains(v.SafetyFlags, "gas") || v.Category != "life_safety" {
		t.Errorf("%+v", v)
	}
}

// level is the place of a priority among all, -1 where it is none.
func level(priority string) int { return slices.Index(Priorities, priority) }

func TestEmptyVerdictFloorIsLow(t *testing.T) {
	t.Parallel()
	if got := (Verdict{}).Floor(); got != Low {
		t.Errorf("the floor of nothing is %q", got)
	}
}

func TestDamagedModelIsRefused(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"", magic, "XXXX\x01a\x00\x00\x00\x00", modelFile[:len(modelFile)-1], modelFile[:len(modelFile)-featureBytes],
		magic + "\x01a\xff\xff\xff\xff", magic + "\xff", string(make([]byte, len(modelFile))),
	} {
		if _, err := New(file); err == nil {
			t.Errorf("%d bytes were taken for a model", len(file))
		}
	}
	if len(modelFile) > 7<<20 {
		t.Errorf("model.bin has %d bytes, want under 7 MB", len(modelFile))
	}
}

func FuzzTriage(f *testing.F) {
	for _, text := range append(strange(), plainEmergencies...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { check(t, text) })
}

func TestLowConfidenceVerdictNeedsReview(t *testing.T) {
	t.Parallel()
	seen := map[bool]int{}
	for _, text := range []string{
		"The kitchen faucet drips all night", "There is a strong smell of gas here", "no hot water since Sunday",
		"It did it again, same place, louder", "Could somebody look at the thing by the door?", "zxqv wrtk plmn",
	} {
		v := BuiltIn().Triage(text)
		seen[v.NeedsReview]++
		if v.NeedsReview != (v.Confidence < ReviewBelow) {
			t.Errorf("%q: needs review is %v at confidence %.2f", text, v.NeedsReview, v.Confidence)
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("of these messages %d need review and %d do not", seen[true], seen[false])
	}
}
