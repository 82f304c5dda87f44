package rest

import (
	"os"
	"testing"
)

func TestTmp(t *testing.T) {
	os.WriteFile("/tmp/openapi.json", New(Config{BaseURL: "http://127.0.0.1:8080"}).Document(), 0o644)
}
