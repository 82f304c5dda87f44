package rentroll

import (
	"strings"

	"portal/api/texts"
)

// alias are names that other programs give to the columns.
var alias = map[string]column{
	"address": streetAddress, "street": streetAddress, "property_address": streetAddress,
	"zip": postalCode, "zip_code": postalCode, "zipcode": postalCode,
	"type": propertyType, "year": yearBuilt,
	"unit": unitNumber, "unit_no": unitNumber, "apt": unitNumber, "apartment": unitNumber,
	"beds": bedrooms, "baths": bathrooms, "sqft": squareFeet, "sq_ft": squareFeet, "area": squareFeet,
	"tenant": lastName, "tenant_name": lastName, "mail": email, "mobile": phone,
	"start": leaseStart, "move_in": leaseStart, "end": leaseEnd, "move_out": leaseEnd,
	"rent": monthlyRent, "lease_rent": monthlyRent, "asking_rent": marketRent,
}

// nearest is the column that an unknown name most likely means.
func nearest(name string) column {
	name = snake(name)
	if c, ok := alias[name]; ok {
		return c
	}
	best, least := streetAddress, 1<<30
	for c := range columnCount {
		if d := distance(name, columnNames[c]); d < least {
			best, least = c, d
		}
	}
	return best
}

// distance measures how far two names are from each other: the edits between them,
// half where one holds the other, as first_name and tenant_first_name.
func distance(a, b string) int {
	a = a[:min(len(a), 64)]
	d := 2 * texts.Distance(a, b)
	if len(a) > 2 && strings.Contains(b, a) || strings.Contains(a, b) {
		d /= 2
	}
	return d
}
