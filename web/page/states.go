package page

import (
	"portal/api/portfolio/lease/law"
	"portal/views/kit"
)

// StateCodes are the codes of the states and DC, in the order of the alphabet.
func StateCodes() (codes []string) {
	for _, r := range law.All() {
		codes = append(codes, string(r.State))
	}
	return codes
}

// StateChoices are all states to choose from, the first of them none.
func StateChoices(none string) []kit.Choice {
	all := []kit.Choice{{Label: none}}
	for _, r := range law.All() {
		code := string(r.State)
		all = append(all, kit.Choice{Value: code, Label: code + " " + r.Name})
	}
	return all
}
