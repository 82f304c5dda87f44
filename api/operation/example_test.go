package operation_test

import (
	"context"
	"fmt"
	"net/http"

	"portal/api/access"
	"portal/api/operation"
)

// One entry is the contract of an operation on every surface: its input is decoded and
// checked by the tags, its output is encoded as the schema says.
func ExampleDefine() {
	type quote struct {
		Months int    `json:"months" doc:"How long the lease is."`
		Total  string `json:"total" doc:"Rent of all months, in dollars."`
	}
	type input struct {
		Months int `in:"query" name:"months" min:"1" max:"24" default:"12" doc:"How long the lease is."`
	}
	op := operation.Define(operation.Spec{
		Name:    "quote_rent",
		Method:  http.MethodGet,
		Path:    "/quotes",
		Tag:     "Leases",
		Summary: "Quote the rent",
		Scope:   access.Read,
		Status:  http.StatusOK,
	}, func(_ context.Context, in *input) (*quote, error) {
		return &quote{in.Months, fmt.Sprintf("%d.00", in.Months*1450)}, nil
	})
	for _, query := range []string{"", "months=2", "months=48"} {
		decoded, err := op.Decode(operation.Request{Query: query})
		if err != nil {
			fmt.Println(err)
			continue
		}
		out, err := op.Call(context.Background(), decoded.Input)
		fmt.Println(string(op.Append(nil, out)), err)
	}
	// Output:
	// {"months":12,"total":"17400.00"} <nil>
	// {"months":2,"total":"2900.00"} <nil>
	// invalid_field: months must be a whole number between 1 and 24; not "48".
}
