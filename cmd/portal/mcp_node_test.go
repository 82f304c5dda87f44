package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// nodejs runs what is installed from .ci/package.json.
type nodejs struct{ path, modules string }

// newNode is Node.js 22 or later: that of .ci/package.json where it has one for the
// platform, else the one on the path. Without PORTAL_TEST_NODE_MODULES, which says
// where it is installed, the test is skipped.
func newNode(t *testing.T) nodejs {
	t.Helper()
	modules := os.Getenv("PORTAL_TEST_NODE_MODULES")
	if modules == "" {
		t.Skip("PORTAL_TEST_NODE_MODULES is not set")
	}
	path := filepath.Join(modules, ".bin", "node")
	if _, err := os.Stat(path); err != nil {
		path = "node"
	}
	out, err := exec.CommandContext(t.Context(), path, "--version").Output()
	major, _, _ := strings.Cut(strings.TrimPrefix(string(out), "v"), ".")
	if n, _ := strconv.Atoi(major); err != nil || n < 22 {
		t.Fatalf("%s is not Node.js 22 or later: %s %v", path, out, err)
	}
	return nodejs{path, modules}
}

// command makes a process that does not run yet, of a script and with a home of its
// own.
func (n nodejs) command(ctx context.Context, t *testing.T, script string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(ctx, n.path, append([]string{script}, args...)...)
	c.Env = []string{"NODE_MODULES=" + n.modules, "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	return c
}

// module is a script of a package.
func (n nodejs) module(path string) string { return filepath.Join(n.modules, path) }

// outcome is how a process has ended.
type outcome struct {
	code     int
	out, err string
}

// run runs a script to its end.
func (n nodejs) run(t *testing.T, script string, args ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	var out, err words
	c := n.command(ctx, t, script, args...)
	c.Dir, c.Stdout, c.Stderr = t.TempDir(), &out, &err
	if failed := c.Run(); c.ProcessState == nil {
		t.Fatal(failed)
	}
	return outcome{c.ProcessState.ExitCode(), out.String(), err.String()}
}

// bridge is a client of MCP in another process (testdata/mcp/bridge.mjs).
type bridge struct {
	in  io.Writer
	out *bufio.Reader
	err words
}

// connect starts a client, which must end well and without a complaint.
func (n nodejs) connect(t *testing.T, s *service, script string, args ...string) *bridge {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	c := n.command(ctx, t, filepath.Join("testdata", "mcp", script), args...)
	c.Env = append(c.Env, "MCP_URL="+s.vars["PORTAL_URL"]+"/mcp", "MCP_KEY="+s.vars["PORTAL_LIVE_KEY"])
	in, err1 := c.StdinPipe()
	out, err2 := c.StdoutPipe()
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	b := &bridge{in: in, out: bufio.NewReader(out)}
	c.Stderr = &b.err
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		defer cancel()
		in.Close()
		if err := c.Wait(); err != nil || b.err.String() != "" {
			t.Errorf("%s: %v: %s", script, err, &b.err)
		}
	})
	return b
}

// read takes the next line.
func (b *bridge) read(t *testing.T, into any) {
	t.Helper()
	line, err := b.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, into)
	}
	if err != nil {
		t.Fatalf("%v: %s %s", err, line, &b.err)
	}
}

// do calls a method of the client and answers with the code of the error that it
// came to, 0 if it came to none.
func (b *bridge) do(t *testing.T, into any, method string, args ...any) (code int) {
	t.Helper()
	line, err := json.Marshal(append([]any{method}, args...))
	if err == nil {
		_, err = b.in.Write(append(line, '\n'))
	}
	if err != nil {
		t.Fatal(err)
	}
	var said struct {
		Result json.RawMessage
		Error  *struct {
			Code    any // a client's own errors have words
			Message string
		}
	}
	b.read(t, &said)
	if said.Error == nil {
		if err := json.Unmarshal(said.Result, into); err != nil {
			t.Fatalf("%v: %s", err, said.Result)
		}
		return 0
	}
	number, ok := said.Error.Code.(float64)
	if !ok {
		t.Fatalf("%s: %v: %s", method, said.Error.Code, said.Error.Message)
	}
	return int(number)
}
