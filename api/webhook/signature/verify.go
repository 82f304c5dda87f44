package signature

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Tolerance is by how much the clock of a receiver may differ from the timestamp of
// a delivery (docs/webhooks.md).
const Tolerance = 300 * time.Second

// Pasted is a delivery as somebody has it before them, with the secrets that may have
// signed it, the present one first.
type Pasted struct {
	Header    http.Header
	Body      []byte
	Secrets   []string
	Tolerance time.Duration
}

// Verdict is what Judge found. Message says what is wrong and what to do, or what was
// verified; neither it nor a check has anything of a secret in it.
type Verdict struct {
	Valid   bool    `json:"valid"`
	Code    Finding `json:"code"`
	Message string  `json:"message"`
	Checks  []Check `json:"checks"`
}

// Check is one thing that was looked at. Secrets counts the secrets from 1, in the
// order in which they were given, that signed what the check is about.
type Check struct {
	Name    string `json:"name"`
	Result  Result `json:"result"`
	Secrets []int  `json:"secrets"`
	Message string `json:"message"`
}

// Result is how a check ended.
type Result string

// The results. Unchecked is what could not be looked at.
const (
	Passes    Result = "passed"
	Fails     Result = "failed"
	Unchecked Result = "unchecked"
)

// Finding is a verdict in a word.
type Finding string

// The findings.
const (
	Genuine            Finding = "valid"
	MissingHeaders     Finding = "missing_headers"
	MalformedHeader    Finding = "malformed_header"
	TimestampsDisagree Finding = "timestamps_disagree"
	SecretForm         Finding = "secret_form"
	OldSecret          Finding = "old_secret"
	HeadersMixed       Finding = "headers_mixed"
	BodyRewritten      Finding = "body_rewritten"
	BodyDamaged        Finding = "body_damaged"
	BodyCut            Finding = "body_cut"
	AnotherSecret      Finding = "another_secret"
	ClockDiffers       Finding = "clock_differs"
)

// Judge decides about a delivery at a time. It is valid when every signature that came
// with it is that of a secret over these very bytes and its timestamp is within the
// tolerance; a scheme whose headers were not given is left out.
func Judge(p Pasted, now time.Time) Verdict {
	j := &judge{Pasted: p, now: now.Unix(), all: [2]signing{readService(p.Header), readStandard(p.Header)}}
	for i := range j.all {
		s := &j.all[i]
		if s.wrong == "" && s.missing == nil {
			s.signers = s.signedBy(p.Secrets, p.Body)
			j.readable = append(j.readable, s)
		}
	}
	found, message := j.decide()
	return Verdict{found == Genuine, found, message, j.checks(found)}
}

type judge struct {
	Pasted
	now      int64 // Unix seconds
	all      [2]signing
	readable []*signing // those with all their headers, in their form
}

// decide asks one question after the other, what is certain before what is likely,
// and ends with the first that found something.
func (j *judge) decide() (Finding, string) {
	for _, ask := range []func() (Finding, string){
		j.headers, j.timestamps, j.secretForms, j.schemes, j.variants, j.damage, j.strangers, j.clock,
	} {
		if found, message := ask(); found != "" {
			return found, message
		}
	}
	return Genuine, j.praise()
}

func (j *judge) headers() (Finding, string) {
	for _, s := range j.all {
		if s.wrong != "" {
			return MalformedHeader, s.wrong +
				". Paste the header as it arrived. If it arrived like this, something between the sender and the " +
				"receiver changes headers."
		}
	}
	if len(j.readable) > 0 {
		return "", ""
	}
	missing := strings.Join(slices.Concat(j.all[0].missing, j.all[1].missing), ", ")
	return MissingHeaders, "Headers are missing: " + missing +
		". You need X-Service-Signature, or the three headers of Standard Webhooks. If the request arrived without " +
		"them, a proxy removes headers, or we didn't send the request."
}

func (j *judge) timestamps() (Finding, string) {
	t, beside := j.readable[0].t, j.Header.Get(TimestampHeader)
	if beside = strings.TrimSpace(beside); beside == "" || beside == t {
		return "", ""
	}
	return TimestampsDisagree, fmt.Sprintf(
		"%s has the timestamp %s, and webhook-timestamp has a different one: the headers are from two attempts, "+
			"each with its own signature. Use all headers and the body of one request.",
		j.readable[0].name,
		t,
	)
}

// schemes finds one scheme right and the other not, which is a matter of secrets or of
// headers, not of the body.
func (j *judge) schemes() (Finding, string) {
	if len(j.readable) < 2 || j.signed() || !j.readable[0].signed() && !j.readable[1].signed() {
		return "", ""
	}
	if standard := j.readable[1]; standard.signed() {
		return OldSecret, fmt.Sprintf(
			"webhook-signature was signed with %s, X-Service-Signature with another secret: the endpoint's secret "+
				"has been rotated, and the one before signs webhook-signature alone, until the overlap ends. Give "+
				"the receiver the new secret.",
			theSecrets(standard.signers),
		)
	}
	return HeadersMixed, fmt.Sprintf(
		"X-Service-Signature was signed with %s, webhook-signature was not, for this webhook-id: webhook-id or "+
			"webhook-signature is of another delivery or was changed on its way.",
		theSecrets(j.readable[0].signers),
	)
}

func (j *judge) strangers() (Finding, string) {
	if j.signed() {
		return "", ""
	}
	for i, s := range j.Secrets {
		if !whole(s) {
			return AnotherSecret, fmt.Sprintf(
				"Secret %d isn't a signing secret. A signing secret is whsec_ and 44 characters of base64, shown "+
					"once when an endpoint is created or its secret is rotated. Later, only its beginning is shown.",
				i+1,
			)
		}
	}
	return AnotherSecret, "None of your secrets signed this delivery. Use the secret of the endpoint that it was " +
		"sent to: each endpoint has its own, and gets a new one when you rotate it. If you are sure of the secret, " +
		"the body isn't exactly the bytes that were sent."
}

func (j *judge) clock() (Finding, string) {
	age := j.age()
	allowed := int64(j.Tolerance / time.Second)
	now := time.Unix(j.now, 0).UTC().Format(time.RFC3339)
	switch {
	case age > allowed:
		return ClockDiffers, fmt.Sprintf(
			"The signature is correct, but it was made %s before now (%s), and %d s are allowed. To check an older "+
				"delivery, set --at to the time it arrived. If it just arrived, this computer's clock is ahead or "+
				"something delayed the delivery. Retries aren't the reason: each attempt gets a new signature.",
			span(age),
			now,
			allowed,
		)
	case -age > allowed:
		return ClockDiffers, fmt.Sprintf(
			"The signature is correct, but it was made %s after now (%s), and %d s are allowed. This computer's "+
				"clock is behind: set it with NTP. If you used --at, the time is too early.",
			span(-age),
			now,
			allowed,
		)
	}
	return "", ""
}

// age is for how many seconds the delivery has been signed; below 0, it is of the future.
func (j *judge) age() int64 {
	t, _ := strconv.ParseInt(j.readable[0].t, 10, 64) // twelve digits at most
	return j.now - t
}

// span is a number of seconds in words.
func span(seconds int64) string {
	if seconds < 2*24*60*60 {
		return (time.Duration(seconds) * time.Second).String()
	}
	return fmt.Sprintf("%d days", seconds/(24*60*60))
}

func (j *judge) praise() string {
	var with []string
	for _, s := range j.readable {
		with = append(with, s.name+" with "+theSecrets(s.signers))
	}
	said := "Valid: signed in " + strings.Join(with, " and in ") + "."
	if j.readable[0].signers[0] > 1 {
		said += " A receiver that only has secret 1 refuses it."
	}
	return said
}

// theSecrets names secrets by their numbers.
func theSecrets(numbers []int) string {
	if len(numbers) == 1 {
		return fmt.Sprintf("secret %d", numbers[0])
	}
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = strconv.Itoa(n)
	}
	return "secrets " + strings.Join(words, " and ")
}

func (j *judge) signed() bool {
	for _, s := range j.readable {
		if !s.signed() {
			return false
		}
	}
	return len(j.readable) > 0
}

// fits reports whether a secret signed a body in either scheme.
func (j *judge) fits(secret string, body []byte) bool {
	return slices.ContainsFunc(j.readable, func(s *signing) bool { return s.fits(secret, body) })
}

func (j *judge) checks(found Finding) []Check {
	checks := make([]Check, 0, 4)
	for i := range j.all {
		checks = append(checks, j.all[i].check())
	}
	return append(checks, j.checkTime(found), j.checkBody(found))
}

func (j *judge) checkTime(found Finding) Check {
	c := Check{Name: "timestamp", Result: Passes, Secrets: []int{}}
	switch {
	case len(j.readable) == 0:
		c.Result, c.Message = Unchecked, "no signature to read it from"
		return c
	case found == TimestampsDisagree:
		c.Result, c.Message = Fails, "not the same in both schemes"
		return c
	}
	if late, _ := j.clock(); late != "" {
		c.Result = Fails
	}
	c.Message = span(j.age()) + " old"
	if age := j.age(); age < 0 {
		c.Message = span(-age) + " ahead"
	}
	return c
}

func (j *judge) checkBody(found Finding) Check {
	c := Check{
		Name:    "body",
		Result:  Unchecked,
		Secrets: []int{},
		Message: fmt.Sprintf("%d bytes", len(j.Body)),
	}
	switch {
	case j.signed():
		c.Result, c.Message = Passes, c.Message+", as they were signed"
	case found == BodyRewritten || found == BodyDamaged || found == BodyCut:
		c.Result, c.Message = Fails, c.Message+", not those that were signed"
	}
	return c
}

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
			s.wrong = "webhook-signature has a signature that is not v1, and 44 characters of base64; several are " +
				"separated by spaces"
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
