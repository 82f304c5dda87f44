package fault

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// codes are those that the contract lists, with their status.
const codes = `malformed_request 400, invalid_field 400, missing_field 400, unknown_field 400,
	unknown_parameter 400, empty_update 400, invalid_json 400, invalid_cursor 400, unit_ambiguous 400, date_order 400,
	deposit_above_legal_maximum 400, late_fee_above_legal_maximum 400, landlord_address_required 400,
	invalid_idempotency_key 400, url_not_allowed 400,
	missing_api_key 401, malformed_api_key 401, unknown_api_key 401, revoked_api_key 401, expired_api_key 401,
	scope_required 403, test_key_read_only 403, owner_required 403, test_key_required 403,
	foreign_origin 403, unit_limit_reached 403, endpoint_limit_reached 403, demo_limit_reached 403,
	not_found 404, route_not_found 404, method_not_allowed 405,
	idempotency_key_reused 409, stale_write 409, invalid_transition 409, lead_paint_unanswered 409,
	own_document_missing 409,
	signature_in_progress 409, lease_dates_overlap 409, draft_limit_reached 409,
	body_too_large 413, unsupported_media_type 415, rate_limited 429, internal 500, unavailable 503`

func TestDictionaryMatchesContract(t *testing.T) {
	t.Parallel()
	var have []string
	for _, e := range Dictionary() {
		have = append(have, fmt.Sprint(e.Code, " ", e.Status))
	}
	if want := regexp.MustCompile(`,\s+`).Split(codes, -1); !slices.Equal(have, want) {
		t.Errorf("the dictionary has\n%q\nwant\n%q", have, want)
	}
}

func TestEveryEntryHasCauseAndRemedy(t *testing.T) {
	t.Parallel()
	types := map[int]Type{
		400: Validation,
		401: Authentication,
		403: Permission,
		404: Missing,
		405: Validation,
		409: Conflict,
		413: Validation,
		415: Validation,
		429: RateLimit,
		500: Server,
		503: Server,
	}
	for _, e := range Dictionary() {
		if e.Type != types[e.Status] {
			t.Errorf("%s has the status %d and the type %s", e.Code, e.Status, e.Type)
		}
		for _, sentence := range []string{e.Cause, e.Remedy} {
			if !regexp.MustCompile(`^[A-Z0-9a-z_].*\.$`).MatchString(sentence) ||
				strings.TrimSpace(sentence) != sentence {
				t.Errorf("%s says %q, which is no sentence", e.Code, sentence)
			}
		}
		if e.Code.Entry() != e {
			t.Errorf("%s has another entry: %+v", e.Code, e.Code.Entry())
		}
	}
}

func TestUnknownCodeIsInternalError(t *testing.T) {
	t.Parallel()
	if e := Code("no_such_code").Entry(); e.Code != Internal || e.Status != 500 {
		t.Errorf("the entry is %+v", e)
	}
}

func TestDictionaryReturnsCopy(t *testing.T) {
	t.Parallel()
	Dictionary()[0].Code = "changed"
	if Dictionary()[0].Code != MalformedRequest {
		t.Error("a reader changed the dictionary")
	}
}

func TestMessageOmitsCause(t *testing.T) {
	t.Parallel()
	f := Of(Internal).Because(io.ErrUnexpectedEOF)
	if strings.Contains(f.Message, "EOF") || !strings.Contains(f.Error(), "unexpected EOF") ||
		!errors.Is(f, io.ErrUnexpectedEOF) {
		t.Errorf("message %q, error %q", f.Message, f.Error())
	}
	plain := New(StaleWrite, "Version %d.", 3)
	if plain.Message != "Version 3." || plain.Error() != "stale_write: Version 3." || plain.Unwrap() != nil {
		t.Errorf("%q", plain.Error())
	}
}

func TestFaultIsFoundInWrappedError(t *testing.T) {
	t.Parallel()
	inner := New(StaleWrite, "Late.").At("version")
	wrapped := fmt.Errorf("update: %w", errors.Join(io.EOF, inner))
	if From(wrapped) != inner || !Is(wrapped, StaleWrite) || Is(wrapped, Internal) || Is(io.EOF, Internal) ||
		Is(nil, Internal) {
		t.Errorf("found %v", From(wrapped))
	}
	bare := From(io.EOF)
	if bare.Code != Internal || !errors.Is(bare, io.EOF) || strings.Contains(bare.Message, "EOF") {
		t.Errorf("a plain error is %v", bare)
	}
}

func TestMultipleErrorsAreSummarizedByFirst(t *testing.T) {
	t.Parallel()
	if err := Invalid(nil); err != nil {
		t.Errorf("no fault is %v", err)
	}
	details := []Detail{{"limit", InvalidField, "limit is wrong."}, {"stat", UnknownParameter, "stat is unknown."}}
	f := From(Invalid(details))
	if f.Code != InvalidField || f.Param != "limit" || f.Message != "limit is wrong." ||
		!slices.Equal(f.Details, details) {
		t.Errorf("%+v", f)
	}
}

func TestTypesAndCodesListEachValueOnce(t *testing.T) {
	t.Parallel()
	if got := Type("").Values(); !slices.Equal(got, []string{
		"validation_error", "authentication_error", "permission_error", "not_found", "conflict",
		"rate_limit_exceeded", "api_error",
	}) {
		t.Errorf("the types are %q", got)
	}
	values := Code("").Values()
	slices.Sort(values)
	if len(values) != len(Dictionary()) || len(slices.Compact(values)) != len(Dictionary()) {
		t.Errorf("the codes are %q", values)
	}
}
