// Package id makes and reads identifiers: a prefix that names the kind of record
// and a ULID, so that ascending ids are the order of creation.
//
// It knows nothing of the records themselves.
package id

import (
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
)

// The prefixes of the records that are seen outside.
const (
	Property      = "prop"
	Unit          = "unit"
	Tenant        = "ten"
	Invitation    = "lead"
	Lease         = "lea"
	Ticket        = "tkt"
	Payment       = "pay"
	Transaction   = "txn" // of a payment
	Attempt       = "pmt" // to pay, through a processor
	Refund        = "rfd" // of an attempt
	Autopay       = "aut" // of a tenant
	Endpoint      = "we"
	Event         = "evt"
	Delivery      = "del"
	Key           = "key"
	AccessRequest = "areq"
	UnitRequest   = "ureq"
	Request       = "req"
	Account       = "acct"
	Mail          = "mail"
	User          = "user"
	Call          = "call" // of a tool, by an assistant
	Session       = "ses"
	Passkey       = "pkey"
	TeamInvite    = "minv"
	Audit         = "aud"
	Import        = "imp" // of a rent roll
	Verification  = "ver"
	Document      = "doc"  // of a lease
	Signer        = "sig"  // of a lease
	Attachment    = "att"  // of a lease
	Template      = "tpl"  // of leases
	Library       = "lib"  // a PDF that is kept for leases
	Notice        = "ntc"  // to the tenants of a lease
	Amendment     = "amd"  // of a lease
	TenantLink    = "link" // of a tenant's page
	Photo         = "pho"  // of a ticket
	Activity      = "act"  // of a ticket

	ConditionReport = "cond" // of a lease
	ConditionArea   = "area" // of a condition report
	ConditionItem   = "item" // of a condition report
)

// Pattern is the form of the part behind the prefix: Crockford's base 32 with a
// first digit of at most 7, as 48 bits of time fill 9.6 digits.
const Pattern = "[0-7][0-9A-HJKMNP-TV-Z]{25}"

// last sorts at or after every entropy of a millisecond.
const last = "ZZZZZZZZZZZZZZZZ"

// New makes an identifier for a record created at a time (millisecond precision).
// Those that a process makes for one millisecond ascend in the order of the calls, with
// others made in between: the order is lost only after identifiers for 8,000 other
// milliseconds came between two calls. 79 random bits keep processes apart.
func New(prefix string, at time.Time) string {
	var u ulid.ULID
	ms := ulid.Timestamp(at)
	_ = u.SetTime(ms) // fails only after the year 10889
	copy(u[6:], made.next(ms))

	b := make([]byte, len(prefix)+1+ulid.EncodedSize)
	n := copy(b, prefix)
	b[n] = '_'
	_ = u.MarshalTextTo(b[n+1:]) // fails only for a wrong length
	return string(b)
}

// Derived makes the identifier of a part of a record, which is always the same: it has the time of the
// record's identifier, and what stands behind it depends on both names alone.
func Derived(prefix, record, part string) string {
	_, digits, _ := strings.Cut(record, "_")
	whole, _ := ulid.ParseStrict(digits)
	sum := sha256.Sum256([]byte(record + "\n" + part))
	copy(whole[6:], sum[:])
	return prefix + "_" + whole.String()
}

// Numbered makes the identifiers of many records of one time, ascending and always the same for the same seed.
func Numbered(prefix string, at time.Time, seed string, n int) []string {
	all := make([]string, n)
	var u ulid.ULID
	_ = u.SetTime(ulid.Timestamp(at)) // fails only after the year 10889
	for i := range all {
		sum := sha256.Sum256([]byte(seed + "\n" + prefix + "\n" + strconv.Itoa(i)))
		copy(u[6:], sum[:])
		all[i] = prefix + "_" + u.String()
	}
	slices.Sort(all)
	return all
}

// Valid reports whether s has the form of an identifier of that prefix.
func Valid(prefix, s string) bool {
	if len(s) != len(prefix)+1+ulid.EncodedSize || !strings.HasPrefix(s, prefix) || s[len(prefix)] != '_' {
		return false
	}
	digits := s[len(prefix)+1:]
	for i := range len(digits) {
		if !digit(digits[i]) {
			return false
		}
	}
	return digits[0] <= '7'
}

// Time is when the record of an identifier was created, to the millisecond; false for
// what is none.
func Time(s string) (at time.Time, ok bool) {
	_, digits, _ := strings.Cut(s, "_")
	u, err := ulid.ParseStrict(digits)
	return u.Timestamp().UTC(), err == nil
}

// digit tells a digit of Crockford's base 32, upper case, without I, L, O and U.
func digit(c byte) bool {
	switch {
	case c >= '0' && c <= '9':
		return true
	case c < 'A' || c > 'Z':
		return false
	}
	return c != 'I' && c != 'L' && c != 'O' && c != 'U'
}

// After is the position behind every identifier of that prefix created at or
// before a time, so "created after" is a range of ids and needs no column.
func After(prefix string, at time.Time) string {
	var u ulid.ULID
	_ = u.SetTime(ulid.Timestamp(at)) // fails only after the year 10889
	return prefix + "_" + u.String()[:10] + last
}

// Span is the positions before and at the last identifier of a prefix that have the time of another one.
func Span(prefix, of string) (after, until string) {
	_, digits, _ := strings.Cut(of, "_")
	at := prefix + "_" + digits[:min(10, len(digits))]
	return at, at + last
}
