// Package sheet reads any file that holds a table, as a landlord uploads it, into rows of texts: CSV
// in its usual encodings and with its usual delimiters, and Excel workbooks (.xlsx). Text is streamed.
// Of a workbook, the packed file and its table of shared texts are in memory, its sheets are streamed.
//
// It trusts no file. Sizes are checked before anything is unpacked and again while it is, XML with
// declarations of its own is refused, nothing is written to disk, links to other files are not followed,
// formulas are not calculated and macros are not read. Hidden rows and columns are read as the others are.
//
// It does not know what a rent roll is, which row names the columns, what a date or an amount is, and how
// a workbook shows its numbers: 5% is 0.05, and a date is the number of days that Excel stores.
package sheet

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"portal/api/texts"
)

// The bounds of a file. Beyond them, reading stops with a Problem.
const (
	MaxWorkbook = 8 << 20   // bytes of a packed .xlsx
	MaxUnpacked = 200 << 20 // bytes of all its parts
	MaxCells    = 1_000_000 // of a sheet
	MaxColumns  = 200       // with a value
	MaxLine     = 64 << 10  // bytes of a record of text, and of a cell
)

// Row is a row of a table.
type Row struct {
	// Line is the number of the row, from 1: in text the line where it begins, in a workbook Excel's number.
	Line int
	// Cells are the values, without the empty ones at the end of the row. They have no white space
	// around them and one space for each run of it inside, line breaks and no-break spaces included.
	Cells []string
	// Problem says what is wrong with the row in a sentence, "" if nothing is. Cells are what could
	// be read nevertheless.
	Problem string
	// Written is how many cells the row has in the file, with the empty ones at its end.
	Written int
}

// Problem is why a file cannot be read, or not to its end, in a sentence for its owner.
type Problem struct {
	Line    int // of the file, from 1
	Message string
}

// Error is the message.
func (p *Problem) Error() string { return p.Message }

// source is a table of one format.
type source interface {
	// next reads the next row, blank or not, into row, whose cells are as the file has them. At the end it
	// returns io.EOF, otherwise a *Problem.
	next(row *Row) error
	close()
}

// File is a table that is being read.
type File struct {
	source   source
	workbook *workbook // nil for text
	row      Row
	err      error
}

// Open begins to read a file. It refuses one that is no table with a *Problem.
func Open(r io.Reader) (*File, error) { return OpenSheet(r, "") }

// OpenSheet is Open with the sheet of a workbook chosen by name. With "", it is the first visible one that
// holds a table: at least two rows with at least two values each.
func OpenSheet(r io.Reader, name string) (_ *File, err error) {
	defer func() {
		if recovered := recover(); recovered != nil {
			err = &Problem{1, unreadable}
		}
	}()
	in := bufio.NewReaderSize(r, MaxLine)
	start, err := in.Peek(sniffed)
	if len(start) == 0 && err != nil && !errors.Is(err, io.EOF) {
		return nil, readProblem(1, err)
	}
	if strings.HasPrefix(string(start), zipMagic) {
		return openWorkbook(in, name)
	}
	if message := foreign(start); message != "" {
		return nil, &Problem{1, message}
	}
	if name != "" {
		return nil, &Problem{1, "This is a text file; it has no sheets to choose from."}
	}
	t, err := openText(in, start)
	if err != nil {
		return nil, err
	}
	return &File{source: t}, nil
}

// Empty is the message for a file without a value.
const Empty = "The file is empty."

// unreadable is the message for a file that made the code fail.
const unreadable = "This file could not be read. Open it in Excel and save it as a new .xlsx or CSV file."

// readProblem is the Problem of an error of the reader that the file comes from.
func readProblem(line int, err error) *Problem {
	return &Problem{line, "The file could not be read from here on: " + err.Error() + "."}
}

// Sheets are the names of the sheets of a workbook in their order, nil for text.
func (f *File) Sheets() []string {
	if f.workbook == nil {
		return nil
	}
	names := make([]string, len(f.workbook.sheets))
	for i, s := range f.workbook.sheets {
		names[i] = s.name
	}
	return names
}

// Sheet is the name of the sheet that is read, "" for text.
func (f *File) Sheet() string {
	if f.workbook == nil {
		return ""
	}
	return f.workbook.chosen
}

// Dates1904 reports whether the workbook counts days from 1904-01-01 instead of from 1899-12-30.
func (f *File) Dates1904() bool { return f.workbook != nil && f.workbook.dates1904 }

// Next reads the next row that has a value or a problem. It is false at the end of the table and where
// reading has to stop, which Problem tells apart.
func (f *File) Next() bool {
	for f.err == nil {
		f.err = f.read()
		if f.err == nil && (len(f.row.Cells) > 0 || f.row.Problem != "") {
			return true
		}
	}
	f.row = Row{}
	return false
}

func (f *File) read() (err error) {
	defer func() {
		if recovered := recover(); recovered != nil {
			err = &Problem{max(f.row.Line, 1), unreadable}
		}
	}()
	f.row = Row{Line: f.row.Line, Cells: f.row.Cells[:0]}
	if err = f.source.next(&f.row); err != nil {
		return err
	}
	return f.row.finish()
}

// Row is the row that Next has read. The next call of Next overwrites it.
func (f *File) Row() Row { return f.row }

// Problem is why reading stopped before the end of the table, nil if it did not.
func (f *File) Problem() *Problem {
	var p *Problem
	if errors.As(f.err, &p) {
		return p
	}
	return nil
}

// Close frees what the file holds. No row can be read afterwards.
func (f *File) Close() error {
	if f.err == nil {
		f.err = io.EOF
	}
	f.source.close()
	return nil
}

// fail notes a problem of the row; the first one counts.
func (r *Row) fail(format string, args ...any) {
	if r.Problem == "" {
		r.Problem = fmt.Sprintf(format, args...)
	}
}

// finish cleans the cells and takes the empty ones off the end.
func (r *Row) finish() error {
	r.Written = len(r.Cells)
	n := 0
	for i, cell := range r.Cells {
		r.Cells[i] = r.clean(cell)
		if r.Cells[i] != "" {
			n = i + 1
		}
	}
	r.Cells = r.Cells[:n]
	if n > MaxColumns {
		r.Cells = r.Cells[:0]
		return tooManyColumns(r.Line, texts.Number(n))
	}
	return nil
}

func tooManyColumns(line int, n string) *Problem {
	return &Problem{
		line,
		fmt.Sprintf("This row has %s columns; a table has at most %d. Reading stopped here.", n, MaxColumns),
	}
}
