package developer

import (
	_ "embed"
	"slices"

	"github.com/klauspost/compress/s2"
)

// exchangeFields are the names of fields that came after the words. go generate ./api/operation puts new ones
// first: what is sealed counts from the end, and so from where the words begin.
//
//go:embed exchangefields.txt
var exchangeFields string

// exchangeDict are the words, and around them later fields and the heads of an exchange as they are encoded.
func exchangeDict() *s2.Dict {
	heads := Exchange{Request: Message{Headers: usualHead(
		"Accept", "*/*", "Accept-Encoding", "gzip", "Authorization", "Bearer sk_live_pm_", "Content-Length", "18",
		"Content-Type", "application/json", "Idempotency-Key", "", "User-Agent", "python-requests/2.",
	)}, Answer: Message{Headers: usualHead(
		"Cache-Control", "no-store", "Content-Length", "4", "Content-Type", "application/json", "ETag", `"2"`,
		"Strict-Transport-Security", "max-age=63072000; includeSubDomains", "X-Content-Type-Options", "nosniff",
		"X-RateLimit-Limit", "600", "X-RateLimit-Remaining", "599", "X-RateLimit-Reset", "17",
		"X-Request-Id", "req_01",
	)}}
	return s2.MakeDictManual(heads.encode([]byte(exchangeFields+exchangeWords)), uint16(len(exchangeFields)))
}

func usualHead(lines ...string) (all []Header) {
	for line := range slices.Chunk(lines, 2) {
		all = append(all, Header{Name: line[0], Value: line[1]})
	}
	return all
}

// exchangeWords is what exchanges are made of, the most frequent at the end. What is sealed
// can only be read with the very same words: to change them, the form has to change too.
const exchangeWords = `{"error":{"type":"validation_error","code":"invalid_field","message":"` +
	`","param":null,"errors":[{"param":"","code":"missing_field","message":" is required."}],"request_id":"req_01","doc_url":"/docs/errors#` +
	`not_found","code":"not_found","message":"No permission_error scope_required conflict stale_write rate_limit_exceeded rate_limited Retry-After` +
	`{"object":"webhook_endpoint","url":"https://","events":["*"],"description":null,"secret":"…","secret_prefix":"whsec_` +
	`{"id":"lead_01","object":"tenant_invitation","apply_url":"https://…","email_status":"queued","status":"sent","desired_move_in_date":null,"offered_rent":null,` +
	`{"id":"lea_01","object":"lease","status":"draft","rental_address":"","lease_type":"fixed","start_date":"2026-","end_date":"2027-","monthly_rent":,"security_deposit":,` +
	`"rent_due_day":1,"late_fee_amount":null,"late_fee_grace_days":null,"move_in_date":null,"move_out_date":null,"notice_given_date":null,"terminated_on":null,"termination_reason":null,` +
	`{"id":"ten_01","object":"tenant","first_name":"","last_name":"","name":"","email":"@example.com","phone":"+1","alternate_email":null,"alternate_phone":null,` +
	`"preferred_contact_method":null,"mailing_address":null,"emergency_contact":null,"status":"current","current_lease_id":"lea_01","lease_ids":["lea_01"],` +
	`{"id":"tkt_01","object":"maintenance_ticket","number":"T-10","lease_id":null,"title":"","description":"","status":"in_progress","priority":"normal","category":"plumbing",` +
	`"triage":{"category":"","priority":"","confidence":0.,"needs_review":false,"safety_flags":[],"reasons":[{"rule":"","matched":""}],"source":"","model_version":"","triaged_at":"2026-` +
	`"vendor":null,"source":"api","entry_permission":"unknown","entry_notes":null,"scheduled_start":null,"scheduled_end":null,"due_date":null,"estimated_cost":null,"cost_limit":null,` +
	`"actual_cost":null,"completed_at":null,"cancelled_at":null,"reopened_count":0,"age_days":0,"warnings":[{"code":"","message":""}],` +
	`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_","arguments":{"dry_run":true}}}{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` +
	`"}],"structuredContent":{},"isError":true,"_meta":{"type":"","code":"","param":null,"request_id":"req_01"}}}` +
	`"preview":{"dry_run":true,"would_change":true,"changes":[{"field":"","from":"","to":""}],"warnings":[],"summary":""}` +
	`{"id":"prop_01","object":"property","mode":"live","version":2,"created_at":"2026-","updated_at":"2026-","name":null,"street_address":" Street","street_address_2":null,"city":"","state":"",` +
	`"postal_code":"","country":"US","property_type":"multi_family","year_built":null,"unit_count":1,"occupied_unit_count":0,"status":"active","verification_status":"unverified",` +
	`"units":[{"id":"unit_01","object":"unit","property_id":"prop_01","unit_id":"unit_01","tenant_id":"ten_01","unit_number":"1","bedrooms":2,"bathrooms":1,"square_feet":null,"market_rent":null,"is_default":true,"current_lease_id":null}],"currency":"USD"}` +
	`Dry-Run If-Match Idempotency-Key Idempotent-Replayed Mcp-Protocol-Version application/json, text/event-stream python-requests/ node Go-http-client/1.1 */* gzip, deflate, br keep-alive ` +
	`Strict-Transport-Security max-age=63072000; includeSubDomains Accept-Encoding gzip Accept */* Authorization Bearer sk_test_pm_ Authorization Bearer sk_live_pm_ …` +
	`Content-Length Content-Type application/json User-Agent curl/8. Cache-Control no-store Content-Length Content-Type application/json Etag "2" X-Content-Type-Options nosniff ` +
	`X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset 17 X-Request-Id req_01/api/v1/external/properties/prop_01`
