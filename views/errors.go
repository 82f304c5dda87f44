package views

// The fields of the envelope (service.md, Errors; decisions.md 1).
var envelopeFields = []pair{
	{"type", "The class of the error: one of the groups below."},
	{"code", "What went wrong, exactly. An entry below."},
	{"message", "The same for a person: what is wrong with this request and what to do. Its wording may change, so do not match on it."},
	{"param", "Dotted path of the first field or parameter at fault, null where none is."},
	{"errors", "Every field at fault with its param, code and message; empty where none is."},
	{"request_id", "Names this request. Tell it to support."},
	{"doc_url", "The entry of the code on this page."},
}

// envelope is an answer as an example; page is where the dictionary stands.
func envelope(page string) string {
	return `{
  "error": {
    "type": "validation_error",
    "code": "invalid_field",
    "message": "limit must be a whole number between 1 and 100; not \"500\".",
    "param": "limit",
    "errors": [
      {
        "param": "limit",
        "code": "invalid_field",
        "message": "limit must be a whole number between 1 and 100; not \"500\"."
      }
    ],
    "request_id": "req_01KA5R2M7Q8D4E6F9G1H3J5K7M",
    "doc_url": "` + page + `#invalid_field"
  }
}`
}
