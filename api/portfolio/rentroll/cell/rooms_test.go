package cell_test

import (
	"testing"

	"portal/api/portfolio"
	"portal/api/portfolio/rentroll/cell"
)

func TestRoomsReadsBedroomsAndBathrooms(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]int{ // bedrooms, half bathrooms
		"2/1.00": {2, 2}, "1/1.00": {1, 2}, "Studio/1.00": {0, 2}, "3/2.00": {3, 4}, "2 Bed/1 Bath": {2, 2},
		"1 Bed/1 Bath": {1, 2}, "2BR/1.5BA": {2, 3}, "2x1": {2, 2}, "3 bd 2 ba": {3, 4}, "0/1": {0, 2},
		"2 / 1":             {2, 2},
		"2 beds, 1.5 baths": {2, 3}, "2BR 1BA": {2, 2}, "2br1ba": {2, 2}, "Studio, 1 bath": {0, 2},
		"studio 1 bath": {0, 2},
		"2.00/1.00":     {2, 2}, "2-1": {2, 2}, "2 bedrooms and 1 bathroom": {2, 2}, "4BD/2½BA": {4, 5},
		"2x1 1/2":          {2, 3},
		"3 Bed / 2.5 Bath": {3, 5}, "EFF/1": {0, 2}, "2 | 1": {2, 2}, "2/1,5": {2, 3},
		"2 recámaras y 1 baño": {2, 2},
	} {
		beds, baths, ok := cell.Rooms(in)
		if !ok || beds != want[0] || int(baths) != want[1] {
			t.Errorf("Rooms(%q) = %d, %d, %t; want %v", in, beds, baths, ok, want)
		}
	}
	for _, in := range append(hostile(),
		"2", "Studio", "2/1/2026", "12/31", "2/1.25", "2/0.33", "-2/1", "2/-1", "2//1", "2 1", "2 ba", "2 BR",
		"2+den", "2.5/1",
		"2/1 + den", "101/1", "2/101", "n/a", "--", "66.7% Occupied", "$2/1", "2-Jan", "1 Units", "/1", "2/",
	) {
		if beds, baths, ok := cell.Rooms(in); ok {
			t.Errorf("Rooms(%.40q) = %d, %d; want a refusal", in, beds, baths)
		}
	}
}

func TestBedroomsAndBathroomsReadOneNumber(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{
		"2": 2, "2 BR": 2, "2BR": 2, "2.0": 2, "2.00": 2, "Studio": 0, "studio": 0, "STUDIO": 0, "0": 0,
		"1 bedroom":  1,
		"3 bedrooms": 3, "2 Bed": 2, "2 Beds": 2, "2 bd": 2, "2bdrm": 2, "2 bdrms.": 2, "Efficiency": 0,
		"Eff": 0, "Bachelor": 0,
		"100": 100, " 1 ": 1, "1": 1, "Estudio": 0, "2 recámaras": 2, "1 habitación": 1, "2,00": 2, "10": 10,
	} {
		if got, ok := cell.Bedrooms(in); !ok || got != want {
			t.Errorf("Bedrooms(%q) = %d, %t; want %d", in, got, ok, want)
		}
	}
	for in, want := range map[string]portfolio.Half{
		"1": 2, "1.00": 2, "1.0": 2, "1.5": 3, "1.5 BA": 3, "1.50": 3, "2 baths": 4, "2ba": 4, "1 bath": 2,
		"1 Bathroom": 2,
		"1½":         3, "1 ½": 3, "½": 1, "1 1/2": 3, "2.5 Bath": 5, "0": 0, "0.5": 1, "1,5": 3, "100": 200,
		"3.0 ba.": 6, "2 baños": 4,
		"1 baño": 2, " 2.00 ": 4, "10": 20, "2 bth": 4, "1 1/2 BA": 3,
	} {
		if got, ok := cell.Bathrooms(in); !ok || got != want {
			t.Errorf("Bathrooms(%q) = %d, %t; want %d", in, got, ok, want)
		}
	}
	for _, in := range append(hostile(),
		"2.5 BR", "101", "999", "two", "2 ba 1", "-1", "2 BR 1 BA", "2/1", "1.25", "1.333", "2 units",
		"Studios", "BR", "2-3", "1/2",
	) {
		if got, ok := cell.Bedrooms(in); ok {
			t.Errorf("Bedrooms(%.40q) = %d; want a refusal", in, got)
		}
		if got, ok := cell.Bathrooms(in); ok && in != "½½" && in != "2.5 BR" {
			t.Errorf("Bathrooms(%.40q) = %d; want a refusal", in, got)
		}
	}
}

func TestPhoneKeepsTheExtensionApart(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{
		"(505) 555-0199 x3": {"+15055550199", "3"}, "505.555.0142": {"+15055550142", ""},
		"505 555 0142 ext. 12": {"+15055550142", "12"}, "207-555-0110": {"+12075550110", ""},
		"2075550111":      {"+12075550111", ""},
		"+1 505 555 0142": {"+15055550142", ""}, "1-505-555-0142": {"+15055550142", ""},
		"505-555-0142 #7":     {"+15055550142", "7"},
		"505-555-0142, ext 7": {"+15055550142", "7"}, "505-555-0142 extension 007": {"+15055550142", "007"},
		"+44 20 7946 0958": {"+442079460958", ""}, "+442079460958;ext=9": {"+442079460958", "9"},
		"(505)555-0142": {"+15055550142", ""}, "505/555-0142": {"+15055550142", ""},
		"505\u00a0555\u00a00142":     {"+15055550142", ""},
		"\u202a(505) 555-0142\u202c": {"+15055550142", ""}, "505‑555‑0142": {"+15055550142", ""},
		"505–555–0142": {"+15055550142", ""}, "5055550142x3": {"+15055550142", "3"},
		" 505 555 0142 ":  {"+15055550142", ""},
		"505-555-0142 X3": {"+15055550142", "3"}, "1 (505) 555-0142": {"+15055550142", ""},
		"15055550142":     {"+15055550142", ""},
		"+1.505.555.0142": {"+15055550142", ""}, "505 555-0142 x.3": {"+15055550142", "3"},
	} {
		number, extension, ok := cell.Phone(in)
		if !ok || number != want[0] || extension != want[1] {
			t.Errorf("Phone(%q) = %q, %q, %t; want %q", in, number, extension, ok, want)
		}
	}
	for _, in := range append(hostile(),
		"555-0142", "505-555-0142 / 505-555-0143", "505-555-0142 (cell)", "n/a", "x3", "505-555-01",
		"2.07555E+09", "call me",
		"505-555-0142 x", "zoe.pena@example.com",
	) {
		if number, extension, ok := cell.Phone(in); ok || number+extension != "" {
			t.Errorf("Phone(%.40q) = %q, %q; want a refusal", in, number, extension)
		}
	}
}
