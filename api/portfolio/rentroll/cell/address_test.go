package cell_test

import (
	"testing"

	"portal/api/portfolio/rentroll/cell"
)

func TestSplitAddressReadsWhatHasOneReading(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]cell.Address{
		"88 Alder Row, Tacoma, WA 98402":                      {"", "88 Alder Row", "", "Tacoma", "WA", "98402"},
		"14 Kestrel Court - 14 Kestrel Ct Columbus, OH 43215": {"14 Kestrel Court", "14 Kestrel Ct", "", "Columbus", "OH", "43215"},
		"Harrow House - 220 Harrow St Dayton, OH 45402":       {"Harrow House", "220 Harrow St", "", "Dayton", "OH", "45402"},
		"123 Main St #4, Austin TX 78701-1234":                {"", "123 Main St", "4", "Austin", "TX", "78701-1234"},
		"123 Main St Apt 2B, Austin, Texas, 78701, USA":       {"", "123 Main St", "2B", "Austin", "TX", "78701"},
		"5 Oak Ave NW Washington, DC 20001":                   {"", "5 Oak Ave NW", "", "Washington", "DC", "20001"},
		"5 Oak Ave NW, Washington, D.C. 20001":                {"", "5 Oak Ave NW", "", "Washington", "DC", "20001"},
		"5 Oak Ave NW Washington DC 20001":                    {"", "5 Oak Ave NW", "", "Washington", "DC", "20001"},
		"123 Main St, Apt 4, Austin, TX 78701":                {"", "123 Main St", "4", "Austin", "TX", "78701"},
		"12 Elm Ave St Louis, MO 63101":                       {"", "12 Elm Ave", "", "St Louis", "MO", "63101"},
		"12 Elm Ave St. Paul MN 55102":                        {"", "12 Elm Ave", "", "St. Paul", "MN", "55102"},
		"12 Forest Lake Dr Orlando FL 32801":                  {"", "12 Forest Lake Dr", "", "Orlando", "FL", "32801"},
		"12 Old Mill Rd Mill Valley, CA 94941":                {"", "12 Old Mill Rd", "", "Mill Valley", "CA", "94941"},
		"12 Oak St Federal Way WA 98003":                      {"", "12 Oak St", "", "Federal Way", "WA", "98003"},
		"123 Park Ave Lake Forest IL 60045":                   {"", "123 Park Ave", "", "Lake Forest", "IL", "60045"},
		"12 St John Ave Dallas, TX 75201":                     {"", "12 St John Ave", "", "Dallas", "TX", "75201"},
		"9 Juniper Ln Unit B Santa Fe, N.M. 87501-1204":       {"", "9 Juniper Ln", "B", "Santa Fe", "NM", "87501-1204"},
		"9 Juniper Ln Unit B, Santa Fe, New Mexico 87501":     {"", "9 Juniper Ln", "B", "Santa Fe", "NM", "87501"},
		"500 Pier Rd, Portland, ME 04101":                     {"", "500 Pier Rd", "", "Portland", "ME", "04101"},
		"PO Box 12, Dayton, OH 45402":                         {"", "PO Box 12", "", "Dayton", "OH", "45402"},
		"123 Broadway, New York, New York 10001":              {"", "123 Broadway", "", "New York", "NY", "10001"},
		"12 Elm St, New York, NY 10001":                       {"", "12 Elm St", "", "New York", "NY", "10001"},
		"12-34 Elm St, Queens, NY 11101":                      {"", "12-34 Elm St", "", "Queens", "NY", "11101"},
		"123 1/2 Main St, Austin, TX 78701":                   {"", "123 1/2 Main St", "", "Austin", "TX", "78701"},
		"12 Elm St Charleston, West Virginia 25301":           {"", "12 Elm St", "", "Charleston", "WV", "25301"},
		"12 Elm St, Key West, FL 33040":                       {"", "12 Elm St", "", "Key West", "FL", "33040"},
		"5 County Road 12, Dayton, OH 45402":                  {"", "5 County Road 12", "", "Dayton", "OH", "45402"},
		"123 Main St; Austin; TX; 78701":                      {"", "123 Main St", "", "Austin", "TX", "78701"},
		"123/125 Main St, Austin, TX 78701":                   {"", "123/125 Main St", "", "Austin", "TX", "78701"},
		"88 ALDER ROW TACOMA WA 98402":                        {"", "88 ALDER ROW", "", "TACOMA", "WA", "98402"},
		"Alder Row – 88 Alder Row, Tacoma, WA 98402":          {"Alder Row", "88 Alder Row", "", "Tacoma", "WA", "98402"},
		"220 Harrow St, Dayton, OH 45402, United States":      {"", "220 Harrow St", "", "Dayton", "OH", "45402"},
		"12 Elm St Ste 100 Coeur d'Alene, ID 83814":           {"", "12 Elm St", "100", "Coeur d'Alene", "ID", "83814"},
		"12 Martin Luther King Jr Blvd Austin TX 78701":       {"", "12 Martin Luther King Jr Blvd", "", "Austin", "TX", "78701"},
		"5 Highway 71 W, Bastrop, TX 78602":                   {"", "5 Highway 71 W", "", "Bastrop", "TX", "78602"},
		"12 Oak Ave Washington Court House, OH 43160":         {"", "12 Oak Ave", "", "Washington Court House", "OH", "43160"},
		"12 Avenue A, New York, NY 10009":                     {"", "12 Avenue A", "", "New York", "NY", "10009"},
	} {
		got, sure, ok := cell.SplitAddress(in)
		if !ok || !sure || got != want {
			t.Errorf("SplitAddress(%q) = %q, %t, %t; want %q", in, got, sure, ok, want)
		}
	}
}

func TestSplitAddressIsUnsureWhereItGuesses(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"5 Broadway New York, NY 10001", "500 Broadway St Louis, MO 63101", "12 Oak St N Las Vegas, NV 89030",
		"12 Oak St North Las Vegas, NV 89030", "12 Avenue A New York NY 10009",
		"12 N St Charles Ave New Orleans, LA 70130",
		"500 Pier Rd, Portland, ME 4101", "88 Alder Row, Tacoma, WA 78701",
		"5 Oak Ave Portland, Multnomah County, OR 97201",
		"5 Oak Ave Portland, Multnomah, OR 97201", "12 Elm St, Alder Village, Austin, TX 78701",
		"88 Alder Row, Tacoma, WA",
		"Harrow House, 220 Harrow St, Dayton, OH 45402", "5 County Rd 12 Dayton, OH 45402",
		"12 Mill Run Columbus, OH 43215",
		"9 Juniper Ln, Unit B Santa Fe, NM 87501",
		"12 Elm St 4 Austin, TX 78701", "12 - 14 Elm St, Austin, TX 78701",
		"12 Elm St 4B, Dayton, OH 45402", "12 Elm Street Apartments Austin TX 78701",
		"12 Elm Rd Apt 4 NE Atlanta GA 30303",
		"12 Elm St Upper Darby, PA 19082", "12 Elm St, Dayton Heights Apts, OH 45402",

		"12 Elm Port St Lucie FL 34952", "2nd Floor - 123 Main St, Austin, TX 78701",
		"Unit 4 - 123 Main St, Austin, TX 78701", "123 Main St, TX, TX 78701", "4 - 123 Main St, Austin, TX 78701",
		"7 Broadway Circle Pines, MN 55014",
	} {
		if got, sure, ok := cell.SplitAddress(in); sure || !ok {
			t.Errorf("SplitAddress(%q) = %q, %t, %t; want a guess", in, got, sure, ok)
		}
	}
	for _, in := range append(hostile(),
		"Harrow House", "88 Alder Row", "123 Main St TX 78701", "123 Main St, , TX 78701",
		"88 Alder Row, Tacoma", "Tacoma, WA 98402", "WA 98402", "5 Oak Ct",
		"5 Oak Hill Ct",
		"Alder Row, Tacoma, WA 98402", "Total 4 Units", "3 Units", "As of: 11/20/2026", "98402", "12, WA 98402",
		"Rent Roll",
		"Okafor, Amara", "88 Alder Row, Tacoma 98402", "12 Elm St, Toronto, ON M5V 2T6", "$1,450.00", "TX",
		"1, 2, 3, TX 78701",
	) {
		if got, _, ok := cell.SplitAddress(in); ok || got != (cell.Address{}) {
			t.Errorf("SplitAddress(%.40q) = %q; want a refusal", in, got)
		}
	}
}

func TestCutUnitTakesTheUnitOffAStreet(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{
		"9 Juniper Ln Unit B": {"9 Juniper Ln", "B"}, "123 Main St #4": {"123 Main St", "4"},
		"123 Main St # 4":     {"123 Main St", "4"},
		"123 Main St Apt. 2B": {"123 Main St", "2B"}, "123 Main St Ste 100": {"123 Main St", "100"},
		"123 Main St Apartment 3": {"123 Main St", "3"}, "123 Main St, Unit 5": {"123 Main St", "5"},
		"12 Park Rd Lot 7": {"12 Park Rd", "7"}, "123 Main St APT #4": {"123 Main St", "4"},
		"123 Main St Apt # 4":  {"123 Main St", "4"},
		"123 Main St - Unit 5": {"123 Main St", "5"}, "123 Main St #4-B": {"123 Main St", "4-B"},
		"123 Main St Bldg 3 Apt 4":   {"123 Main St", "Bldg 3 Apt 4"},
		"123 Main St, Bldg 3, Apt 4": {"123 Main St", "Bldg 3 Apt 4"},
		"123 Main St Fl 2":           {"123 Main St", "Fl 2"}, "123 Main St Rear": {"123 Main St", "Rear"},
		"123 Main St, Upper": {"123 Main St", "Upper"}, "123 Main St unit b": {"123 Main St", "b"},
		"123 Broadway #12A":     {"123 Broadway", "12A"},
		"123 Main St Unit 103A": {"123 Main St", "103A"}, "5 Highway 71 W Unit 4": {"5 Highway 71 W", "4"},
		"123 Main St Suite B-2": {"123 Main St", "B-2"}, "123 Main St Trlr 9": {"123 Main St", "9"},
		"123 Main St Apt PH":     {"123 Main St", "PH"},
		"123 Calle Luna Depto 4": {"123 Calle Luna", "4"}, "123 Main St Rm 12": {"123 Main St", "12"},
		"123 Main St Unit 88-1": {"123 Main St", "88-1"},
	} {
		rest, unit, cut := cell.CutUnit(in)
		if !cut || rest != want[0] || unit != want[1] {
			t.Errorf("CutUnit(%q) = %q, %q, %t; want %q", in, rest, unit, cut, want)
		}
	}
	for _, in := range []string{
		"", "123 Main St", "123 Main St - 12", "123 Main St 4", "Unit 5", "#4", "12 Unit St", "12 Suite Rd",
		"5 Highway 71",
		"5 Highway 71 W", "12 Lot Ln", "500 Pier Rd", "123 Main St Unit", "123 Main St #",
		"123 Main St Unit Road", "12 Rear Ave",
		"88 Alder Row", "9 Juniper Ln", "14 Kestrel Ct", "PO Box 4", "12 Avenue A", "12 Space Dr",
		"12 Upper Dr", "12 Lower",
		"123 Main St, 4",
	} {
		if rest, unit, cut := cell.CutUnit(in); cut || rest != in || unit != "" {
			t.Errorf("CutUnit(%q) = %q, %q", in, rest, unit)
		}
	}
	for _, in := range hostile() {
		if _, unit, cut := cell.CutUnit(in); cut || unit != "" {
			t.Errorf("CutUnit(%.40q) has a unit", in)
		}
	}
}

// FuzzSplitAddressGivesAWholeAddress holds that what is sure is whole and is read again as it was.
func FuzzSplitAddressGivesAWholeAddress(f *testing.F) {
	f.Add("88 Alder Row, Tacoma, WA 98402")
	f.Add("A - 1 B St Apt 2 C, OH 45402")
	f.Add("5 Oak Ave NW Washington DC 20001")
	for _, s := range hostile() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		cell.CutUnit(s)
		cell.State(s)
		cell.PostalCode(s, "ME")
		cell.Rooms(s)
		cell.Status(s)
		cell.Phone(s)
		a, sure, ok := cell.SplitAddress(s)
		if !ok && (sure || a != (cell.Address{})) {
			t.Errorf("%q is no address and %q, %t", s, a, sure)
		}
		if ok && (a.Street == "" || a.City == "" || a.State == "") {
			t.Errorf("%q is %q", s, a)
		}
		if !sure {
			return
		}
		street := a.Street
		if a.Unit != "" {
			street += " # " + a.Unit
		}
		again, sure, ok := cell.SplitAddress(street + ", " + a.City + ", " + a.State + " " + a.PostalCode)
		if again.Name = a.Name; len(a.Unit) <= 5 && (!ok || again.City != a.City || again.PostalCode != a.PostalCode) {
			t.Errorf("%q is %q, which is %q, %t, %t", s, a, again, sure, ok)
		}
	})
}
