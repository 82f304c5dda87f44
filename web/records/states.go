package records

import (
	"strings"

	"portal/api/contact"
	"portal/views/kit"
)

// stateNames are the states and DC in the order of their codes.
var stateNames = strings.Split(
	"Alaska|Alabama|Arkansas|Arizona|California|Colorado|Connecticut|District of Columbia|Delaware|Florida|Georgia|Hawaii|Iowa|Idaho|Illinois|Indiana|Kansas|Kentucky|Louisiana|"+
		"Massachusetts|Maryland|Maine|Michigan|Minnesota|Missouri|Mississippi|Montana|North Carolina|North Dakota|Nebraska|New Hampshire|New Jersey|New Mexico|Nevada|New York|Ohio|Oklahoma|Oregon|Pennsylvania|"+
		"Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Virginia|Vermont|Washington|Wisconsin|West Virginia|Wyoming",
	"|",
)

// stateCodes are in the order of the alphabet.
var stateCodes = strings.Fields(`AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA
	MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK OR PA
	RI SC SD TN TX UT VA VT WA WI WV WY`)

// stateChoices are all states to choose from, the first of them none.
func stateChoices(chosen contact.State, none string) []kit.Choice {
	all := []kit.Choice{{Label: none}}
	for i, code := range stateCodes {
		all = append(all, kit.Choice{Value: code, Label: code + " " + stateNames[i], Chosen: code == string(chosen)})
	}
	return all
}
