// Package change is what a write asks of a record and what it has done to it: fields
// that may be absent, the record before and after, and what the caller should know.
//
// It knows no record, no store and no surface.
package change

// Field is a field of an update: absent, or given. A field that may be null has a
// pointer for T, nil for null.
type Field[T any] struct {
	Given bool
	Value T
}

// To is a field that is given.
func To[T any](v T) Field[T] { return Field[T]{Given: true, Value: v} }

// Absent reports whether the field was not given.
func (f Field[T]) Absent() bool { return !f.Given }

// Into writes the field to where it belongs, if it is given.
func (f Field[T]) Into(dst *T) {
	if f.Given {
		*dst = f.Value
	}
}

// Result is what a write has done. A surface shows After; a preview shows what lies
// between Before and After.
type Result[T any] struct {
	Before   *T // nil where the record is new
	After    *T
	Warnings []Warning
}

// Warn adds what the caller should know although the write succeeds.
func (m *Result[T]) Warn(code, message string) {
	m.Warnings = append(m.Warnings, Warning{code, message})
}

// Outcome is what a surface sees of a write, whatever the record.
type Outcome interface {
	Shown() any   // the record as it is now
	Earlier() any // the record as it was, nil where it is new
	Notes() []Warning
}

// Shown is After.
func (m *Result[T]) Shown() any { return m.After }

// Earlier is Before, or nil.
func (m *Result[T]) Earlier() any {
	if m.Before == nil {
		return nil
	}
	return m.Before
}

// Notes are the warnings.
func (m *Result[T]) Notes() []Warning { return m.Warnings }

// Warning is what the caller of a write should know.
type Warning struct {
	// What the warning is about, for programs.
	Code string `json:"code" example:"priority_below_triage"`
	// The warning, for people.
	Message string `json:"message" example:"Triage calls this an emergency."`
}

// SchemaName is the name of the OpenAPI component; Warning is a name of some languages' own.
func (Warning) SchemaName() string { return "WriteWarning" }
