package developer

import (
	"strings"

	"portal/api/fault"
)

// bearer is the scheme that keys are sent with (RFC 6750, section 2.1).
const bearer = "Bearer"

// otherSchemes are those that clients use for other services. Only these are named in messages:
// what stands in the place of a scheme may be a secret.
var otherSchemes = []string{
	"Basic", "Digest", "Token", "ApiKey", "OAuth", "DPoP", "Negotiate", "NTLM", "Hawk",
	"AWS4-HMAC-SHA256",
}

// keyOf is the key of an Authorization header, which has its form and checksum.
func keyOf(header string) (key string, err error) {
	if header == "" {
		return "", fault.Of(fault.MissingAPIKey)
	}
	scheme, key, _ := strings.Cut(header, " ")
	if strings.EqualFold(scheme, bearer) && wellFormed(key) {
		return key, nil
	}
	return "", misread(header)
}

// misread says what is wrong with a header, as far as that can be told without its secret.
func misread(header string) error {
	const send = "Send the whole key as Authorization: Bearer <API_KEY>."
	scheme, _, _ := strings.Cut(header, " ")
	for _, other := range otherSchemes {
		switch {
		case !strings.EqualFold(scheme, other):
		case other == "Basic":
			return fault.New(
				fault.MalformedAPIKey,
				"The Authorization header has the scheme Basic, as curl -u sends it; keys are sent with Bearer. "+send,
			)
		default:
			return fault.New(fault.MalformedAPIKey,
				"The Authorization header has the scheme %s; keys are sent with Bearer. %s",
				other, send)
		}
	}
	if wellFormed(header) {
		return fault.New(
			fault.MalformedAPIKey,
			"The Authorization header holds a key without the word Bearer before it. "+send,
		)
	}
	if !strings.EqualFold(scheme, bearer) {
		return fault.New(
			fault.MalformedAPIKey,
			"The Authorization header does not begin with the word Bearer and a space. "+send,
		)
	}
	return fault.Of(fault.MalformedAPIKey)
}
