// Package rows is what all stores are made of: lists, inserts, updates and values of statements.
//
// It knows no table and no record.
package rows

import (
	"encoding/json"
	"fmt"
)

// JSONColumn reads a column of JSON text, or NULL, into a pointer.
type JSONColumn[T any] struct{ into **T }

// JSONInto reads a column of JSON text into a pointer.
func JSONInto[T any](into **T) *JSONColumn[T] { return &JSONColumn[T]{into} }

// Scan is sql.Scanner.
func (c *JSONColumn[T]) Scan(src any) error {
	var text []byte
	switch src := src.(type) {
	case nil:
		*c.into = nil
		return nil
	case string:
		text = []byte(src)
	case []byte:
		text = src
	default:
		return fmt.Errorf("a column of JSON holds %T", src)
	}
	*c.into = new(T)
	return json.Unmarshal(text, *c.into)
}

// JSONOf is JSON text for a column, or NULL. The structs that come here hold
// nothing that JSON cannot.
func JSONOf[T any](v *T) any {
	if v == nil {
		return nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
