package cell_test

import (
	"testing"

	"portal/api/contact"
	"portal/api/portfolio/rentroll/cell"
)

func TestStateReadsCodesNamesAndAbbreviations(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"TX": "TX", "tx": "TX", "Tx.": "TX", "Texas": "TX", "TEXAS": "TX", "Tex.": "TX", "N.M.": "NM",
		"N. M.":      "NM",
		"New Mexico": "NM", "new  mexico": "NM", "N. Mex.": "NM", "Calif.": "CA", "CA": "CA", "Washington DC": "DC",
		"Washington, D.C.": "DC", "D.C.": "DC", "District of Columbia": "DC", "Washington": "WA", "Wash.": "WA",
		"OH": "OH",
		"ME": "ME", "Nuevo México": "NM", "Nueva York": "NY", "Carolina del Norte": "NC", "N. Carolina": "NC",
		"W. Va.": "WV", "West Virginia": "WV", "Virginia": "VA", "Penna.": "PA", "Hawai’i": "HI", "Ore.": "OR",
		"Mass.": "MA",
	} {
		if got, ok := cell.State(in); !ok || got != want {
			t.Errorf("State(%q) = %q, %t; want %q", in, got, ok, want)
		}
	}
	for _, in := range append(hostile(),
		"PR", "Puerto Rico", "ZZ", "T X", "Texa", "Ontario", "New", "Mexico", "AA", "DC 20001", "TX 78701",
		"Tacoma", "GU", "USA",
		"N", "Carolina", "Dakota", "Total",
	) {
		if got, ok := cell.State(in); ok {
			t.Errorf("State(%.40q) = %q; want a refusal", in, got)
		}
	}
	for _, code := range contact.State("").Values() {
		if got, ok := cell.State(code); !ok || got != code {
			t.Errorf("State(%q) = %q, %t", code, got, ok)
		}
	}
}

func TestPostalCodeIsOfItsState(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in, state, want string
		restored        bool
	}{
		{"78701", "TX", "78701", false}, {"78701-1234", "TX", "78701-1234", false},
		{"787011234", "TX", "78701-1234", false},
		{"78701.0", "TX", "78701", false}, {"78701", "", "78701", false}, {" 78701 ", "tx", "78701", false},
		{"78701 1234", "TX", "78701-1234", false}, {"78701–1234", "TX", "78701-1234", false},
		{"4101", "ME", "04101", true},
		{"4101.0", "ME", "04101", true}, {"4101-1234", "ME", "04101-1234", true},
		{"41011234", "ME", "04101-1234", true},
		{"501", "NY", "00501", true}, {"544", "NY", "00544", true}, {"901", "PR", "00901", true},
		{"6390", "NY", "06390", true},
		{"6101", "CT", "06101", true}, {"2134", "MA", "02134", true}, {"3031", "NH", "03031", true},
		{"7001", "NJ", "07001", true},
		{"2801", "RI", "02801", true}, {"5001", "VT", "05001", true}, {"04101", "ME", "04101", false},
		{"43215", "OH", "43215", false}, {"45402", "OH", "45402", false}, {"98402", "WA", "98402", false},
		{"87501", "NM", "87501", false}, {"87501-1204", "NM", "87501-1204", false}, {"20001", "DC", "20001", false},
		{"33101", "FL", "33101", false}, {"96813", "HI", "96813", false}, {"99501", "AK", "99501", false},
	} {
		got, restored, ok := cell.PostalCode(c.in, c.state)
		if !ok || got != c.want || restored != c.restored {
			t.Errorf("PostalCode(%q, %q) = %q, %t, %t; want %q", c.in, c.state, got, restored, ok, c.want)
		}
	}
	for _, c := range [][2]string{
		{"78701", "ME"}, {"4101", "TX"}, {"4101", ""}, {"501", ""}, {"501", "ME"}, {"1", "MA"}, {"12", "NY"},
		{"787", "TX"},
		{"98402", "OR"}, {"78701", "ZZ"}, {"78701-12", "TX"}, {"78701-", "TX"}, {"-78701", "TX"}, {"7870A", "TX"},
		{"78701.5", "TX"}, {"787011", "TX"}, {"0000078701", "TX"}, {"M5V 2T6", "NY"}, {"Total", ""},
		{"78701 USA", "TX"},
		{"78.701", "TX"}, {"78,701", "TX"}, {"04101", "MA"}, {"6101", "NY"}, {"00000", "NY"},
		{"87501-1204-1", "NM"},
	} {
		if got, _, ok := cell.PostalCode(c[0], c[1]); ok {
			t.Errorf("PostalCode(%q, %q) = %q; want a refusal", c[0], c[1], got)
		}
	}
	for _, in := range hostile() {
		if got, _, ok := cell.PostalCode(in, "TX"); ok {
			t.Errorf("PostalCode(%.40q) = %q", in, got)
		}
	}
}

// TestEveryStateHasItsCapitalsZip guards the table against a slip in a line.
func TestEveryStateHasItsCapitalsZip(t *testing.T) {
	t.Parallel()
	capitals := map[string]string{
		"AL": "36104", "AK": "99801", "AZ": "85001", "AR": "72201", "CA": "95814", "CO": "80202", "CT": "06103",
		"DE": "19901",
		"DC": "20001", "FL": "32301", "GA": "30303", "HI": "96813", "ID": "83702", "IL": "62701", "IN": "46225",
		"IA": "50309",
		"KS": "66603", "KY": "40601", "LA": "70802", "ME": "04330", "MD": "21401", "MA": "02201", "MI": "48933",
		"MN": "55102",
		"MS": "39205", "MO": "65101", "MT": "59623", "NE": "68502", "NV": "89701", "NH": "03301", "NJ": "08608",
		"NM": "87501",
		"NY": "12207", "NC": "27601", "ND": "58501", "OH": "43215", "OK": "73102", "OR": "97301", "PA": "17101",
		"RI": "02903",
		"SC": "29217", "SD": "57501", "TN": "37219", "TX": "78701", "UT": "84111", "VT": "05602", "VA": "23219",
		"WA": "98507",
		"WV": "25301", "WI": "53703", "WY": "82001",
	}
	for state, zip := range capitals {
		for other := range capitals {
			if _, _, ok := cell.PostalCode(zip, other); ok != (state == other) {
				t.Errorf("%s of %s is a ZIP code of %s: %t", zip, state, other, ok)
			}
		}
	}
	if len(capitals) != len(contact.State("").Values()) {
		t.Error("a state is missing")
	}
}
