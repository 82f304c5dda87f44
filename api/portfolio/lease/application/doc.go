// Package application is the way from an invitation to a tenant: who is invited to apply for a
// unit, what they apply with, and what the landlord decides.
//
// It stands on the rules of a portfolio, which know nothing of it.
package application
