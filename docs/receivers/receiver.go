// Command receiver takes webhook deliveries with Go's standard library:
//
//	PORT=8000 WEBHOOK_SECRET=whsec_… go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"sync"
	"time"
)

const tolerance = 300 // seconds

var form = regexp.MustCompile(`^t=([0-9]{1,12}),v1=([0-9a-f]{64})$`)

// genuine verifies X-Service-Signature over the raw body.
func genuine(secret, header string, body []byte) bool {
	parts := form.FindStringSubmatch(header)
	if parts == nil {
		return false
	}
	t, _ := strconv.ParseInt(parts[1], 10, 64)
	if age := time.Now().Unix() - t; age > tolerance || age < -tolerance {
		return false
	}
	want := hmac.New(sha256.New, []byte(secret))
	want.Write([]byte(parts[1] + "."))
	want.Write(body)
	got, _ := hex.DecodeString(parts[2])
	return hmac.Equal(got, want.Sum(nil)) // in constant time
}

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	if secret == "" {
		fmt.Fprintln(os.Stderr, "WEBHOOK_SECRET is not set")
		os.Exit(2)
	}
	var seen sync.Map // in production a table with webhook_id as its key
	receive := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20)) // raw, before anything parses it
		if err != nil || !genuine(secret, r.Header.Get("X-Service-Signature"), body) {
			http.Error(w, "the signature is wrong", http.StatusBadRequest)
			return
		}
		id := r.Header.Get("webhook-id") // the same in every repeat
		if _, repeated := seen.LoadOrStore(id, true); !repeated {
			go handle(id, body) // the answer does not wait for the work
		}
		w.WriteHeader(http.StatusOK)
	}
	server := &http.Server{
		Addr:        "127.0.0.1:" + os.Getenv("PORT"),
		Handler:     http.HandlerFunc(receive),
		ReadTimeout: 10 * time.Second,
	}
	fmt.Fprintln(os.Stderr, server.ListenAndServe())
	os.Exit(1)
}

func handle(id string, body []byte) { fmt.Fprintln(os.Stderr, "handled", id, len(body), "bytes") }
