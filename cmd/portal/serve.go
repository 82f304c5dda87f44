package main

import (
	"context"
	"errors"
	"fmt"
	stray "log" //nolint:depguard // what libraries write to it becomes lines of ours
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/httpserver"
	"portal/api/triage"
	"portal/cmd/portal/cli"
	"portal/db/developerstore"
	"portal/db/portfoliostore"
	"portal/jobs"
)

// stopTime is how long a stop may take: requests under way finish within most of it, jobs
// and what waits to be written in the rest.
const (
	stopTime   = answerTime + 5*time.Second
	answerTime = 30 * time.Second
)

func serveCommand(f *cli.Flags) cli.Action {
	demo := f.Bool("demo", false, "create a demo landlord if there is none, and print their keys")
	f.JSON = "print the demo's sign-in and keys as JSON"
	return func(ctx context.Context, a *cli.Call) error {
		c, err := configured(ctx, a.App)
		if err != nil {
			return err
		}
		if *demo && c.secure() {
			return cli.Misuse("--demo isn't allowed if PORTAL_BASE_URL is https")
		}
		return serve(ctx, a, c, *demo)
	}
}

func serve(ctx context.Context, a *cli.Call, c *config, demo bool) error {
	log := newLog(a.Err)
	stray.SetFlags(0)
	stray.SetOutput(serverErrorLog{log})
	listener, err := httpserver.Listen(ctx, c.addr)
	if err != nil {
		return unlessTaken("PORTAL_ADDR", c.addr, err)
	}
	if c.baseURL == "" {
		c.baseURL = defaultBase(listener.Addr().String())
	}
	c.demo = demo
	limitMemory(a.Getenv, machineMemory("/"))
	p, err := openProduct(ctx, c)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	var secrets demoSecrets
	if demo {
		if secrets, err = p.demo(ctx); err != nil {
			return errors.Join(err, listener.Close(), p.Close())
		}
	}
	s, err := newServer(ctx, p, log)
	if err != nil {
		return errors.Join(err, listener.Close(), p.Close())
	}
	if demo {
		if err := printDemo(a, c, secrets); err != nil {
			log.Error("couldn't print the demo's keys", "error", err)
		}
	}
	log.Info("serving", "address", listener.Addr().String(), "base_url", c.baseURL, "database", c.database(),
		"memory_limit", debug.SetMemoryLimit(-1))
	return until(ctx, a, s, listener)
}

// unlessTaken says which variable chooses another address where one is in use.
func unlessTaken(variable, addr string, err error) error {
	if !errors.Is(err, syscall.EADDRINUSE) {
		return err
	}
	return fmt.Errorf("the address %s is in use. Stop the program that listens there, "+
		"or choose another port, such as %s=127.0.0.1:8081: %w", addr, variable, err)
}

// until serves until the context ends, then stops gracefully.
func until(ctx context.Context, a *cli.Call, s *server, listener net.Listener) error {
	failed := make(chan error, 2)
	go func() { failed <- s.http.Serve(listener) }()
	go func() {
		if !lateDocs {
			s.prepare()
		}
		// What the start has used and nothing needs any more is given back: migrations, the texts of
		// the documentation, the demo. What lies in pools goes with the second collection.
		runtime.GC()
		debug.FreeOSMemory()
	}()
	if s.metrics != nil {
		go func() {
			failed <- unlessTaken("PORTAL_METRICS_ADDR", s.metrics.Addr, s.metrics.ListenAndServe())
		}()
	}
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		a.Unhook() // a second signal ends the process at once
		s.log.Info("stopping")
	}
	return errors.Join(err, s.stop(context.WithoutCancel(ctx)))
}

func (c *config) database() string {
	if c.databaseURL != "" {
		return "postgres"
	}
	return "sqlite"
}

// newLog writes JSON lines, or text where a person looks at a terminal.
func newLog(w any) *slog.Logger {
	f, isFile := w.(*os.File)
	if isFile {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return slog.New(slog.NewTextHandler(f, nil))
		}
	}
	return slog.New(slog.NewJSONHandler(w.(interface{ Write([]byte) (int, error) }), nil))
}

// serverErrorLog takes what libraries write to the standard logger. What a receiver sends on a
// connection that nobody asked on is left out: it would be the receiver's words in our log,
// as many as it likes.
type serverErrorLog struct{ log *slog.Logger }

// Write is io.Writer.
func (s serverErrorLog) Write(b []byte) (int, error) {
	const most = 500
	if said := strings.TrimSpace(string(b)); !strings.HasPrefix(said, "Unsolicited response") {
		s.log.Warn("a library says", "said", said[:min(len(said), most)])
	}
	return len(b), nil
}

// server is everything that runs while the service does.
type server struct {
	product    *product
	log        *slog.Logger
	http       *httpserver.Server
	metrics    *http.Server // nil where no address is set
	jobs       *jobs.Jobs
	sending    *sending
	recorder   *developer.RequestRecorder
	activity   *developer.Activity
	limits     *limits
	writes     *writability
	patience   time.Duration // of a stop with requests that are under way
	prepare    func()        // makes what the first reader would wait for; a broken contract or text ends the process
	background context.CancelFunc
	finished   []chan struct{}
}

func newServer(ctx context.Context, p *product, log *slog.Logger) (*server, error) {
	s := &server{
		product:  p,
		log:      log,
		patience: answerTime,
		writes: newWritability(func(ctx context.Context) error {
			return p.DB.ProbeWrite(ctx, clock.At(time.Now()))
		}, time.Now),
		recorder: developer.NewRecorder(developerstore.New(p.DB), p.Box, log),
		activity: developer.NewActivity(developerstore.New(p.DB), log),
	}
	var err error
	if s.limits, err = newLimits(ctx, p, log); err != nil {
		return nil, err
	}
	if s.jobs, err = jobs.New(p.DB, jobs.Services{
		Portfolio: p.Portfolio,
		Mail:      p.Mail,
		Webhook:   p.Webhook,
		Uploads:   p.uploads,
		Signings:  p.Signings,
		Demos:     p.Simulator(),
		Tenants:   p.TenantPortal,
		Payments:  p.Payments.Service,
		Seal:      p.sealNotices(),
		Heads: &evidence.HeadNotices{
			Store:   portfoliostore.New(p.DB),
			Post:    p.Mail,
			Log:     log,
			BaseURL: p.config.baseURL,
		},
		LLM: p.config.llm,
	}, time.Now, log); err != nil {
		return nil, err
	}
	if err := s.jobs.Start(context.WithoutCancel(ctx)); err != nil {
		return nil, err
	}
	if s.sending, err = p.send(ctx, log); err != nil {
		return nil, err
	}
	go triage.BuiltIn() // ready before the first ticket
	s.mount()
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.background = cancel
	s.run(running, s.recorder.Run)
	s.run(running, s.activity.Run)
	s.run(running, s.limits.run)
	return s, nil
}

// run does something in the background until the server stops.
func (s *server) run(ctx context.Context, do func(context.Context)) {
	done := make(chan struct{})
	s.finished = append(s.finished, done)
	go func() {
		defer close(done)
		do(ctx)
	}()
}

// stop lets answers in flight finish, then the jobs, then what waits to be
// written; it returns within stopTime.
func (s *server) stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stopTime)
	defer cancel()
	answers, cancelAnswers := context.WithTimeout(ctx, s.patience)
	defer cancelAnswers()
	s.sending.stop()
	err := s.http.Stop(answers)
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("some responses did not finish in time")
		err = nil
	}
	if s.metrics != nil {
		err = errors.Join(err, s.metrics.Close())
	}
	ended, cancelJobs := context.WithTimeout(ctx, time.Second)
	defer cancelJobs()
	if stopped := s.jobs.Stop(ended); stopped != nil {
		err = errors.Join(err, fmt.Errorf("stop the jobs: %w", stopped))
	}
	s.background()
	return errors.Join(err, bounded(ctx, func() error {
		<-s.sending.stopped
		for _, done := range s.finished {
			<-done
		}
		return errors.Join(s.limits.close(), s.product.Close())
	}))
}

// bounded waits for something that cannot be interrupted, a write behind another
// process's lock for example, as long as the context lasts.
func bounded(ctx context.Context, do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return errors.New("stopped before everything was saved: the database was too slow")
	}
}
