package signature

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// signing is one of the two ways in which a delivery is signed, as its headers have it.
type signing struct {
	name    string   // of the header with the signature
	missing []string // headers that were not given
	wrong   string   // what is not in its form
	t       string   // the timestamp, Unix seconds
	head    string   // what is signed in front of the body
	sums    [][]byte
	key     func(secret string) []byte // none for what can be no secret
	signers []int                      // numbers of secrets, from 1
}

var (
	seconds = regexp.MustCompile(`^[1-9][0-9]{0,11}$`)
	service = regexp.MustCompile(`^t=([1-9][0-9]{0,11}),v1=([0-9a-f]{64})$`)
)

func readService(h http.Header) signing {
	s := signing{name: ServiceHeader, key: func(secret string) []byte { return []byte(secret) }}
	value := s.only(h, ServiceHeader)
	if s.wrong != "" || s.missing != nil {
		return s
	}
	parts := service.FindStringSubmatch(value)
	if parts == nil {
		s.wrong = "X-Service-Signature is not t=UNIX_SECONDS,v1=SIGNATURE with 64 lowercase hexadecimal digits: " +
			deviation(value)
		return s
	}
	sum, _ := hex.DecodeString(parts[2]) // the expression admits nothing else
	s.t, s.head, s.sums = parts[1], parts[1]+".", [][]byte{sum}
	return s
}

// deviation says what keeps a signature from its form, without repeating it.
func deviation(value string) string {
	t, signature, _ := strings.Cut(value, ",v1=")
	switch {
	case strings.ContainsAny(value, `"'`):
		return "it has quotes"
	case strings.ContainsAny(value, " \t\r\n"):
		return "it has white space within"
	case strings.Count(value, ",") != 1:
		return fmt.Sprintf("it has %d parts instead of two", strings.Count(value, ",")+1)
	case !strings.HasPrefix(value, "t="):
		return "it does not begin with t="
	case !strings.Contains(value, ",v1="):
		return "its second part is not v1="
	case !seconds.MatchString(t[2:]):
		return "its timestamp isn't a number of seconds"
	case len(signature) != 64:
		return fmt.Sprintf("its signature has %d digits", len(signature))
	case strings.ToLower(signature) != signature:
		return "its signature is in capitals"
	}
	return "its signature is not hexadecimal"
}

func readStandard(h http.Header) signing {
	s := signing{name: "webhook-signature", key: bytesOf}
	id, t, list := s.only(h, IDHeader), s.only(h, TimestampHeader), s.only(h, StandardHeader)
	switch {
	case s.wrong != "" || s.missing != nil:
		return s
	case strings.Contains(id, "."):
		s.wrong = "webhook-id has a dot in it, which separates what is signed"
	case !seconds.MatchString(t):
		s.wrong = "webhook-timestamp isn't a number of seconds"
	default:
		s.t, s.head = t, id+"."+t+"."
		s.list(list)
	}
	return s
}

// list reads the signatures of version 1 and passes over those of others.
func (s *signing) list(value string) {
	for one := range strings.FieldsSeq(value) {
		version, text, _ := strings.Cut(one, ",")
		if version != "v1" {
			continue
		}
		sum, err := base64.StdEncoding.Strict().DecodeString(text)
		if err != nil || len(sum) != 32 {
			s.wrong = "webhook-signature has a signature that is not v1, and 44 characters of base64; several are separated by spaces"
			return
		}
		s.sums = append(s.sums, sum)
	}
	if s.sums == nil {
		s.wrong = "webhook-signature has no signature of version v1"
	}
}

// only is the one value of a header. What is missing or given twice is noted.
func (s *signing) only(h http.Header, name string) string {
	values := h.Values(name)
	if name != ServiceHeader {
		name = strings.ToLower(name)
	}
	switch {
	case len(values) > 1:
		s.wrong = name + " is given twice"
	case len(values) == 0 || strings.TrimSpace(values[0]) == "":
		s.missing = append(s.missing, name)
	default:
		return strings.TrimSpace(values[0])
	}
	return ""
}

func (s *signing) signed() bool { return len(s.signers) > 0 }

// signedBy are the numbers of the secrets, from 1, with which a body was signed.
func (s *signing) signedBy(secrets []string, body []byte) (numbers []int) {
	for i, secret := range secrets {
		if s.fits(secret, body) {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

// fits compares in constant time. A secret without bytes signs nothing: anybody has it.
func (s *signing) fits(secret string, body []byte) bool {
	key := s.key(secret)
	if len(key) == 0 {
		return false
	}
	sum, found := mac(key, []byte(s.head), body), false
	for _, one := range s.sums {
		found = hmac.Equal(one, sum) || found
	}
	return found
}

func (s *signing) check() Check {
	c := Check{Name: s.name, Result: Passes, Secrets: []int{}}
	switch {
	case s.wrong != "":
		c.Result, c.Message = Fails, s.wrong
	case s.missing != nil:
		c.Result, c.Message = Unchecked, "missing: "+strings.Join(s.missing, ", ")
	case !s.signed():
		c.Result, c.Message = Fails, "none of your secrets signed this body"
	default:
		c.Secrets, c.Message = s.signers, "signed with "+theSecrets(s.signers)
	}
	return c
}
