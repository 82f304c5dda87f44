package signature

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"iter"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"portal/api/strictjson"
)

// variant is what may have happened to a body.
type variant struct {
	what   string
	damage bool // to its characters, rather than to how it is laid out
}

// variants are the bodies that may have been sent where another came: what it was
// before a usual mishap.
func variants(body []byte) iter.Seq2[[]byte, variant] {
	return func(yield func([]byte, variant) bool) {
		for _, list := range []func([]byte) iter.Seq2[[]byte, variant]{ends, characters, layouts} {
			for b, v := range list(body) {
				if !yield(b, v) {
					return
				}
			}
		}
	}
}

// ends undoes what editors, echo and text modes do to line breaks.
func ends(body []byte) iter.Seq2[[]byte, variant] {
	lf := bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
	return func(yield func([]byte, variant) bool) {
		_ = yield(bytes.TrimRight(body, "\r\n"), variant{what: "a line break was added at its end"}) &&
			yield(bytes.TrimSpace(body), variant{what: "white space was added around it"}) &&
			yield(with(body, "\n"), variant{what: "the line break at its end was removed"}) &&
			yield(with(body, "\r\n"), variant{what: "the line break at its end was removed"}) &&
			yield(lf, variant{what: "its line breaks became CRLF"}) &&
			yield(bytes.TrimRight(lf, "\n"), variant{what: "its line breaks became CRLF, one more at its end"}) &&
			yield(bytes.ReplaceAll(lf, []byte("\n"), []byte("\r\n")), variant{what: "its line breaks were CRLF"})
	}
}

func with(body []byte, end string) []byte { return append(bytes.Clone(body), end...) }

// characters undoes what wrong encodings do, with and without a line break that was
// added at the end.
func characters(body []byte) iter.Seq2[[]byte, variant] {
	return func(yield func([]byte, variant) bool) {
		for _, c := range []struct {
			undo func([]byte) []byte
			what string
		}{
			{fromMark, "a byte order mark was put in front"},
			{fromUTF16, "it was written as UTF-16"},
			{fromWindows, "it was written as Latin-1 or Windows-1252"},
			{fromTwice, "its UTF-8 was taken for Latin-1 or Windows-1252 and encoded once more"},
			{fromString, "it was put into a JSON string"},
		} {
			was := c.undo(body)
			if was == nil {
				continue
			}
			if v := (variant{c.what, true}); !yield(was, v) || !yield(bytes.TrimRight(was, "\r\n"), v) {
				return
			}
		}
	}
}

func fromMark(body []byte) []byte {
	if was, marked := bytes.CutPrefix(body, []byte("\ufeff")); marked {
		return was
	}
	return nil
}

func fromUTF16(body []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case len(body) < 2 || len(body)%2 != 0:
		return nil
	case body[0] == 0xfe && body[1] == 0xff || body[0] == 0:
		order = binary.BigEndian
	case body[0] != 0xff && body[1] != 0:
		return nil
	}
	units := make([]uint16, 0, len(body)/2)
	for i := 0; i < len(body); i += 2 {
		units = append(units, order.Uint16(body[i:]))
	}
	return bytes.TrimPrefix([]byte(string(utf16.Decode(units))), []byte("\ufeff"))
}

// windows are the characters that Windows-1252 has from 0x80 to 0x9f; in five places
// it has none, and takes those of Latin-1.
var windows = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

func fromWindows(body []byte) []byte {
	if utf8.Valid(body) {
		return nil
	}
	was := make([]byte, 0, len(body)*2)
	for _, c := range body {
		r := rune(c)
		if c >= 0x80 && c < 0xa0 {
			r = windows[c-0x80]
		}
		was = utf8.AppendRune(was, r)
	}
	return was
}

func fromTwice(body []byte) []byte {
	var was []byte
	for _, r := range string(body) {
		if i := strings.IndexRune(string(windows), r); i >= 0 && r > 0xff {
			r = rune(0x80 + utf8.RuneCountInString(string(windows)[:i]))
		}
		if r > 0xff {
			return nil
		}
		was = append(was, byte(r))
	}
	return was
}

func fromString(body []byte) []byte {
	var was string
	if json.Unmarshal(body, &was) != nil {
		return nil
	}
	return []byte(was)
}

// layouts writes JSON again in all the ways that usual libraries do: what is sent is
// one of them.
func layouts(body []byte) iter.Seq2[[]byte, variant] {
	return func(yield func([]byte, variant) bool) {
		v, err := strictjson.Parse(body)
		if err != nil {
			return
		}
		for l := range everyLayout {
			was := l.append(make([]byte, 0, len(body)), &v, "", "\n")
			for _, end := range []string{"", "\n", "\r\n"} {
				if !yield(append(was, end...), variant{what: "what was sent is " + l.name()}) {
					return
				}
			}
		}
	}
}
