package db

import (
	"encoding/json"
	"fmt"
)

// jsonColumn reads a column of JSON text, or NULL, into a pointer.
type jsonColumn[T any] struct{ into **T }

func jsonInto[T any](into **T) *jsonColumn[T] { return &jsonColumn[T]{into} }

// Scan is sql.Scanner.
func (c *jsonColumn[T]) Scan(src any) error {
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

// jsonOf is JSON text for a column, or NULL. The structs that come here hold
// nothing that JSON cannot.
func jsonOf[T any](v *T) any {
	if v == nil {
		return nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
