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
		"The request is not complete, valid HTTP/1.1: the request line, a header, Transfer-Encoding, or the " +
			"framing of the body is wrong.",
		"Read error.message and use an HTTP library, which writes these parts for you. The connection is closed, " +
			"so open a new one.",
	},
	{
		InvalidField,
		Validation,
		400,
		"A field or parameter has a value that is not allowed.",
		"Read error.param and error.message: they name the field and the values it accepts. error.errors lists " +
			"every invalid field.",
	},
	{MissingField, Validation, 400, "A required field is missing.", "Send the field named in error.param."},
	{
		UnknownField, Validation, 400, "The body has an unknown field.",
		"Remove it or correct its spelling. The message names the closest known field.",
	},
	{
		UnknownParameter, Validation, 400,
		"The query has an unknown parameter.",
		"Remove it or correct its spelling. The message names the closest known parameter.",
	},
	{EmptyUpdate, Validation, 400, "The update has no fields.", "Send at least one field to change."},
	{
		InvalidJSON, Validation, 400,
		"The body is not one JSON value in valid UTF-8 without duplicate keys, at most 32 levels deep.",
		"Send a single JSON object. The message says where the error is.",
	},
	{
		InvalidCursor, Validation, 400, "starting_after is not a cursor of this list.",
		"Send next_cursor of the previous page unchanged, or leave out starting_after to start at the first page.",
	},
	{
		UnitAmbiguous, Validation, 400, "The property has several units and none was chosen.",
		"Send unit_id. The message lists the units.",
	},
	{DateOrder, Validation, 400, "Two dates are in the wrong order.", "Make the end later than the start."},
	{
		DepositAboveMaximum, Validation, 400,
		"The security deposit is above what the state allows.",
		"Lower security_deposit. The message gives the limit and the law.",
	},
	{
		LateFeeAboveMaximum, Validation, 400, "The late fee is above what the state allows.",
		"Lower late_fee_amount. The message gives the limit and the law.",
	},
	{
		LandlordAddressRequired, Validation, 400,
		"The portfolio has no address for notices to the landlord. Every lease needs one.",
		"Set it with PATCH /lease_details, or in the dashboard under Settings → Lease details.",
	},
	{
		InvalidIdempotencyKey, Validation, 400,
		"The Idempotency-Key header is not 1 to 255 printable ASCII characters.",
		"Send a new random value, such as a UUID.",
	},
	{
		URLNotAllowed, Validation, 400, "The URL is not a public https address.",
		"Use an https URL whose host resolves to public addresses only.",
	},
	{
		MissingAPIKey, Authentication, 401, "The request has no API key.",
		"Send the header Authorization: Bearer <API_KEY>.",
	},
	{
		MalformedAPIKey, Authentication, 401,
		"The Authorization header does not have a valid API key: its format or checksum is wrong.",
		"Copy the whole key, from sk_test_ or sk_live_ to its end, and send it as Authorization: Bearer <API_KEY>.",
	},
	{
		UnknownAPIKey, Authentication, 401, "The key has the right format but does not exist.",
		"Check that the key is for this service and was not deleted, or create a new one in the dashboard.",
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
		ScopeRequired, Permission, 403, "The key does not have the required scope.",
		"Use a key with the scope that the message names. write includes read, and payments includes write.",
	},
	{
		TestKeyReadOnly, Permission, 403,
		"Test keys can only read on the assistant endpoint, whatever their scopes.",
		"Use REST with the test key, or a live key with the write scope.",
	},
	{
		OwnerRequired,
		Permission,
		403,
		"Only an owner of the account can do this, and the person who created this key is not one.",
		"Ask an owner to create a key. Assistants, lease details, and a reset of the demo portfolio need one of an " +
			"owner.",
	},
	{
		TestKeyRequired, Permission, 403,
		"This works only with a test key, and the key is a live key.",
		"Use a test key (sk_test_…). It works with the demo portfolio.",
	},
	{
		ForeignOrigin, Permission, 403, "The request comes from a web page of another origin.",
		"Call the assistant endpoint from a program, not from a web page.",
	},
	{
		UnitLimitReached, Permission, 403, "The plan's limit of live units is reached.",
		"Ask for more units at the address in the message. The message also gives both numbers.",
	},
	{
		EndpointLimitReached, Permission, 403,
		"20 webhook endpoints are already enabled in this mode.",
		"Disable or delete an endpoint that you no longer need.",
	},
	{
		DemoLimitReached,
		Permission,
		403,
		"The demo portfolio has reached its limit of records or data.",
		"An owner can reset it in the dashboard under Test data. It then has its original records again.",
	},
	{
		NoRecord, Missing, 404,
		"The key's portfolio has no such record. Records of other portfolios count as missing, too.",
		"Check the ID, and that the key has the same mode (test or live) as the record.",
	},
	{
		RouteNotFound, Missing, 404, "No operation has this path.",
		"Compare the path with the API reference. Paths do not end with a slash.",
	},
	{
		MethodNotAllowed, Validation, 405, "The path exists, but not with this method.",
		"Use one of the methods that the Allow header lists.",
	},
	{
		IdempotencyKeyReused, Conflict, 409,
		"The Idempotency-Key was used for another request in the last 24 hours.",
		"Use a new key for each new request. Use the same key only to retry the same request.",
	},
	{
		StaleWrite, Conflict, 409,
		"The record has changed since the version in the request.",
		"Retrieve the record, apply your change to the current version, and send it again.",
	},
	{
		InvalidTransition, Conflict, 409, "The record's status does not allow this change.",
		"Use one of the changes that the message lists.",
	},
	{
		LeadPaintUnanswered, Conflict, 409,
		"The lease does not say what is known about lead-based paint in the home, so nobody can sign it.",
		"Send lead_paint with PATCH /leases/{id}.",
	},
	{
		SignatureInProgress, Conflict, 409,
		"A lease is out for signature, so its contents cannot change.",
		"Wait until it is signed or declined, or void it.",
	},
	{
		LeaseDatesOverlap, Conflict, 409, "The unit has another open lease for these dates.",
		"Choose other dates, or end the other lease first.",
	},
	{
		DraftLimitReached, Conflict, 409, "The unit already has five open lease drafts.",
		"Void a draft that you no longer need, or wait until one expires.",
	},
	{
		BodyTooLarge, Validation, 413, "The body is too large for this operation.",
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
		"The rate limit is exceeded, or a recipient already got five emails this hour.",
		"Wait as many seconds as Retry-After says, then send the request again. If you pause while " +
			"X-RateLimit-Remaining is 0, you never reach the limit.",
	},
	{
		Internal, Server, 500, "Something failed on our side.",
		"Try again with growing pauses. If it keeps failing, send the request_id to support.",
	},
	{
		Unavailable, Server, 503, "The service cannot answer right now.",
		"Wait as many seconds as Retry-After says, then try again with growing pauses.",
	},
}
