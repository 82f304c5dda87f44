package docs

import (
	"bytes"
	"encoding/json"
)

// openAPIDocument is what the reference reads of the OpenAPI document.
type openAPIDocument struct {
	Tags []struct {
		Name        string
		Description string
	}
	Paths      inOrder[inOrder[*apiOperation]]
	Components struct {
		Schemas    map[string]*apiSchema
		Parameters map[string]*apiParameter
		Responses  map[string]*apiAnswer
		Examples   map[string]struct{ Value json.RawMessage }
	}
}

type apiOperation struct {
	OperationID string
	Tags        []string
	Summary     string
	Description string
	Parameters  []*apiParameter
	RequestBody *apiBody
	Responses   inOrder[*apiAnswer]
}

type apiParameter struct {
	Ref         string `json:"$ref"`
	Name        string
	In          string
	Description string
	Required    bool
	Schema      *apiSchema
	Example     any
}

type apiBody struct {
	Required bool
	Content  map[string]apiContent
}

// of is what is said of the body, whatever its type.
func (b *apiBody) of() apiContent {
	if c, has := b.Content[fileType]; has {
		return c
	}
	return b.Content[jsonType]
}

type apiContent struct {
	Schema   *apiSchema
	Example  json.RawMessage
	Examples inOrder[struct {
		Summary string
		Value   json.RawMessage
	}]
}

type apiAnswer struct {
	Ref         string `json:"$ref"`
	Description string
	Headers     inOrder[json.RawMessage]
	Content     map[string]apiContent
}

type apiSchema struct {
	Ref         string `json:"$ref"`
	Type        any
	Description string
	Format      string
	Pattern     string
	Enum        []any
	Const       any
	Minimum     *json.Number
	Maximum     *json.Number
	MinLength   *int
	MaxLength   *int
	MinItems    *int
	MaxItems    *int
	Default     any
	Items       *apiSchema
	Properties  inOrder[*apiSchema]
	Required    []string
	OneOf       []*apiSchema
	// Discriminator names the property by which the alternatives of OneOf are told apart.
	Discriminator *struct{ PropertyName string }
	AllOf         []*apiSchema
}

// inOrder is a JSON object whose members keep their order.
type inOrder[T any] []pairOf[T]

type pairOf[T any] struct {
	Name  string
	Value T
}

// UnmarshalJSON is json.Unmarshaler.
func (o *inOrder[T]) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		m := pairOf[T]{Name: name.(string)} // a member begins with its name
		if err := d.Decode(&m.Value); err != nil {
			return err
		}
		*o = append(*o, m)
	}
	return nil
}

// of is the member of a name.
func (o inOrder[T]) of(name string) (value T, there bool) {
	for _, m := range o {
		if m.Name == name {
			return m.Value, true
		}
	}
	return value, false
}
