package export

import (
	"encoding/csv"
	"fmt"
	"io"
	"reflect"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/texts"
)

// mark is the byte order mark of UTF-8, without which Excel spoils every accent.
const mark = "\ufeff"

// text is a CSV file.
type text struct {
	*csv.Writer
	line []string
}

func newText(w io.Writer) (*text, error) {
	if _, err := io.WriteString(w, mark); err != nil {
		return nil, fmt.Errorf("write a rent roll: %w", err)
	}
	t := &text{Writer: csv.NewWriter(w)}
	return t, t.Write(columns())
}

func (t *text) row(line []any) error {
	t.line = t.line[:0]
	for _, value := range line {
		t.line = append(t.line, written(value))
	}
	return t.Write(t.line)
}

func (t *text) flush() error {
	t.Flush()
	return t.Error()
}

func (t *text) close() error { return t.flush() }

// known is a value without its pointer, nil for a pointer to nothing.
func known(value any) any {
	p := reflect.ValueOf(value)
	if p.Kind() != reflect.Pointer {
		return value
	}
	if p.IsNil() {
		return nil
	}
	return p.Elem().Interface()
}

// written is a cell as text: an amount such as 1450.00, a day such as 2026-11-26, a text that is no formula.
func written(value any) string {
	switch v := known(value).(type) {
	case nil:
		return ""
	case string:
		return texts.Inert(v)
	case portfolio.Half:
		return string(v.AppendJSON(nil))
	case int, money.Cents, clock.Date:
		return fmt.Sprint(v)
	default:
		panic(fmt.Sprintf("no cell for a %T", v)) // a mistake in this package
	}
}
