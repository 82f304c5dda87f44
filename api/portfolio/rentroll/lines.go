package rentroll

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// maxLine is the length of the longest line in bytes.
const maxLine = 64 << 10

// lines reads a file line by line. A line ends as on Windows, Unix or the
// classic Mac.
type lines struct {
	scan *bufio.Scanner
	at   int // the line read last
}

func newLines(r io.Reader) *lines {
	scan := bufio.NewScanner(r)
	scan.Buffer(make([]byte, 0, 4096), maxLine)
	scan.Split(cutLine)
	return &lines{scan: scan}
}

// next is the next line; at the end and at an error there is none.
func (l *lines) next() (string, bool) {
	if !l.scan.Scan() {
		return "", false
	}
	l.at++
	return l.scan.Text(), true
}

// problem is why reading stopped before the end, "" where it did not.
func (l *lines) problem() string {
	switch err := l.scan.Err(); {
	case err == nil:
		return ""
	case errors.Is(err, bufio.ErrTooLong):
		return "The line is longer than 64 KiB; reading stopped here. Check that the file is a CSV file."
	default:
		return "The file could not be read from here on: " + err.Error() + "."
	}
}

// cutLine is the bufio.SplitFunc of lines.
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

// closes reports whether a line ends a quoted text that an earlier one began.
func closes(line string) bool { return strings.Count(line, `"`)%2 == 1 }
