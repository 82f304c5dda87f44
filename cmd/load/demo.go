package main

import (
	"bufio"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// demo is a running "portal serve --demo".
type demo struct {
	process *os.Process
	wait    func() error
	url     string
	metrics string
	said    map[string]string // PORTAL_TEST_KEY and the like
}

// startDemo builds the product unless there is a binary, and starts it with its data in a folder
// and limits that nothing reaches.
func startDemo(ctx context.Context, binary, folder string) (*demo, error) {
	if binary == "" {
		binary = filepath.Join(folder, "portal")
		//nolint:gosec // a folder of our own
		build := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/portal")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return nil, err
		}
	}
	address, err := freePort(ctx)
	if err != nil {
		return nil, err
	}
	d := &demo{url: "http://" + address, said: map[string]string{}}
	if d.metrics, err = freePort(ctx); err != nil {
		return nil, err
	}
	env := append(os.Environ(), "PORTAL_ADDR="+address, "PORTAL_METRICS_ADDR="+d.metrics,
		"PORTAL_DATA="+filepath.Join(folder, "data"), "PORTAL_ALLOW_INSECURE_WEBHOOKS=true")
	serve := exec.CommandContext(ctx, binary, "serve", "--demo")
	serve.Env = env
	if err := d.start(serve); err != nil {
		return nil, err
	}
	//nolint:gosec // the given binary
	plan := exec.CommandContext(ctx, binary, "plan", "set", d.said["PORTAL_DEMO_LANDLORD"], "prime",
		"--sustained", "1000000", "--burst", "1000000")
	plan.Env = env
	if err := plan.Run(); err != nil {
		d.stop()
		return nil, err
	}
	return d, nil
}

// start waits until the process has said what opens it.
func (d *demo) start(serve *exec.Cmd) error {
	out, err := serve.StdoutPipe()
	if err != nil {
		return err
	}
	if err := serve.Start(); err != nil {
		return err
	}
	d.process, d.wait = serve.Process, serve.Wait
	lines := bufio.NewScanner(out)
	for d.said["PORTAL_LIVE_KEY"] == "" && lines.Scan() {
		if name, value, found := strings.Cut(lines.Text(), "="); found {
			d.said[name] = value
		}
	}
	if d.said["PORTAL_LIVE_KEY"] == "" {
		d.stop()
		return errors.New("the demo did not start")
	}
	return nil
}

func (d *demo) stop() {
	_ = d.process.Signal(syscall.SIGTERM) // it may be gone already
	_ = d.wait()
}

func freePort(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
