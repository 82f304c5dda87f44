package dbtest

import (
	"strings"

	"portal/api/access"
	"portal/api/portfolio"
)

// Awkward are texts that have to come back as they were written.
var Awkward = []string{
	`O'Brien's "Court"`,
	`a\b`,
	"$1 ? %s :name @p {}",
	"NULL",
	"null",
	"; DROP TABLE units; --",
	"100 %",
	"a_c",
	" both ends ",
	"\ttab\r\nand lines\n",
	"Åse Ünal Żółć",
	"東京都",
	"العربية",
	"🏠👩‍👩‍👧 🇺🇸",
	"e\u0301 is not é",
	"\u200b\ufeff\u00a0",
	"1e3",
	"0x10",
	"-0",
	strings.Repeat("ten thousand characters ", 417)[:10_000],
	strings.Repeat("ß🏚", 5_000),
}

// NewProperty is a property without units.
func NewProperty(in access.Portfolio, id, city string) portfolio.Property {
	p := portfolio.Property{
		Record:             Record("prop", "property", in.Mode, Now),
		StreetAddress:      "1 A St",
		City:               city,
		State:              "TX",
		Country:            "US",
		PropertyType:       "condo",
		Status:             portfolio.PropertyActive,
		VerificationStatus: portfolio.Unverified,
	}
	p.ID = id
	return p
}
