package fault

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"slices"
	"strconv"
	"sync"
)

// Code is a machine code of the closed dictionary.
type Code string

// Type is the class of an error (docs/decisions/0008).
type Type string

// The classes.
const (
	Validation     Type = "validation_error"
	Authentication Type = "authentication_error"
	Permission     Type = "permission_error"
	Missing        Type = "not_found"
	Conflict       Type = "conflict"
	RateLimit      Type = "rate_limit_exceeded"
	Server         Type = "api_error"
)

// SchemaName is the name of the OpenAPI component.
func (Type) SchemaName() string { return "ErrorType" }

// Values are all classes.
func (Type) Values() []string {
	var all []string
	for _, e := range dictionary() {
		if !slices.Contains(all, string(e.Type)) {
			all = append(all, string(e.Type))
		}
	}
	return all
}

// SchemaName is the name of the OpenAPI component.
func (Code) SchemaName() string { return "ErrorCode" }

// Values are all codes, in the order of the dictionary.
func (Code) Values() []string {
	all := make([]string, len(dictionary()))
	for i, e := range dictionary() {
		all[i] = string(e.Code)
	}
	return all
}

// The codes.
const (
	MalformedRequest        Code = "malformed_request"
	InvalidField            Code = "invalid_field"
	MissingField            Code = "missing_field"
	UnknownField            Code = "unknown_field"
	UnknownParameter        Code = "unknown_parameter"
	EmptyUpdate             Code = "empty_update"
	InvalidJSON             Code = "invalid_json"
	InvalidCursor           Code = "invalid_cursor"
	BodyTooLarge            Code = "body_too_large"
	UnitAmbiguous           Code = "unit_ambiguous"
	DateOrder               Code = "date_order"
	DepositAboveMaximum     Code = "deposit_above_legal_maximum"
	LateFeeAboveMaximum     Code = "late_fee_above_legal_maximum"
	LandlordAddressRequired Code = "landlord_address_required"
	LeadPaintUnanswered     Code = "lead_paint_unanswered"
	OwnDocumentMissing      Code = "own_document_missing"
	UnsupportedMediaType    Code = "unsupported_media_type"
	InvalidIdempotencyKey   Code = "invalid_idempotency_key"
	URLNotAllowed           Code = "url_not_allowed"
	MissingAPIKey           Code = "missing_api_key"
	MalformedAPIKey         Code = "malformed_api_key"
	UnknownAPIKey           Code = "unknown_api_key"
	RevokedAPIKey           Code = "revoked_api_key"
	ExpiredAPIKey           Code = "expired_api_key"
	ScopeRequired           Code = "scope_required"
	TestKeyReadOnly         Code = "test_key_read_only"
	OwnerRequired           Code = "owner_required"
	TestKeyRequired         Code = "test_key_required"
	ForeignOrigin           Code = "foreign_origin"
	UnitLimitReached        Code = "unit_limit_reached"
	EndpointLimitReached    Code = "endpoint_limit_reached"
	DemoLimitReached        Code = "demo_limit_reached"
	NoRecord                Code = "not_found"
	RouteNotFound           Code = "route_not_found"
	MethodNotAllowed        Code = "method_not_allowed"
	IdempotencyKeyReused    Code = "idempotency_key_reused"
	StaleWrite              Code = "stale_write"
	InvalidTransition       Code = "invalid_transition"
	SignatureInProgress     Code = "signature_in_progress"
	LeaseDatesOverlap       Code = "lease_dates_overlap"
	DraftLimitReached       Code = "draft_limit_reached"
	RateLimited             Code = "rate_limited"
	Internal                Code = "internal"
	Unavailable             Code = "unavailable"
)

// Entry is what the dictionary says of a code. Status is the HTTP status that an
// HTTP surface answers with.
type Entry struct {
	Code   Code
	Type   Type
	Status int
	Cause  string
	Remedy string
}

// Dictionary is every code, by status. The docs page, the default messages and
// the errors of assistants are made from it.
func Dictionary() []Entry { return slices.Clone(dictionary()) }

// Entry is what the dictionary says of the code; an unknown code is a fault of
// the service itself.
func (c Code) Entry() Entry {
	for _, e := range dictionary() {
		if e.Code == c {
			return e
		}
	}
	return Internal.Entry()
}

// table is the dictionary: a line a code, by status.
//
//go:embed dictionary.csv
var table []byte

var dictionary = sync.OnceValue(func() []Entry {
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		panic(err) // it is part of the program
	}
	all := make([]Entry, 0, len(rows))
	for _, r := range rows[1:] {
		status, err := strconv.Atoi(r[2])
		if err != nil {
			panic(err)
		}
		all = append(all, Entry{Code(r[0]), Type(r[1]), status, r[3], r[4]})
	}
	return all
})
