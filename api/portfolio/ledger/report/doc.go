// Package report answers questions over a whole portfolio: what is owed, which leases end, what
// happened in a unit.
//
// It changes nothing, and the rules of a portfolio know nothing of it.
package report
