package signature_test

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"portal/api/webhook/signature"
)

// A receiver checks the very bytes that came, before it reads them.
func ExampleJudge() {
	secret := "whsec_" + strings.Repeat("QUJD", 8)
	body := []byte(`{"type":"payment.succeeded","data":{"amount_paid":"1450.00"}}`)
	sent := time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC)
	header := http.Header{}
	signature.Sign(header, "evt_01", sent, body, signature.Secrets{Present: secret})

	delivery := signature.Pasted{
		Header:    header,
		Body:      body,
		Secrets:   []string{secret},
		Tolerance: signature.Tolerance,
	}
	fmt.Println(signature.Judge(delivery, sent.Add(2*time.Second)).Code)

	delivery.Body = body[:20]
	fmt.Println(signature.Judge(delivery, sent.Add(2*time.Second)).Code)

	delivery.Body = body
	fmt.Println(signature.Judge(delivery, sent.Add(time.Hour)).Code)
	// Output:
	// valid
	// body_cut
	// clock_differs
}
