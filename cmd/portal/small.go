package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"time"

	"portal/api/middleware"
	"portal/api/rest"
	"portal/cmd/portal/cli"
)

func migrateCommand(*cli.Flags) cli.Action {
	return cli.Creating(func(_ context.Context, c *cli.Call) error {
		return c.Print(map[string]any{"migrated": true}, "The database is up to date.")
	})
}

func openapiCommand(*cli.Flags) cli.Action {
	return func(_ context.Context, a *cli.Call) error {
		c, err := configure(a.Getenv)
		if err != nil {
			return err
		}
		_, err = a.Out.Write(rest.New(rest.Config{
			Middleware: middleware.New(middleware.Config{BaseURL: c.baseURL, Now: time.Now}),
		}).Document())
		return err
	}
}

// version is set by the linker of a release.
var version = ""

func versionCommand(*cli.Flags) cli.Action {
	return func(_ context.Context, c *cli.Call) error {
		v, golang := release()
		return c.Print(map[string]any{"version": v, "api_version": rest.Version, "go": golang},
			"portal %s, API %s, %s", v, rest.Version, golang)
	}
}

// release is the version of the binary and of Go.
func release() (v, golang string) {
	v = version
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v, ""
	}
	if v == "" {
		v = info.Main.Version
	}
	return v, info.GoVersion
}

func healthCommand(*cli.Flags) cli.Action {
	return func(ctx context.Context, a *cli.Call) error {
		c, err := configure(a.Getenv)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, defaultBase(c.addr)+"/readyz", nil)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close() //nolint:errcheck // only read
		if response.StatusCode != http.StatusOK {
			body, _ := io.ReadAll(io.LimitReader(response.Body, 4096)) // the status tells already
			return fmt.Errorf("not ready: %s", body)
		}
		return a.Print(map[string]any{"ready": true}, "ready")
	}
}
