package sheet

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// The bounds of XML. Excel's own files stay far below them.
const (
	maxToken    = 512 << 10  // bytes of a tag or of a text, which is a cell of 64 KiB with all its characters escaped
	maxDepth    = 64         // elements in each other
	maxElements = 12_000_000 // with their attributes, of all parts that are read
)

// Sentences about workbooks that are refused.
const (
	tooLarge    = "This workbook is larger than 200 MB once it is unpacked. Save the rent roll alone as a new workbook."
	tooLong     = "A cell holds more than 64 KiB of text. Shorten it."
	tooMuchText = "This workbook holds more than 32 MB of text. Save the rent roll alone as a new workbook."
	notExcel    = "This workbook is not built as Excel builds it. Open it in Excel and save it again."
	doctype     = "This workbook holds a document type (DOCTYPE), which no workbook of Excel has. Open it in Excel and save it again."
	damaged     = "This workbook is damaged. Open it in Excel and save it again."
	damagedRow  = "This workbook is damaged in row %d or after it. Open it in Excel and save it again."
)

// budget is what may still be read of a workbook.
type budget struct{ bytes, cells, elements int }

// xmlReader reads the elements of a part of a workbook and keeps the bounds. Its errors are io.EOF, a
// *Problem without a line, or those of a damaged file.
type xmlReader struct {
	decoder *xml.Decoder
	part    *partReader
	budget  *budget
	depth   int
}

func newXMLReader(r io.Reader, b *budget) *xmlReader {
	part := &partReader{r: r, budget: b, buffer: make([]byte, 32<<10)}
	return &xmlReader{decoder: xml.NewDecoder(part), part: part, budget: b}
}

// token is the next token. It is valid until the next call.
func (x *xmlReader) token() (xml.Token, error) {
	x.part.token = 0
	token, err := x.decoder.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case xml.StartElement:
		x.depth++
		x.budget.elements -= 1 + len(t.Attr)
		if x.depth > maxDepth || x.budget.elements < 0 {
			return nil, &Problem{Message: notExcel}
		}
	case xml.EndElement:
		x.depth--
	case xml.Directive:
		return nil, &Problem{Message: doctype}
	}
	return token, nil
}

// child is the next element inside the present one, false at its end. The caller reads it to its end,
// by child or by skip.
func (x *xmlReader) child() (xml.StartElement, bool, error) {
	for {
		token, err := x.token()
		if err != nil {
			return xml.StartElement{}, false, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			return t, true, nil
		case xml.EndElement:
			return xml.StartElement{}, false, nil
		}
	}
}

// descend goes to the first element of a name inside the present one, false if there is none.
func (x *xmlReader) descend(name string) (xml.StartElement, bool, error) {
	for {
		e, more, err := x.child()
		if err != nil || !more || e.Name.Local == name {
			return e, more, err
		}
		if err = x.skip(); err != nil {
			return e, false, err
		}
	}
}

// skip reads the present element to its end.
func (x *xmlReader) skip() error {
	for outside := x.depth - 1; x.depth > outside; {
		if _, err := x.token(); err != nil {
			return err
		}
	}
	return nil
}

// text appends the text of the present element, without that of elements inside it.
func (x *xmlReader) text(to []byte) ([]byte, error) {
	for inside := x.depth; ; {
		token, err := x.token()
		if err != nil {
			return to, err
		}
		switch t := token.(type) {
		case xml.CharData:
			if x.depth == inside {
				to = append(to, t...)
			}
			if len(to) > MaxLine {
				return to, &Problem{Message: tooLong}
			}
		case xml.EndElement:
			if x.depth < inside {
				return to, nil
			}
		}
	}
}

// richText appends the text of a cell or of a shared text, which may consist of runs with formats of their own.
func (x *xmlReader) richText(to []byte) ([]byte, error) {
	for {
		e, more, err := x.child()
		if err != nil || !more {
			return to, err
		}
		switch e.Name.Local {
		case "t":
			to, err = x.text(to)
		case "r":
			to, err = x.richText(to)
		default: // formats, and how the text is pronounced
			err = x.skip()
		}
		if err != nil {
			return to, err
		}
	}
}

// rest reads to the end of the part without looking at it: the checksum there tells whether all of it is
// as it was saved.
func (x *xmlReader) rest() error {
	_, err := io.Copy(io.Discard, x.part)
	return err
}

// attribute is the value of an attribute, "" where it is missing.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// partReader reads an unpacked part byte by byte, as the decoder wants it, within the budget.
type partReader struct {
	r      io.Reader
	budget *budget
	buffer []byte
	unread []byte // of the buffer
	token  int    // bytes of the token that is being read
	err    error
}

// Read reads what follows without a bound for a token.
func (p *partReader) Read(to []byte) (int, error) {
	if len(p.unread) == 0 && !p.fill() {
		return 0, p.err
	}
	n := copy(to, p.unread)
	p.unread = p.unread[n:]
	return n, nil
}

// ReadByte reads a byte of a token.
func (p *partReader) ReadByte() (byte, error) {
	if len(p.unread) == 0 && !p.fill() {
		return 0, p.err
	}
	if p.token++; p.token > maxToken {
		p.err = &Problem{Message: tooLong}
		return 0, p.err
	}
	b := p.unread[0]
	p.unread = p.unread[1:]
	return b, nil
}

func (p *partReader) fill() bool {
	for p.err == nil {
		n, err := p.r.Read(p.buffer)
		p.err = err
		if p.budget.bytes -= n; p.budget.bytes < 0 {
			p.err = &Problem{Message: tooLarge}
			return false
		}
		if n > 0 {
			p.unread = p.buffer[:n]
			return true
		}
	}
	return false
}

// asProblem makes a *Problem of any error of a workbook.
func asProblem(line int, err error) *Problem {
	var p *Problem
	switch {
	case errors.As(err, &p):
		return &Problem{max(line, p.Line), p.Message}
	case line > 1:
		return &Problem{line, fmt.Sprintf(damagedRow, line)}
	}
	return &Problem{1, damaged}
}

// unescape decodes _x000D_, by which Excel writes characters that XML cannot hold.
func unescape(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	var out strings.Builder
	for {
		i := strings.Index(s, "_x")
		if i < 0 {
			out.WriteString(s)
			return out.String()
		}
		out.WriteString(s[:i])
		s = s[i:]
		if c, is := escape(s); is {
			out.WriteRune(c)
			s = s[len("_x000D_"):]
		} else {
			out.WriteString(s[:2])
			s = s[2:]
		}
	}
}

func escape(s string) (c rune, is bool) {
	if len(s) < len("_x000D_") || s[6] != '_' {
		return 0, false
	}
	for _, digit := range []byte(s[2:6]) {
		value := strings.IndexByte("0123456789abcdef", digit|0x20)
		if digit < '0' || value < 0 {
			return 0, false
		}
		c = c<<4 | rune(value)
	}
	return c, true
}
