//go:build !linux

package httpserver

import (
	"errors"
	"net"
)

// refuseHandshakes is not possible here: a client whose handshake ends in the very moment
// in which the listener is closed is reset.
func refuseHandshakes(*net.TCPListener) error { return errors.ErrUnsupported }
