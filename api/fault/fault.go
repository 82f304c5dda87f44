// Package fault says how things fail: a code of the closed dictionary, a sentence
// that is safe to show to anybody, the field at fault and the hidden cause.
//
// It knows nothing of HTTP, JSON-RPC or pages; they render a fault each in their way.
package fault

import (
	"errors"
	"fmt"
)

// Error is a failure with a meaning for the caller. Message is shown as it is,
// so it never holds a secret or a database's words; those stay in the cause.
type Error struct {
	Code    Code
	Message string
	Param   string   // dotted path of the field at fault, "" where none is
	Details []Detail // every field at fault, in the order of the schema
	Retry   int      // seconds after which the same request is admitted, 0 where waiting does not help

	cause error
}

// Detail is one field at fault.
type Detail struct {
	// Dotted path of the field or parameter.
	Param string `json:"param"`
	// What is wrong with it.
	Code Code `json:"code"`
	// What is wrong with it and how to fix it, for people.
	Message string `json:"message"`
}

// SchemaName is the name of the OpenAPI component.
func (Detail) SchemaName() string { return "FieldError" }

// New makes a fault of a code with a message for people.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Of makes a fault of a code with the dictionary's own sentence.
func Of(code Code) *Error {
	e := code.Entry()
	return &Error{Code: code, Message: e.Cause + " " + e.Remedy}
}

// At names the field at fault.
func (e *Error) At(param string) *Error {
	e.Param = param
	return e
}

// Because keeps the cause for the log; no answer ever shows it.
func (e *Error) Because(cause error) *Error {
	e.cause = cause
	return e
}

// Error is the code and the message, and the cause where there is one.
func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.cause)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

func (e *Error) Unwrap() error { return e.cause }

// Invalid gathers the fields at fault into one fault that speaks of the first.
// Without a detail there is no fault.
func Invalid(details []Detail) error {
	if len(details) == 0 {
		return nil
	}
	d := details[0]
	return &Error{
		Code:    d.Code,
		Message: d.Message,
		Param:   d.Param,
		Details: details,
	}
}

// From finds the fault in an error. What carries none is an internal fault,
// with the error as its hidden cause.
func From(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return Of(Internal).Because(err)
}

// Is reports whether an error carries a fault of a code.
func Is(err error, code Code) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == code
}

// NotFound is the one answer for a record that is absent and for one that
// belongs to somebody else, so that existence is never told.
func NotFound(noun string) *Error {
	return New(NoRecord,
		"No %s with this id exists in this portfolio. Check the id and the mode (test or live) of the key.",
		noun)
}
