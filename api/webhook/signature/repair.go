package signature

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// secretForms finds a secret that signed the delivery and was not given as it was shown.
func (j *judge) secretForms() (Finding, string) {
	if j.signed() {
		return "", ""
	}
	for i, given := range j.Secrets {
		secret, what := normalizeSecret(given)
		if what != "" &&
			slices.ContainsFunc(j.readable, func(s *signing) bool {
				return s.fits(secret, j.Body) &&
					!s.fits(given, j.Body)
			}) {
			return SecretForm, fmt.Sprintf(
				"Secret %d is correct, except for its form: it %s. The receiver needs it exactly as it was shown: whsec_ and base64.",
				i+1,
				what,
			)
		}
	}
	return "", ""
}

// normalizeSecret gives a secret the form it should have, and says what was wrong with it, "" for
// nothing.
func normalizeSecret(given string) (secret, what string) {
	drop := func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune("\"'`“”‘’", r) {
			return -1
		}
		return r
	}
	secret = strings.Map(drop, given)
	if secret != given {
		what = "has quotes or white space in or around it"
	}
	before, after, found := strings.Cut(secret, SecretPrefix)
	switch {
	case !found:
		return SecretPrefix + secret, "lacks whsec_ in front"
	case before != "":
		return SecretPrefix + after, "has something in front of whsec_"
	}
	return secret, what
}

// whole tells what has the form of a signing secret.
func whole(secret string) bool {
	secret, _ = normalizeSecret(secret)
	return len(bytesOf(secret)) == 32
}

// variants finds a form of the body that was signed, and so what happened to it.
func (j *judge) variants() (Finding, string) {
	if j.signed() {
		return "", ""
	}
	for body, v := range variants(j.Body) {
		for _, given := range j.Secrets {
			if secret, what := normalizeSecret(given); !j.fits(given, body) && (what == "" || !j.fits(secret, body)) {
				continue
			}
			if v.damage {
				return BodyDamaged, "The body's characters changed on the way: " + v.what +
					". Verify the raw bytes before anything decodes them."
			}
			return BodyRewritten, "The body was parsed and written again, or edited: " + v.what +
				". Verify the raw bytes before anything parses them."
		}
	}
	return "", ""
}

// damage is what can be seen of a body without knowing the one that was signed.
func (j *judge) damage() (Finding, string) {
	if j.signed() {
		return "", ""
	}
	if len(j.Body) == 0 {
		return BodyCut, "There is no body. Send the raw body of the request on standard input. In a receiver, read the body before anything else does."
	}
	length, err := strconv.Atoi(strings.TrimSpace(j.Header.Get("Content-Length")))
	var v any
	broken := json.NewDecoder(bytes.NewReader(j.Body)).Decode(&v)
	switch {
	case err == nil && length > len(j.Body):
		return BodyCut, fmt.Sprintf(
			"The body was cut: Content-Length says %d bytes, but this is %d. Read the request to its end, and paste all of it.",
			length,
			len(j.Body),
		)
	case !utf8.Valid(j.Body):
		return BodyDamaged, "The body's characters changed on the way: it was sent as UTF-8, but these bytes aren't UTF-8. Verify the raw bytes before anything decodes them."
	case bytes.ContainsRune(j.Body, utf8.RuneError) && (err != nil || length != len(j.Body)):
		return BodyDamaged, "The body's characters probably changed on the way: it contains U+FFFD, which stands for bytes that could not be decoded. Verify the raw bytes before anything decodes them. If the body was sent like this, the secret is wrong."
	case errors.Is(broken, io.ErrUnexpectedEOF):
		return BodyCut, "The body was cut: its JSON has no end. Read the request to its end, and paste all of it."
	case broken != nil:
		return BodyDamaged, "The body isn't JSON, and the body of every delivery is. Send the raw body of the request on standard input, without its headers."
	case err == nil && length < len(j.Body):
		return BodyRewritten, fmt.Sprintf(
			"This is a different body: Content-Length says %d bytes, but this is %d. Verify the raw bytes before anything parses them.",
			length,
			len(j.Body),
		)
	}
	return "", ""
}
