// Package verification is how it is checked that a property is the account's own: a member
// asks, staff decide.
//
// It stands on the rules of a portfolio, which know nothing of it.
package verification
