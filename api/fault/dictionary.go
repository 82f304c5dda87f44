package fault

import "slices"

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
	for _, e := range dictionary {
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
	all := make([]string, len(dictionary))
	for i, e := range dictionary {
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
func Dictionary() []Entry { return slices.Clone(dictionary) }

// Entry is what the dictionary says of the code; an unknown code is a fault of
// the service itself.
func (c Code) Entry() Entry {
	for _, e := range dictionary {
		if e.Code == c {
			return e
		}
	}
	return Internal.Entry()
}

var dictionary = []Entry{
	{
		MalformedRequest,
		Validation,
		400,
		"The request is not HTTP/1.1 that can be read to its end: its request line, a header, its Transfer-Encoding or the framing of its body is wrong.",
		"Read error.message, and send the request with an HTTP library, which writes these parts. The connection is closed, so open another one.",
	},
	{
		InvalidField,
		Validation,
		400,
		"A field or parameter has a value that is not allowed.",
		"Read error.param and error.message: they name the field and what it takes. error.errors lists every field at fault.",
	},
	{MissingField, Validation, 400, "A required field is absent.", "Send the field named in error.param."},
	{
		UnknownField, Validation, 400, "The body has a field that this operation does not know.",
		"Remove it or correct its spelling; the message names the nearest known field.",
	},
	{
		UnknownParameter, Validation, 400,
		"The query has a parameter that this operation does not know.",
		"Remove it or correct its spelling; the message names the nearest known parameter.",
	},
	{EmptyUpdate, Validation, 400, "The update holds no field.", "Send at least one field to change."},
	{
		InvalidJSON, Validation, 400,
		"The body is not one JSON value in valid UTF-8 without duplicate keys, at most 32 levels deep.",
		"Send a single JSON object; the message says where reading stopped.",
	},
	{
		InvalidCursor, Validation, 400, "starting_after is not a cursor of this list.",
		"Pass next_cursor of the page before as it is, or leave starting_after out to start at the beginning.",
	},
	{
		UnitAmbiguous, Validation, 400, "The property has several units and none was chosen.",
		"Send unit_id; the message lists the candidates.",
	},
	{DateOrder, Validation, 400, "Two dates are in the wrong order.", "Make the end later than the start."},
	{
		DepositAboveMaximum, Validation, 400,
		"The security deposit is above what the state allows.",
		"Lower security_deposit to the limit that the message gives with its authority.",
	},
	{
		LateFeeAboveMaximum, Validation, 400, "The late fee is above what the state allows.",
		"Lower late_fee_amount to the limit that the message gives with its authority.",
	},
	{
		LandlordAddressRequired, Validation, 400,
		"The portfolio has no address for notices to the landlord, which every lease names.",
		"Give one with PATCH /lease_details, or under Lease details in the dashboard.",
	},
	{
		InvalidIdempotencyKey, Validation, 400,
		"The Idempotency-Key header is not 1 to 255 printable ASCII characters.",
		"Send a fresh random value, a UUID for example.",
	},
	{
		URLNotAllowed, Validation, 400, "The URL is not a public https address.",
		"Use an https URL whose host resolves to public addresses only.",
	},
	{
		MissingAPIKey, Authentication, 401, "The request carries no API key.",
		"Send the header Authorization: Bearer <API_KEY>.",
	},
	{
		MalformedAPIKey, Authentication, 401,
		"The Authorization header does not hold a key of ours: its form or its checksum is wrong.",
		"Copy the whole key, from sk_test_ or sk_live_ to its end, and send it as Authorization: Bearer <API_KEY>.",
	},
	{
		UnknownAPIKey, Authentication, 401, "The key has the right form but does not exist here.",
		"Check that the key belongs to this service and was not deleted; create a new one in the dashboard.",
	},
	{
		RevokedAPIKey, Authentication, 401, "The key has been revoked.",
		"Create a new key in the dashboard and replace the old one.",
	},
	{
		ExpiredAPIKey, Authentication, 401, "The key has expired.",
		"Create a new key in the dashboard and replace the old one.",
	},
	{
		ScopeRequired, Permission, 403, "The key lacks the scope that this needs.",
		"Use a key with the scope that the message names. write holds read, payments holds write.",
	},
	{
		TestKeyReadOnly, Permission, 403,
		"Test keys only read on the assistant endpoint, whatever scopes they carry.",
		"Use REST with the test key, or a live key with the write scope.",
	},
	{
		OwnerRequired, Permission, 403,
		"Only an owner of the portfolio can connect an assistant, and this key's creator is not one.",
		"Let an owner create a key for the assistant.",
	},
	{
		TestKeyRequired, Permission, 403,
		"Only a test key can do this, and the key is a live one.",
		"Use a test key (sk_test_…): it works in the demo portfolio.",
	},
	{
		ForeignOrigin, Permission, 403, "The request comes from a web page of another origin.",
		"Call the assistant endpoint from a program, not from a page in a browser.",
	},
	{
		UnitLimitReached, Permission, 403, "The plan's ceiling of live units is reached.",
		"Move to a larger plan, or ask for a higher ceiling; the message gives both numbers.",
	},
	{
		EndpointLimitReached, Permission, 403,
		"20 webhook endpoints are enabled in this mode already.",
		"Delete an endpoint that is no longer needed.",
	},
	{
		DemoLimitReached,
		Permission,
		403,
		"The demo portfolio holds as many records or as much data as it may.",
		"An owner resets it in the dashboard, on the page Demo portfolio, which puts it back to what it was on the first day.",
	},
	{
		NoRecord, Missing, 404,
		"No such record exists in the portfolio of the key. A record of another portfolio answers alike.",
		"Check the id, and that the key's mode (test or live) is the one the record was made in.",
	},
	{
		RouteNotFound, Missing, 404, "No operation has this path.",
		"Check the path against the API reference; paths have no slash at the end.",
	},
	{
		MethodNotAllowed, Validation, 405, "The path exists, but not with this method.",
		"Use one of the methods that the Allow header lists.",
	},
	{
		IdempotencyKeyReused, Conflict, 409,
		"The Idempotency-Key was used for another request in the last 24 hours.",
		"Use a fresh key for each new request, and the same key only to retry the same request.",
	},
	{
		StaleWrite, Conflict, 409,
		"The record has changed since the version that the request names.",
		"Retrieve the record, apply the change to its current version and send it again.",
	},
	{
		InvalidTransition, Conflict, 409, "The record's status does not allow this step.",
		"Take one of the steps that the message lists.",
	},
	{
		LeadPaintUnanswered, Conflict, 409,
		"The landlord has not stated what is known of lead-based paint in the home, so nobody can sign its lease.",
		"Send lead_paint with PATCH /leases/{id}.",
	},
	{
		SignatureInProgress, Conflict, 409,
		"A lease is out for signature, so what it says cannot change.",
		"Wait until it is signed or declined, or void it first.",
	},
	{
		LeaseDatesOverlap, Conflict, 409, "The unit has another open lease in these dates.",
		"Choose other dates, or end the other lease first.",
	},
	{
		DraftLimitReached, Conflict, 409, "Five drafts of leases of the unit are open already.",
		"Void a draft that is no longer needed, or wait until one expires.",
	},
	{
		BodyTooLarge, Validation, 413, "The body is larger than this operation reads.",
		"Send at most 256 KiB, or 1 MiB to the assistant endpoint.",
	},
	{
		UnsupportedMediaType, Validation, 415, "The body is not declared as JSON.",
		"Send the header Content-Type: application/json.",
	},
	{
		RateLimited,
		RateLimit,
		429,
		"The rate limit is exceeded, or one recipient was sent five emails within an hour.",
		"Wait the seconds that Retry-After gives, then send the request again. A client that pauses when X-RateLimit-Remaining is 0 is never throttled.",
	},
	{
		Internal, Server, 500, "Something failed on our side.",
		"Try again with growing pauses; if it stays, tell support the request_id.",
	},
	{Unavailable, Server, 503, "The service cannot answer right now.", "Try again with growing pauses."},
}
