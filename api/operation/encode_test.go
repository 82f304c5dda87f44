package operation_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/money"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/api/strictjson"
	"portal/api/webhook"
)

// strange are strings that encoders stumble over.
var strange = []string{
	"",
	"plain",
	`"quoted" \ / back`,
	"line\nline\r\ttab\b\f\v",
	"\x00\x01\x1f\x7f",
	"</script><!-- & -->",
	"\u2028\u2029\ufeff\ufffd\ufffe",
	"ä€\U0001F3E1\U0010FFFF",
	"\xff",
	"a\xc3",
	"\xed\xa0\x80",
	"\xf4\x90\x80\x80",
	"\xc0\xaf",
	"ok\xe2\x28\xa1ok",
	"e\u0301",
	strings.Repeat("ä\"\x01", 500),
}

// random is a value of any type that answers are made of.
func random(r *rand.Rand, v reflect.Value) {
	switch v.Type() {
	case reflect.TypeFor[clock.Time]():
		v.SetInt(r.Int64N(253_402_300_800_000))
		return
	case reflect.TypeFor[clock.Date]():
		v.SetInt(int64(clock.Day(1600, 1, 1)) + r.Int64N(int64(clock.Day(9999, 12, 31)-clock.Day(1600, 1, 1))))
		return
	case reflect.TypeFor[money.Cents]():
		v.SetInt(r.Int64N(2*int64(money.Max)) - int64(money.Max))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(strange[r.IntN(len(strange))])
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt([]int64{0, 1, -1, math.MaxInt64, math.MinInt64, r.Int64()}[r.IntN(6)] >> (r.IntN(2) * 40))
		if v.Type() == reflect.TypeFor[portfolio.Half]() {
			v.SetInt(r.Int64N(200))
		}
	case reflect.Float64:
		v.SetFloat([]float64{
			0,
			1,
			-1,
			0.93,
			1e21,
			1e-9,
			math.MaxFloat64,
			math.SmallestNonzeroFloat64,
			r.NormFloat64(),
		}[r.IntN(9)])
	case reflect.Pointer:
		if r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			random(r, v.Elem())
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(4), 4))
		for i := range v.Len() {
			random(r, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			random(r, v.Field(i))
		}
	}
}

// tokens are the parts of a JSON text in their order.
func tokens(t *testing.T, text []byte) (all []any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("%v in %.300s", err, text)
		}
		all = append(all, token)
	}
}

// likeTheStandardLibrary encodes random values in both ways.
func likeTheStandardLibrary[T any](t *testing.T) {
	t.Helper()
	encode := operation.Encoder[T]()
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 3))
	for range 60 {
		v := new(T)
		random(r, reflect.ValueOf(v).Elem())
		got := encode([]byte("before"), v)
		if !bytes.HasPrefix(got, []byte("before{")) {
			t.Fatalf("%.40s does not append", got)
		}
		got = got[len("before"):]
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(got) || !json.Valid(got) || bytes.ContainsAny(got, "\n\r\t") {
			t.Fatalf("seed %d: not one line of JSON in UTF-8: %q", seed, got)
		}
		if !reflect.DeepEqual(tokens(t, got), tokens(t, want)) {
			t.Fatalf("seed %d: %T differs\n got %s\nwant %s", seed, v, got, want)
		}
	}
}

func TestEncoderMatchesStandardLibrary(t *testing.T) {
	t.Parallel()
	likeTheStandardLibrary[portfolio.Property](t)
	likeTheStandardLibrary[portfolio.PropertyWithUnits](t)
	likeTheStandardLibrary[portfolio.Tenant](t)
	likeTheStandardLibrary[portfolio.Lease](t)
	likeTheStandardLibrary[portfolio.Ticket](t)
	likeTheStandardLibrary[portfolio.Payment](t)
	likeTheStandardLibrary[webhook.Endpoint](t)
	likeTheStandardLibrary[developer.Me](t)
	likeTheStandardLibrary[fault.Detail](t)
	likeTheStandardLibrary[list.Page[portfolio.Ticket]](t)
	likeTheStandardLibrary[list.Page[webhook.Endpoint]](t)
	likeTheStandardLibrary[list.Page[report.ExpiringLease]](t)
	likeTheStandardLibrary[report.RentBalances](t)
	likeTheStandardLibrary[report.Summary](t)
}

func TestEmptyListIsNeverNull(t *testing.T) {
	t.Parallel()
	if got := string(operation.Encoder[list.Page[portfolio.Unit]]()(nil, &list.Page[portfolio.Unit]{
		Object: "list",
	})); got != `{"object":"list","data":[],"has_more":false,"next_cursor":null}` {
		t.Error(got)
	}
	got := operation.Encoder[portfolio.Triage]()(nil, &portfolio.Triage{Confidence: math.NaN()})
	if !bytes.Contains(got, []byte(`"safety_flags":[],"reasons":[]`)) ||
		!bytes.Contains(got, []byte(`"confidence":null`)) || !json.Valid(got) {
		t.Errorf("%s", got)
	}
}

func TestEncoderOmitsEmptyFieldsAndCommas(t *testing.T) {
	t.Parallel()
	type part struct {
		A int  `json:"a" doc:"A."`
		B *int `json:"b,omitempty" doc:"B."`
		C *int `json:"c,omitempty" doc:"C."`
		D *int `json:"d" doc:"D."`
		E int  `json:"-"`
	}
	encode := operation.Encoder[part]()
	for want, v := range map[string]part{
		`{"a":0,"d":null}`:       {E: 7},
		`{"a":1,"b":0,"d":null}`: {A: 1, B: new(0)},
		`{"a":1,"c":2,"d":3}`:    {A: 1, C: new(2), D: new(3)},
		`{"a":-1,"b":1,"c":2,"d":3}`: {
			A: -1,
			B: new(1),
			C: new(2),
			D: new(3),
		},
	} {
		if got := string(encode(nil, &v)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func FuzzAStringIsEncodedAsTheStandardLibraryDoes(f *testing.F) {
	for _, s := range strange {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := strictjson.AppendString(nil, s)
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var a, b string
		if err := json.Unmarshal(got, &a); err != nil {
			t.Fatalf("%q is %q: %v", s, got, err)
		}
		if err := json.Unmarshal(want, &b); err != nil || a != b {
			t.Errorf("%q is %q, the standard library has %q", s, got, want)
		}
		for _, c := range got {
			if c < ' ' {
				t.Errorf("%q has a control character: %q", s, got)
			}
		}
		if !utf8.Valid(got) {
			t.Errorf("%q is not UTF-8: %q", s, got)
		}
	})
}
