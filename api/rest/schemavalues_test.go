package rest_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/mail"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// textual tells what a string has that a keyword does not allow.
func textual(keyword string, want any, text string) string {
	switch keyword {
	case "minLength", "maxLength":
		n, err := want.(json.Number).Int64()
		length := int64(utf8.RuneCountInString(text))
		if err != nil || keyword == "minLength" && length < n || keyword == "maxLength" && length > n {
			return fmt.Sprintf("has %d characters, the %s is %s", length, keyword, want)
		}
	case "pattern":
		if !pattern(want.(string)).MatchString(text) {
			return fmt.Sprintf("is %q, which does not fit %s", text, want)
		}
	case "format":
		if !hasFormat(want.(string), text) {
			return fmt.Sprintf("is %q, which is no %s", text, want)
		}
	default:
		return "has the keyword " + keyword + " in its schema, which is not known here"
	}
	return ""
}

// pattern compiles a pattern of the document, which is of ECMA-262: there \s is the
// white space of Unicode too.
func pattern(p string) *regexp.Regexp {
	return regexp.MustCompile(strings.ReplaceAll(p, `\s`, `\s\x{A0}\x{FEFF}\x{2028}\x{2029}\p{Zs}`))
}

var milliseconds = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)

func hasFormat(name, text string) bool {
	switch name {
	case "date-time":
		_, err := time.Parse(time.RFC3339, text)
		return err == nil && milliseconds.MatchString(text)
	case "date":
		_, err := time.Parse(time.DateOnly, text)
		return err == nil
	case "uri":
		u, err := url.Parse(text)
		return err == nil && u.Scheme != "" && u.Host != ""
	case "email":
		a, err := mail.ParseAddress(text)
		return err == nil && a.Address == text
	case "password": // a hint to hide it
		return text != ""
	}
	return false
}

func types(want any) (names []string) {
	if name, one := want.(string); one {
		return []string{name}
	}
	for _, name := range want.([]any) {
		names = append(names, name.(string))
	}
	return names
}

func isType(name string, v any) bool {
	n, number := v.(json.Number)
	switch name {
	case "null":
		return v == nil
	case "integer":
		return number && rational(n).IsInt()
	case "number":
		return number
	}
	kinds := map[string]reflect.Kind{
		"string":  reflect.String,
		"boolean": reflect.Bool,
		"array":   reflect.Slice,
		"object":  reflect.Map,
	}
	kind, known := kinds[name]
	return known && v != nil && !number && reflect.TypeOf(v).Kind() == kind
}

func compare(a, b json.Number) int { return rational(a).Cmp(rational(b)) }

func ratio(a, b json.Number) *big.Rat { return new(big.Rat).Quo(rational(a), rational(b)) }

func rational(n json.Number) *big.Rat {
	x, _ := new(big.Rat).SetString(n.String())
	return x
}
