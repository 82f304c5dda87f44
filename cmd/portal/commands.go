package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"portal/api/event"
	"portal/api/middleware"
	"portal/api/rest"
	"portal/cmd/portal/cli"
)

// commands are the sub-commands in the order of the help: the name, what stands behind it, what it is for.
var commands = []cli.Command{
	command("serve", "[--demo]", "Run the service", serveCommand),
	command("migrate", "", "Create the database, or update it for this version", migrateCommand),
	command("health", "",
		"Check whether the server on this machine is ready, for container health checks", healthCommand),
	command("user add", "EMAIL --role landlord|staff --password-stdin",
		"Add a user; a landlord gets an account with a live and a demo portfolio", cli.UserAdd),
	command("member add", "OWNER_EMAIL EMAIL --role owner|manager [--keep-keys]",
		"Add a member to an owner's account, or change their role", cli.MemberAdd),
	command("access request", "EMAIL --use-case TEXT",
		"Apply for API access for a landlord's account", cli.AccessRequest),
	command("access list", "", "List requests for API access", cli.AccessList),
	command("access approve", "EMAIL", "Approve a landlord's API access, with or without a request", cli.AccessApprove),
	command("access deny", "EMAIL", "Deny a landlord's pending request", cli.AccessDeny),
	command("access revoke", "EMAIL",
		"Revoke a landlord's API access and all their keys, permanently", cli.AccessRevoke),
	command("plan set", "EMAIL starter|pro|prime [--sustained N --burst N --units N]",
		"Set an account's plan, with your own limits if you agreed on any", cli.PlanSet),
	command("key create", "EMAIL --name N --mode test|live --scopes a,b [--expires TIME]",
		"Create an API key and print it once", cli.KeyCreate),
	command("key list", "EMAIL", "List an account's API keys", cli.KeyList),
	command("key revoke", "ID", "Revoke an API key, from the next request", cli.KeyRevoke),
	command("webhook update", "ENDPOINT_ID [--url URL] [--events a,b] [--description TEXT] [--status S]",
		"Update an endpoint; its signing secret stays the same", cli.WebhookUpdate),
	command("webhook test", "ENDPOINT_ID", "Send a test event to a webhook endpoint", cli.WebhookTest),
	command("webhook events", "EMAIL [--mode test|live] [--type T] [--since TIME] [--before ID]",
		"List the events of a landlord's portfolio, newest first", cli.WebhookEvents),
	command("webhook event", "EVENT_ID", "Show an event as it was sent, as JSON", cli.WebhookEvent),
	command("webhook deliveries", "ENDPOINT_ID [--status S] [--type T] [--event ID] [--since TIME] [--before ID]",
		"List an endpoint's deliveries, newest first", cli.WebhookDeliveries),
	command("webhook delivery", "DELIVERY_ID", "Show a delivery with its attempts, as JSON", cli.WebhookDelivery),
	command("webhook redeliver", "DELIVERY_ID", "Send a delivery again, whatever its status", cli.WebhookRedeliver),
	command("webhook enable", "ENDPOINT_ID",
		"Enable an endpoint again and count the events it missed", cli.WebhookEnable),
	command("webhook resend", "ENDPOINT_ID --since TIME [--until TIME] [--count]",
		"Send an endpoint the events it missed in a period", cli.WebhookResend),
	command("webhook verify", "--secret S --header 'NAME: VALUE' [--tolerance 300] [--at TIME] < BODY",
		"Check the signature of a delivery, with its raw body on standard input", cli.WebhookVerify),
	command("mail list", "[--all] [--before ID]",
		"List emails that were stored instead of sent, newest first", cli.MailList),
	command("mail show", "ID", "Show an email as text", cli.MailShow),
	command("secret rotate", "",
		"Re-encrypt all stored secrets with the first key of PORTAL_SECRET_KEY", cli.SecretRotate),
	command("backup", "FILE [--with-key]",
		"Back up the SQLite database to a new file; works while the server runs", backupCommand),
	command("restore", "FILE", "Restore a backup into an empty data folder", restoreCommand),
	command("activity", "EMAIL [--mode test|live] [--limit N]",
		"List tool calls of assistants in a landlord's portfolio, newest first", cli.Activity),
	command("import", "EMAIL FILE [--check] [--accept] [--mapping FILE]",
		"Import a rent roll, CSV or .xlsx, into a landlord's live portfolio, all rows or none", cli.Import),
	command("agreement verify", "FILE.pdf",
		"Check whether a PDF is the lease that all parties signed; - reads standard input", cli.AgreementVerify),
	command("tenant link", "TENANT_ID [--renew] [--send|--revoke]",
		"Create a link to a tenant's page; earlier links keep working unless you add --renew", cli.TenantLink),
	command("trigger", "[EMAIL] "+strings.Join(event.Types(), "|")+" [--count N] [--key K] [--url URL]",
		"Trigger a real event in the demo portfolio of a landlord, or of a test key", cli.Trigger),
	command("listen", "--key K --forward URL [--events a,b] [--header 'NAME: VALUE'] [--replay EVENT_ID] [--url URL]",
		"Forward test events to your own address, until you stop it", cli.Listen),
	command("openapi", "", "Print the OpenAPI 3.1 document", openapiCommand),
	command("version", "", "Print the version", versionCommand),
}

func command(name, args, short string, bind func(*cli.Flags) cli.Action) cli.Command {
	return cli.Command{
		Name:  name,
		Args:  args,
		Short: short,
		Bind:  bind,
	}
}

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
