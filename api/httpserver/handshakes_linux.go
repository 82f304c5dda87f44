package httpserver

import (
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// refuseHandshakes has the kernel drop what asks for a new connection, so that after a
// moment no client believes to have one that is not accepted yet. The client asks again
// within a second, and is refused once the listener is closed.
func refuseHandshakes(l *net.TCPListener) error {
	const flags, syn, ack = 13, 0x02, 0x10 // of a TCP segment (RFC 9293, section 3.1)
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: flags},
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: syn | ack},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: syn},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0},
		{Code: unix.BPF_RET | unix.BPF_K, K: 1 << 18}, // all of the segment
	}
	raw, err := l.SyscallConn()
	if err != nil {
		return err
	}
	var refused error
	err = raw.Control(func(fd uintptr) {
		refused = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER,
			&unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]})
	})
	if err != nil {
		return err
	}
	return refused
}

// handshaking reports whether a handshake with a listener has begun and is not finished. It is
// true where nobody can tell.
func handshaking(l *net.TCPListener) bool {
	const local, state, received = 1, 3, "03" // SYN_RECV (proc_pid_net(5))
	port := fmt.Sprintf(":%04X", l.Addr().(*net.TCPAddr).Port)
	for _, file := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		sockets, err := os.ReadFile(file)
		if err != nil {
			return true
		}
		for line := range strings.Lines(string(sockets)) {
			if f := strings.Fields(line); len(f) > state && f[state] == received && strings.HasSuffix(f[local], port) {
				return true
			}
		}
	}
	return false
}

// lastLook bounds a read of what is there already.
const lastLook = 10 * time.Second

// readable tells, without waiting, whether there is something to read from a connection, or
// a connection to accept from a listener. It is true where nobody can tell.
func readable(socket any) bool {
	s, is := socket.(syscall.Conn)
	if !is {
		return true
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return true
	}
	ready := true
	err = raw.Control(func(fd uintptr) {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
		ready = err != nil || n > 0 // an interrupted look has seen nothing
	})
	return ready || err != nil
}
