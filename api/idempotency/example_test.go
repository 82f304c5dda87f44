package idempotency_test

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/idempotency"
	"portal/api/secret"
)

// A client that got no answer sends the same request again, and gets the answer to the first.
func ExampleKeeper_Once() {
	box, err := secret.NewBox(bytes.Repeat([]byte{1}, secret.KeySize))
	if err != nil {
		panic(err)
	}
	keeper := idempotency.New(
		&claimStore{},
		box,
		func() time.Time { return time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC) },
	)
	claim := idempotency.Claim{
		KeyID: "key_01", Key: "charge-for-november",
		Fingerprint: idempotency.Fingerprint("POST", "/payments", `{"amount":"1450.00"}`),
	}
	charged := 0
	for range 3 {
		answer, err := keeper.Once(context.Background(), access.Portfolio{ID: 1}, claim,
			func(context.Context) (idempotency.Answer, error) {
				charged++
				return idempotency.Answer{Status: 201, Body: []byte(`{"id":"pay_01"}`)}, nil
			})
		fmt.Println(answer.Status, string(answer.Body), answer.Replayed, err)
	}
	claim.Fingerprint = idempotency.Fingerprint("POST", "/payments", `{"amount":"9999.00"}`)
	_, err = keeper.Once(context.Background(), access.Portfolio{ID: 1}, claim, nil)
	refused := fault.From(err)
	fmt.Println(refused.Code)
	fmt.Println("charged", charged)
	// Output:
	// 201 {"id":"pay_01"} false <nil>
	// 201 {"id":"pay_01"} true <nil>
	// 201 {"id":"pay_01"} true <nil>
	// idempotency_key_reused
	// charged 1
}
