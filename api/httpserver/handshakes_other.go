//go:build !linux

package httpserver

import (
	"errors"
	"net"
	"time"
)

// refuseHandshakes is not possible here: a client whose handshake ends in the very moment
// in which the listener is closed is reset.
func refuseHandshakes(*net.TCPListener) error { return errors.ErrUnsupported }

// handshaking cannot tell here.
func handshaking(*net.TCPListener) bool { return true }

// lastLook is how long it is looked whether something has come.
const lastLook = 20 * time.Millisecond

// readable cannot tell here.
func readable(any) bool { return true }
