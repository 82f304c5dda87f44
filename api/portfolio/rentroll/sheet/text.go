package sheet

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

const (
	maxQuoted    = 20       // further lines that a quoted value may go on over
	sampled      = 20       // records that decide on the delimiter
	sampledLines = 60       // at most, that these records are looked for in
	sampledBytes = 64 << 10 // at most, from which on no more lines are added to the sample
)

// text reads delimited text (RFC 4180).
type text struct {
	scan      *bufio.Scanner
	ended     bool // the scanner has no more lines
	long      bool // because one is too long
	decoder   decoder
	delimiter byte
	ahead     []string // lines that are read already
	at        int      // the line that the last record ended in
	fields    []string
}

func openText(in *bufio.Reader, start []byte) (*text, error) {
	var r io.Reader = in
	t := &text{}
	mark := 0
	if order := utf16Order(start); order != nil {
		r, t.decoder.decided = &utf16Reader{in: in, order: order}, true
		if bytes.HasPrefix(start, []byte(utf16LEBOM)) || bytes.HasPrefix(start, []byte(utf16BEBOM)) {
			mark = 2
		}
	} else if bytes.HasPrefix(start, []byte(utf8BOM)) {
		mark, t.decoder.decided = len(utf8BOM), true
	}
	if _, err := in.Discard(mark); err != nil {
		return nil, readProblem(1, err)
	}
	t.scan = bufio.NewScanner(r)
	t.scan.Buffer(make([]byte, 0, 4<<10), MaxLine+2)
	t.scan.Split(cutLine)
	return t, t.begin()
}

// begin finds the delimiter and passes a line that sets it.
func (t *text) begin() error {
	blank := true
	for size := 0; size < sampledBytes && len(t.ahead) < sampledLines; {
		line, more := t.line(len(t.ahead))
		if !more {
			break
		}
		size += len(line) + 1
		blank = blank && strings.TrimSpace(line) == ""
	}
	if blank && t.ended {
		if err := t.end(); !errors.Is(err, io.EOF) {
			return err
		}
		return &Problem{1, Empty}
	}
	if d, is := delimiterLine(t.ahead[0]); is {
		t.pass(1)
		t.delimiter = d
		return nil
	}
	t.delimiter = delimiterOf(t.ahead)
	return nil
}

// delimiterLine is the delimiter that a first line such as sep=; sets.
func delimiterLine(line string) (byte, bool) {
	if len(line) != len("sep=;") || !strings.EqualFold(line[:4], "sep=") {
		return 0, false
	}
	return line[4], strings.IndexByte(delimiters, line[4]) >= 0
}

// delimiters are those that are known; of two that fit as well, the one that comes first is taken.
const delimiters = ",;\t|"

// delimiterOf is the delimiter of text by its first lines: the one that parts most records into equally
// many values. The square of how many records agree counts, times the delimiters in each: a comma in many
// names of people does not outweigh semicolons of a table with a ragged end, and one line full of
// semicolons does not outweigh the commas of all others.
func delimiterOf(lines []string) byte {
	agree := [len(delimiters)]map[int]int{{}, {}, {}, {}} // records by how many delimiters they have
	for n := 0; n < sampled && len(lines) > 0; {
		if strings.TrimSpace(lines[0]) == "" {
			lines = lines[1:]
			continue
		}
		counts, taken := countDelimiters(lines)
		for d, count := range counts {
			agree[d][count]++
		}
		lines = lines[taken:]
		n++
	}
	best, most := delimiters[0], 0
	for d := range agree {
		for count, records := range agree[d] {
			if score := records * records * count; score > most {
				best, most = delimiters[d], score
			}
		}
	}
	return best
}

// countDelimiters counts each delimiter outside of quotes in the first record, and the lines of that record.
// A quote begins a text at the start of a field, whatever the delimiter is.
func countDelimiters(lines []string) (counts [len(delimiters)]int, taken int) {
	quoted := false
	var first [len(delimiters)]int
	for taken < min(len(lines), 1+maxQuoted) {
		start := true // of a field
		for _, b := range []byte(lines[taken]) {
			d := strings.IndexByte(delimiters, b)
			switch {
			case b == '"' && (quoted || start):
				quoted, start = !quoted, true // a doubled quote begins the text again
			case d >= 0 && !quoted:
				counts[d]++
				start = true
			case b != ' ':
				start = false
			}
		}
		if taken++; !quoted {
			return counts, taken
		}
		if taken == 1 {
			first = counts
		}
	}
	return first, 1
}

// line is the n-th line after the record that was read last, from 0, without passing it.
func (t *text) line(n int) (string, bool) {
	for len(t.ahead) <= n {
		if t.ended || !t.scan.Scan() {
			t.ended = true // asked again after a line that is too long, a Scanner would give a part of it
			return "", false
		}
		if len(t.scan.Bytes()) > MaxLine { // the Scanner counts the line end too
			t.ended, t.long = true, true
			return "", false
		}
		t.ahead = append(t.ahead, t.decoder.decode(t.scan.Text()))
	}
	return t.ahead[n], true
}

// pass goes on after n lines.
func (t *text) pass(n int) {
	clear(t.ahead[:n])
	t.ahead = t.ahead[n:]
	t.at += n
}

func (t *text) next(row *Row) error {
	if _, more := t.line(0); !more {
		return t.end()
	}
	row.Line = t.at + 1
	fields, problem := t.record()
	row.Cells = append(row.Cells, fields...)
	row.Problem = problem
	return nil
}

func (t *text) close() {}

// end is why no line follows.
func (t *text) end() error {
	switch err := t.scan.Err(); {
	case t.long, errors.Is(err, bufio.ErrTooLong):
		return &Problem{
			t.at + len(t.ahead) + 1,
			"The line is longer than 64 KiB; reading stopped here. Check that the file is a CSV file.",
		}
	case err == nil:
		return io.EOF
	default:
		return readProblem(t.at+len(t.ahead)+1, err)
	}
}

// What can be wrong with the quotes of a record.
const (
	openQuote  = `The quoted text that begins in this line does not end in it or in the 20 lines after it. Close it with a quote.`
	strayQuote = `After a quoted value comes more text. Double the quotes inside a value, as in "The ""Oaks""".`
)

// record reads a record, which has several lines where a quoted value has line breaks. Where quotes are
// wrong, it is its first line alone: those after it are read as records of their own.
func (t *text) record() (fields []string, problem string) {
	record, _ := t.line(0)
	t.fields, problem = split(t.fields[:0], record, t.delimiter)
	for further := 1; problem == openQuote && further <= maxQuoted; further++ {
		line, more := t.line(further)
		if !more || len(record)+1+len(line) > MaxLine {
			break
		}
		record += "\n" + line
		if !strings.Contains(line, `"`) {
			continue
		}
		var wrong string
		if t.fields, wrong = split(t.fields[:0], record, t.delimiter); wrong == "" {
			t.pass(1 + further)
			return t.fields, ""
		} else if wrong == strayQuote {
			break // the quote that closes the text was meant to open another
		}
	}
	if problem != "" {
		first, _ := t.line(0)
		t.fields, _ = split(t.fields[:0], first, t.delimiter)
	}
	t.pass(1)
	return t.fields, problem
}

// cutLine is the bufio.SplitFunc of lines that end as on Windows, Unix or the classic Mac.
func cutLine(data []byte, atEOF bool) (int, []byte, error) {
	i := bytes.IndexAny(data, "\r\n")
	switch {
	case i < 0 && atEOF && len(data) > 0:
		return len(data), data, nil
	case i < 0:
		return 0, nil, nil
	case data[i] == '\r' && i+1 == len(data) && !atEOF:
		return 0, nil, nil // a line feed may follow
	case bytes.HasPrefix(data[i:], []byte("\r\n")):
		return i + 2, data[:i], nil
	}
	return i + 1, data[:i], nil
}

// split cuts a record at the delimiter into fields. A field in quotes may hold the delimiter, line breaks
// and, doubled, quotes. A problem is one of the field that comes last.
func split(fields []string, record string, delimiter byte) (_ []string, problem string) {
	for {
		var field, rest string
		var more bool
		if quoted, is := strings.CutPrefix(strings.TrimLeft(record, " "), `"`); is {
			if field, rest, more, problem = cutQuoted(quoted, delimiter); problem != "" {
				return append(fields, ""), problem
			}
		} else {
			field, rest, more = cutPlain(record, delimiter)
		}
		fields = append(fields, field)
		if !more {
			return fields, ""
		}
		record = rest
	}
}

// cutPlain cuts off a field without quotes, or with those of ="…".
func cutPlain(record string, delimiter byte) (field, rest string, more bool) {
	if quoted, is := strings.CutPrefix(strings.TrimLeft(record, " "), `="`); is {
		if inner, rest, more, problem := cutQuoted(quoted, delimiter); problem == "" {
			return `="` + strings.ReplaceAll(inner, `"`, `""`) + `"`, rest, more
		}
	}
	i := strings.IndexByte(record, delimiter)
	if i < 0 {
		return record, "", false
	}
	return record[:i], record[i+1:], true
}

// cutQuoted cuts off a field after its opening quote.
func cutQuoted(quoted string, delimiter byte) (field, rest string, more bool, problem string) {
	end := closingQuote(quoted)
	if end < 0 {
		return "", "", false, openQuote
	}
	rest = strings.TrimLeft(quoted[end+1:], " ")
	if rest != "" && rest[0] != delimiter {
		return "", "", false, strayQuote
	}
	field = strings.ReplaceAll(quoted[:end], `""`, `"`)
	if rest == "" {
		return field, "", false, ""
	}
	return field, rest[1:], true, ""
}

// closingQuote is where the quote that is not doubled stands, -1 without one.
func closingQuote(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		if i+1 == len(s) || s[i+1] != '"' {
			return i
		}
		i++
	}
	return -1
}
