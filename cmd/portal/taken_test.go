package main

import (
	"net"
	"strings"
	"testing"

	"portal/cmd/portal/cli"
)

func TestAddressInUseErrorNamesVariable(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for _, variable := range []string{"PORTAL_ADDR", "PORTAL_METRICS_ADDR"} {
		h := newHome(t).with(variable + "=" + listener.Addr().String())
		code, _, said := h.inside(t, "", "serve")
		if code != cli.ExitFailed ||
			!strings.Contains(said, "portal serve: the address "+listener.Addr().String()+" is in use") ||
			!strings.Contains(said, variable+"=127.0.0.1:") {
			t.Errorf("%s: exit code %d, printed %q", variable, code, said)
		}
	}
}
