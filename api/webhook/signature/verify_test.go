package signature

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
)

// signedAt is when the deliveries of these tests were signed.
var signedAt = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)

var (
	present  = secretOf(1)
	previous = secretOf(2)
	stranger = secretOf(3)
)

func secretOf(b byte) string {
	return SecretPrefix + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{b, 0xfb, 7, b}, 8))
}

// sample is what the service sends of an event: compact, amounts with two decimals.
const sample = `{"id":"evt_1","type":"lease.signed","data":{"amount":1450.00,"notes":"Zoë & <b>\"5/8\"</b> – 家 ` +
	`🏠","bathrooms":1.5,"none":null,"all":[true,{},[]]}}`

// signed is a delivery as it arrives.
func signed(body string, s Secrets) Pasted {
	h := http.Header{}
	Sign(h, "evt_1", signedAt, []byte(body), s)
	return Pasted{
		Header:    h,
		Body:      []byte(body),
		Secrets:   []string{present},
		Tolerance: Tolerance,
	}
}

// judged is a change to a delivery that arrived in time, and the verdict.
func judged(t *testing.T, want Finding, said string, change func(p *Pasted)) Verdict {
	t.Helper()
	p := signed(sample, Secrets{Present: present})
	change(&p)
	v := Judge(p, signedAt)
	if v.Code != want || v.Valid != (want == Genuine) || !strings.Contains(v.Message, said) {
		t.Errorf("found %s: %s\nwant %s: …%s…", v.Code, v.Message, want, said)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{present, previous, stranger} {
		if strings.Contains(string(text), secret[6:20]) {
			t.Errorf("a secret is in %s", text)
		}
	}
	if len(v.Checks) != 4 {
		t.Errorf("%d checks", len(v.Checks))
	}
	return v
}

func results(v Verdict) (all []string) {
	for _, c := range v.Checks {
		all = append(all, fmt.Sprint(c.Result, c.Secrets))
	}
	return all
}

func wantResults(t *testing.T, v Verdict, want ...string) {
	t.Helper()
	if got := results(v); !slices.Equal(got, want) {
		t.Errorf("the checks are %v, want %v", got, want)
	}
}

func TestUnmodifiedDeliveryIsValidInBothSchemes(t *testing.T) {
	t.Parallel()
	v := judged(
		t,
		Genuine,
		"X-Service-Signature with secret 1 and in webhook-signature with secret 1",
		func(*Pasted) {},
	)
	wantResults(t, v, "passed[1]", "passed[1]", "passed[]", "passed[]")
}

func TestOneSchemeIsEnough(t *testing.T) {
	t.Parallel()
	v := judged(t, Genuine, "in X-Service-Signature with", func(p *Pasted) {
		p.Header = http.Header{ServiceHeader: p.Header[ServiceHeader]}
	})
	wantResults(t, v, "passed[1]", "unchecked[]", "passed[]", "passed[]")
	v = judged(t, Genuine, "in webhook-signature with", func(p *Pasted) { p.Header.Del(ServiceHeader) })
	wantResults(t, v, "unchecked[]", "passed[1]", "passed[]", "passed[]")
	v = judged(t, Genuine, "", func(p *Pasted) { p.Header.Del(IDHeader) })
	if got := v.Checks[1].Message; got != "missing: webhook-id" {
		t.Errorf("it says %q", got)
	}
}

func TestWhitespaceAroundHeaderValueIsIgnored(t *testing.T) {
	t.Parallel()
	judged(t, Genuine, "", func(p *Pasted) {
		for name, values := range p.Header {
			p.Header[name] = []string{" " + values[0] + "\t"}
		}
	})
}

func TestOtherSignatureVersionsAreSkipped(t *testing.T) {
	t.Parallel()
	judged(t, Genuine, "", func(p *Pasted) {
		p.Header.Set(
			StandardHeader,
			"v1a,"+base64.StdEncoding.EncodeToString(make([]byte, 64))+" "+p.Header.Get(StandardHeader),
		)
	})
}

func TestSigningSecretIsIdentifiedAmongSeveral(t *testing.T) {
	t.Parallel()
	v := judged(t, Genuine, "X-Service-Signature with secret 2", func(p *Pasted) {
		p.Secrets = []string{
			stranger, present,
		}
	})
	wantResults(t, v, "passed[2]", "passed[2]", "passed[]", "passed[]")
	if !strings.Contains(v.Message, "only has secret 1 refuses it") {
		t.Errorf("it says %s", v.Message)
	}
	v = judged(t, Genuine, "webhook-signature with secrets 1 and 2", func(p *Pasted) {
		*p = signed(sample, Secrets{present, previous})
		p.Secrets = []string{present, previous}
	})
	wantResults(t, v, "passed[1]", "passed[1 2]", "passed[]", "passed[]")
}

func TestOldAndUnknownSecretsAreDistinguishedDuringRotation(t *testing.T) {
	t.Parallel()
	v := judged(t, OldSecret, "Give the receiver the new secret", func(p *Pasted) {
		*p = signed(sample, Secrets{present, previous})
		p.Secrets = []string{stranger, previous}
	})
	wantResults(t, v, "failed[]", "passed[2]", "passed[]", "unchecked[]")
}

func TestOldSecretIsDetectedDespiteOtherMistakes(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]Finding{
		previous:       OldSecret,
		previous[6:]:   OldSecret,
		" " + previous: SecretForm,
		present[6:]:    SecretForm,
	} {
		judged(t, want, "", func(p *Pasted) {
			*p = signed(sample, Secrets{present, previous})
			p.Secrets = []string{given}
		})
	}
	judged(t, BodyRewritten, "", func(p *Pasted) {
		*p = signed(sample, Secrets{present, previous})
		p.Secrets, p.Body = []string{previous}, append(p.Body, '\n')
	})
}

func TestWrongAndInvalidSecretsAreDistinguished(t *testing.T) {
	t.Parallel()
	v := judged(t, AnotherSecret, "each endpoint has its own", func(p *Pasted) { p.Secrets = []string{stranger} })
	wantResults(t, v, "failed[]", "failed[]", "passed[]", "unchecked[]")
	judged(t, AnotherSecret, "each endpoint has its own", func(p *Pasted) { p.Secrets = []string{stranger, previous} })
	for _, s := range []string{present[:10], "whsec_", "", "key_live_1", "whsec_%%%", present[:20] + "…"} {
		judged(t, AnotherSecret, "Secret 2 isn't a signing secret", func(p *Pasted) {
			p.Secrets = []string{
				stranger, s,
			}
		})
	}
}

func TestEmptySecretSignsNothing(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "whsec_", "whsec_%%%"} {
		judged(t, AnotherSecret, "", func(p *Pasted) {
			p.Secrets = []string{s}
			p.Header.Del(ServiceHeader)
			sum := mac(nil, []byte("evt_1."+p.Header.Get(TimestampHeader)+"."), p.Body)
			p.Header.Set(StandardHeader, "v1,"+base64.StdEncoding.EncodeToString(sum))
		})
	}
}

func TestCorrectSecretInWrongFormatIsReported(t *testing.T) {
	t.Parallel()
	for given, what := range map[string]string{
		present[6:]:                          "lacks whsec_",
		" " + present:                        "white space",
		present + "\n":                       "white space",
		present[:20] + "\n" + present[20:]:   "white space",
		`"` + present + `"`:                  "quotes",
		"“" + present + "”":                  "quotes",
		`'` + present[6:] + `'`:              "lacks whsec_",
		"PORTAL_WEBHOOK_SECRET=" + present:   "in front of whsec_",
		"WEBHOOK_SECRET=\"" + present + "\"": "in front of whsec_",
	} {
		judged(t, SecretForm, what, func(p *Pasted) { p.Secrets = []string{stranger, given} })
	}
}

func TestClockSkewIsReportedWithSizeAndDirection(t *testing.T) {
	t.Parallel()
	p := signed(sample, Secrets{Present: present})
	for later, want := range map[time.Duration]string{
		0: "", 300 * time.Second: "", 300*time.Second + 517*time.Millisecond: "", -300 * time.Second: "",
		301 * time.Second: "5m1s before now", -301 * time.Second: "5m1s after now",
		73 * time.Hour: "3 days before", -(2*time.Hour + 90*time.Second): "2h1m30s after",
	} {
		v := Judge(p, signedAt.Add(later))
		if want == "" && !v.Valid ||
			want != "" &&
				(v.Code != ClockDiffers || !strings.Contains(v.Message, want) || v.Checks[2].Result != Fails) {
			t.Errorf("%s later: %s: %s", later, v.Code, v.Message)
		}
	}
	p.Tolerance = 10 * time.Second
	if v := Judge(p, signedAt.Add(11*time.Second)); v.Code != ClockDiffers ||
		!strings.Contains(v.Message, "10 s are allowed") {
		t.Errorf("%+v", v)
	}
	p.Secrets[0] = stranger
	if v := Judge(p, signedAt.Add(time.Hour)); v.Code != AnotherSecret {
		t.Errorf("with another secret, too: %+v", v)
	}
}

func TestLargestTimestampIsInTheFuture(t *testing.T) {
	t.Parallel()
	h := http.Header{}
	Sign(h, "evt_1", time.Unix(999_999_999_999, 0), nil, Secrets{Present: present})
	v := Judge(Pasted{h, nil, []string{present}, Tolerance}, signedAt)
	if v.Code != ClockDiffers || !strings.Contains(v.Message, "days after") {
		t.Errorf("%+v", v)
	}
}

func TestMismatchedTimestampsMeanTwoAttempts(t *testing.T) {
	t.Parallel()
	v := judged(t, TimestampsDisagree, "from two attempts", func(p *Pasted) {
		service := p.Header.Get(ServiceHeader)
		Sign(p.Header, "evt_1", signedAt.Add(time.Second), p.Body, Secrets{Present: present})
		p.Header.Set(ServiceHeader, service)
	})
	wantResults(t, v, "passed[1]", "passed[1]", "failed[]", "passed[]")
	judged(t, TimestampsDisagree, "", func(p *Pasted) {
		p.Header.Del(StandardHeader)
		p.Header.Set(TimestampHeader, "1")
	})
}

func TestIDFromAnotherDeliveryIsReported(t *testing.T) {
	t.Parallel()
	v := judged(t, HeadersMixed, "webhook-id or webhook-signature", func(p *Pasted) { p.Header.Set(IDHeader, "evt_2") })
	wantResults(t, v, "passed[1]", "failed[]", "passed[]", "unchecked[]")
}

func TestMissingHeadersAreNamed(t *testing.T) {
	t.Parallel()
	v := judged(
		t,
		MissingHeaders,
		"missing: X-Service-Signature, webhook-id, webhook-timestamp, webhook-signature.",
		func(p *Pasted) { p.Header = nil },
	)
	wantResults(t, v, "unchecked[]", "unchecked[]", "unchecked[]", "unchecked[]")
	judged(t, MissingHeaders, "missing: X-Service-Signature, webhook-id.", func(p *Pasted) {
		p.Header.Del(ServiceHeader)
		p.Header.Set(IDHeader, " ")
	})
}

func TestMalformedSignatureIsRefusedWithReason(t *testing.T) {
	t.Parallel()
	whole := signed(sample, Secrets{Present: present}).Header.Get(ServiceHeader)
	at, hexed, _ := strings.Cut(whole, ",v1=")
	for value, want := range map[string]string{
		`"` + whole + `"`:                    "quotes",
		at + ", v1=" + hexed:                 "white space",
		whole + "," + whole:                  "4 parts",
		at:                                   "1 parts",
		"v1=" + hexed + "," + at:             "begin with t=",
		at + ",v0=" + hexed:                  "not v1=",
		at + "000,v1=" + hexed:               "a number of seconds",
		"t=0" + at[2:] + ",v1=" + hexed:      "a number of seconds",
		"t=,v1=" + hexed:                     "a number of seconds",
		at + ",v1=" + hexed[:40]:             "40 digits",
		at + ",v1=" + hexed + "00":           "66 digits",
		at + ",v1=X" + hexed[1:]:             "in capitals",
		at + ",v1=x" + hexed[1:]:             "not hexadecimal",
		"t=-1,v1=" + hexed:                   "a number of seconds",
		at + ",v1=" + strings.ToUpper(hexed): "in capitals",
	} {
		v := judged(t, MalformedHeader, want, func(p *Pasted) { p.Header.Set(ServiceHeader, value) })
		if v.Checks[0].Result != Fails || v.Checks[1].Result != Passes {
			t.Errorf("%q: %v", value, results(v))
		}
	}
	judged(
		t,
		MalformedHeader,
		"X-Service-Signature is given twice",
		func(p *Pasted) { p.Header.Add(ServiceHeader, whole) },
	)
}

func TestMalformedStandardWebhooksHeadersAreReported(t *testing.T) {
	t.Parallel()
	whole := signed(sample, Secrets{Present: present}).Header.Get(StandardHeader)
	for _, c := range []struct{ name, value, want string }{
		{TimestampHeader, "2026-11-02T12:00:00Z", "webhook-timestamp isn't a number"},
		{TimestampHeader, strconv.FormatInt(signedAt.UnixMilli(), 10), "webhook-timestamp isn't a number"},
		{IDHeader, "evt.1", "a dot"},
		{StandardHeader, whole[3:], "no signature of version v1"},
		{StandardHeader, "v2," + whole[3:], "no signature of version v1"},
		{StandardHeader, whole[:20], "44 characters of base64"},
		{StandardHeader, whole + "," + whole, "44 characters of base64"},
		{StandardHeader, "v1," + hex.EncodeToString(make([]byte, 32)), "44 characters of base64"},
	} {
		judged(t, MalformedHeader, c.want, func(p *Pasted) { p.Header.Set(c.name, c.value) })
	}
	judged(t, MalformedHeader, "webhook-id is given twice", func(p *Pasted) { p.Header.Add(IDHeader, "evt_1") })
}

func TestReserializedBodyIsReported(t *testing.T) {
	t.Parallel()
	python := strings.NewReplacer(
		`":`,
		`": `,
		`,"`,
		`, "`,
		`,{`,
		`, {`,
		`,[`,
		`, [`,
		"1450.00",
		"1450.0",
	).Replace(sample)
	var two, four bytes.Buffer
	if json.Indent(&two, []byte(sample), "", "  ") != nil || json.Indent(&four, []byte(sample), "", "    ") != nil {
		t.Fatal("not JSON")
	}
	for body, want := range map[string]string{
		sample + "\n":        "line break was added",
		sample + "\r\n":      "line break was added",
		" " + sample:         "white space was added around it",
		python:               "compact",
		ascii(python):        "compact",
		two.String():         "compact",
		four.String() + "\n": "compact",
		strings.Replace(sample, "1450.00", "1450", 1):                                    "amounts with two decimals",
		strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`).Replace(sample): "compact",
		strings.ReplaceAll(sample, "/", `\/`):                                            "compact",
	} {
		v := judged(t, BodyRewritten, want, func(p *Pasted) {
			p.Body, p.Secrets = []byte(body), []string{
				stranger, present,
			}
		})
		wantResults(t, v, "failed[]", "failed[]", "passed[]", "failed[]")
	}
}

// ascii writes what is not ASCII as JSON's escapes.
func ascii(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < 0x7f:
			b.WriteRune(r)
		default:
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		}
	}
	return b.String()
}

func TestCommonReserializationsAreRecognized(t *testing.T) {
	t.Parallel()
	const indented = "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": \"\\u003cZo\u00eb\\u003e/\"\n}"
	for name, was := range map[string]string{
		"compact of Go":     `{"a":[1,{}],"b":"\u003cZoë\u003e/"}`,
		"compact of JS":     `{"a":[1,{}],"b":"<Zoë>/"}`,
		"Python":            `{"a": [1, {}], "b": "<Zo\u00eb>/"}`,
		"Python in UTF-8":   `{"a": [1, {}], "b": "<Zoë>/"}`,
		"Python, compact":   `{"a":[1,{}],"b":"<Zo\u00eb>/"}`,
		"PHP":               `{"a":[1,{}],"b":"<Zo\u00eb>\/"}`,
		"indented":          indented,
		"indented by four":  strings.ReplaceAll(indented, "  ", "    "),
		"indented by tabs":  strings.ReplaceAll(indented, "  ", "\t"),
		"with a line break": `{"a":[1,{}],"b":"<Zoë>/"}` + "\n",
		"with CRLF":         strings.ReplaceAll(indented, "\n", "\r\n"),
	} {
		for _, body := range []string{
			`{ "b":"<Zo\u00EB>/", "a" : [1,{}]}`,
			strings.ReplaceAll(indented, "  ", " "),
			indented,
		} {
			p := signed(was, Secrets{Present: present})
			p.Body = []byte(body)
			if name == "with CRLF" && body != indented || body == was {
				continue
			}
			if v := Judge(p, signedAt); v.Code != BodyRewritten {
				t.Errorf("%s, from %q: %s", name, body, v.Code)
			}
		}
	}
	for was, body := range map[string]string{
		"{\"a\":1}\n": `{"a":1}`, "{\"a\":1}\r\n": `{"a":1}`, "{\n}": "{\r\n}", "[1,\r\n2]": "[1,\n2]",
		`"\b\f\u0001\n` + "\u2028" + `"`:         `"\u0008\u000C\u0001\u000A\u2028"`,
		`"\u0008\u000c\u0001\n` + "\u2028" + `"`: `"\b\f\u0001\n\u2028"`,
	} {
		p := signed(was, Secrets{Present: present})
		p.Body = []byte(body)
		if v := Judge(p, signedAt); v.Code != BodyRewritten {
			t.Errorf("%q, from %q: %s", was, body, v.Code)
		}
	}
}

func TestAmountFieldsMatchRecords(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, record := range []any{
		portfolio.Lease{},
		portfolio.Payment{},
		portfolio.Ticket{},
		portfolio.Unit{},
		portfolio.Property{},
		application.Invitation{},
	} {
		collect(reflect.TypeOf(record), found)
	}
	for name := range found {
		if !slices.Contains(amounts, name) {
			t.Errorf("%s is an amount too", name)
		}
	}
	if len(found) != len(amounts) {
		t.Errorf("the records have %d amounts", len(found))
	}
}

func collect(record reflect.Type, found map[string]bool) {
	for i := range record.NumField() {
		f := record.Field(i)
		kind := f.Type
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		if kind == reflect.TypeFor[money.Cents]() {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" { // those are in no body
				found[name] = true
			}
		} else if f.Anonymous && kind.Kind() == reflect.Struct {
			collect(kind, found)
		}
	}
}

func TestReencodedBodyIsReported(t *testing.T) {
	t.Parallel()
	const was = `{"name":"Zoë – 5 €"}`
	windows1252 := strings.NewReplacer("ë", "\xeb", "–", "\x96", "€", "\x80").Replace(was)
	little, big := utf16Of(binary.LittleEndian, was+"\r\n"), utf16Of(binary.BigEndian, "\ufeff"+was)
	for body, want := range map[string]string{
		"\ufeff" + was: "byte order mark",
		little:         "UTF-16", "\xff\xfe" + little: "UTF-16", big: "UTF-16",
		windows1252: "Windows-1252", windows1252 + "\n": "Windows-1252",
		string(fromWindows([]byte(was + "\xff"))[:len(fromWindows([]byte(was+"\xff")))-2]): "encoded once more",
		strconv.Quote(was):                     "JSON string",
		strings.ReplaceAll(was, "ë", "\ufffd"): "U+FFFD",
		strings.ReplaceAll(was, "ë", "\xc3"):   "aren't UTF-8",
		"name=Zo%C3%AB":                        "isn't JSON",
		"<html></html>":                        "isn't JSON",
	} {
		p := signed(was, Secrets{Present: present})
		p.Body = []byte(body)
		if v := Judge(p, signedAt); v.Code != BodyDamaged || !strings.Contains(v.Message, want) {
			t.Errorf("%q: %s: %s, want %s", body, v.Code, v.Message, want)
		}
	}
}

func TestSentReplacementCharacterIsNotDamage(t *testing.T) {
	t.Parallel()
	judged(t, AnotherSecret, "", func(p *Pasted) {
		*p = signed(`"�"`, Secrets{Present: stranger})
		p.Header.Set("Content-Length", "5")
	})
}

func utf16Of(order binary.AppendByteOrder, s string) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

func TestTruncatedBodyIsReported(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"":                     "There is no body",
		sample[:40]:            "has no end",
		sample[:len(sample)-1]: "has no end",
		`"`:                    "has no end",
	} {
		v := judged(t, BodyCut, want, func(p *Pasted) { p.Body = []byte(body) })
		wantResults(t, v, "failed[]", "failed[]", "passed[]", "failed[]")
	}
	judged(t, BodyCut, "says 1000 bytes, but this is 1", func(p *Pasted) {
		p.Header.Set("Content-Length", "1000")
		p.Body = []byte("1")
	})
	judged(t, BodyCut, "", func(p *Pasted) { // in the middle of a character
		p.Header.Set("Content-Length", strconv.Itoa(len(sample)))
		p.Body = []byte(sample)[:strings.Index(sample, "🏠")+2]
	})
}

func TestGrownBodyIsReported(t *testing.T) {
	t.Parallel()
	judged(t, BodyRewritten, "says 2 bytes", func(p *Pasted) {
		p.Header.Set("Content-Length", "2")
		p.Body = []byte(`{"a":1}`)
	})
	judged(t, AnotherSecret, "", func(p *Pasted) {
		p.Header.Set("Content-Length", "seven")
		p.Body = []byte(`{"a":1}`)
	})
}

func TestChangedBodyIsNeverValid(t *testing.T) {
	t.Parallel()
	for i := range sample {
		p := signed(sample, Secrets{Present: present})
		p.Body[i] ^= 1
		if v := Judge(p, signedAt); v.Valid {
			t.Fatalf("with byte %d changed: %+v", i, v)
		}
	}
}

func FuzzOnlyWhatWasSignedIsValid(f *testing.F) {
	p := signed(sample, Secrets{present, previous})
	f.Add(
		p.Body,
		present,
		p.Header.Get(ServiceHeader),
		"evt_1",
		p.Header.Get(TimestampHeader),
		p.Header.Get(StandardHeader),
		signedAt.Unix(),
	)
	f.Add([]byte("[1]"), present, p.Header.Get(ServiceHeader), "", "", "", signedAt.Unix())
	f.Add([]byte("\xff\xfe1\x00"), "", "t=1,v1=", "evt_1", "1", "v1,", int64(0))
	f.Fuzz(func(t *testing.T, body []byte, secret, service, id, at, standard string, now int64) {
		headers := func() http.Header {
			return http.Header{
				ServiceHeader:   {service},
				IDHeader:        {id},
				TimestampHeader: {at},
				StandardHeader:  {standard},
			}
		}
		h := headers()
		v := Judge(Pasted{h, body, []string{secret}, Tolerance}, time.Unix(now, 0))
		if v.Valid != (v.Code == Genuine) || v.Valid && !genuine(h, body, secret, now) {
			t.Errorf("%+v", v)
		}
		signedAt := time.Unix(now&0xffffffff|1<<20, 0) // what is signed is valid, and only that
		h = headers()
		Sign(h, "evt_1", signedAt, body, Secrets{Present: present})
		if v := Judge(Pasted{h, body, []string{present}, Tolerance}, signedAt); !v.Valid {
			t.Errorf("%+v", v)
		}
		if v := Judge(Pasted{
			h,
			append([]byte(secret), body...),
			[]string{present},
			Tolerance,
		}, signedAt); v.Valid && secret != "" {
			t.Errorf("%+v", v)
		}
		for name, value := range map[string]string{
			ServiceHeader:   service,
			IDHeader:        id,
			TimestampHeader: at,
			StandardHeader:  standard,
		} {
			other := h.Clone()
			other.Set(name, value)
			if v := Judge(Pasted{
				other,
				body,
				[]string{present},
				Tolerance,
			}, signedAt); v.Valid && !genuine(other, body, present, signedAt.Unix()) {
				t.Errorf("with another %s: %+v", name, v)
			}
		}
	})
}

// genuine is the definition of the two schemes, in another making: at least one holds,
// and none that is there does not.
func genuine(h http.Header, body []byte, secret string, now int64) bool {
	get := func(name string) string { return strings.TrimSpace(h.Get(name)) }
	sound, count := true, 0
	near := func(t string) bool {
		n, err := strconv.ParseInt(t, 10, 64)
		return err == nil && n-now <= 300 && now-n <= 300
	}
	if value := get(ServiceHeader); value != "" {
		t := strings.TrimPrefix(strings.Split(value, ",")[0], "t=")
		sound = sound && near(t) &&
			value == "t="+t+",v1="+hex.EncodeToString(mac([]byte(secret), []byte(t+"."+string(body))))
		count++
	}
	if id, t, list := get(IDHeader), get(TimestampHeader), get(StandardHeader); id != "" && t != "" && list != "" {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		want := "v1," + base64.StdEncoding.EncodeToString(mac(key, []byte(id+"."+t+"."+string(body))))
		sound = sound && near(t) && err == nil && len(key) > 0 && slices.Contains(strings.Fields(list), want)
		count++
	}
	return sound && count > 0
}
