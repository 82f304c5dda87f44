package contact

import "strings"

// State is the USPS code of one of the 50 states or DC.
type State string

// SchemaName is the name of the OpenAPI component.
func (State) SchemaName() string { return "UsState" }

// Values are all codes.
func (State) Values() []string {
	return strings.Fields(`AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO
		MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY`)
}

// Normal is the upper-case form, which is what is stored.
func (State) Normal(s string) string { return strings.ToUpper(s) }
