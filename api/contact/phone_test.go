package contact_test

import (
	"testing"

	"portal/api/contact"
)

func TestPhoneNumberParsesCommonFormats(t *testing.T) {
	for in, want := range map[string]string{
		"(512) 555-0142":               "+15125550142",
		"512-555-0142":                 "+15125550142",
		"512.555.0142":                 "+15125550142",
		"512/555 0142":                 "+15125550142",
		" 5125550142 ":                 "+15125550142",
		"1 512 555 0142":               "+15125550142",
		"+1 (512) 555-0142":            "+15125550142",
		"+15125550142":                 "+15125550142",
		"512\u2011555–0142":            "+15125550142",
		"\u00a05125550142":             "+15125550142",
		"+44 20 7946 0958":             "+442079460958",
		"+49 (30) 23125 000":           "+493023125000",
		"512-555-0142 x7":              "+15125550142;ext=7",
		"(512) 555-0142, ext. 1234567": "+15125550142;ext=1234567",
		"512 555 0142 extension 12":    "+15125550142;ext=12",
		"512 555 0142 #12":             "+15125550142;ext=12",
		"+442079460958;ext=9":          "+442079460958;ext=9",
	} {
		got, err := contact.Phone(in)
		if err != nil || got != want {
			t.Errorf("Phone(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestInvalidPhoneNumbersAreRefused(t *testing.T) {
	for _, in := range []string{
		"", "+", "555-0142", "512555014", "51255501422", "25125550142",
		"112 555 0142", "512 155 0142", "+1 512 555", "+1 512 555 01422",
		"512-555-0142 x", "512-555-0142 x12345678", "555-0142 x7", "x7", "512-555-0142 x7 x8",
		"call me", "+0123456789", "+4420", "+4420794609581234",
		"512_555_0142", "++15125550142", "５１２５５５０１４２", "\xff5125550142",
	} {
		if got, err := contact.Phone(in); err == nil {
			t.Errorf("Phone(%q) = %q; want a refusal", in, got)
		}
	}
}

func FuzzAPhoneNumberReadsAsItself(f *testing.F) {
	f.Add("(512) 555-0142")
	f.Add("+44 20 7946 0958")
	f.Fuzz(func(t *testing.T, s string) {
		once, err := contact.Phone(s)
		if err != nil {
			return
		}
		if twice, err := contact.Phone(once); err != nil || twice != once {
			t.Errorf("%q reads as %q, which reads as %q, %v", s, once, twice, err)
		}
	})
}
