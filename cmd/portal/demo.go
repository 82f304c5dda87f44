package main

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/portfolio/rentroll"
	"portal/cmd/portal/cli"
)

// The people of the demo.
const (
	demoLandlord = "landlord@example.com"
	demoStaff    = "staff@example.com"
)

// demoRoll is the rent roll of the small live portfolio. Its days are written as
// {-120}, counted from the day the demo is made.
//
//go:embed demo.csv
var demoRoll string

// demoSecrets are kept in the data folder, so that a second start prints them again.
type demoSecrets struct {
	Password string `json:"password"`
	TestKey  string `json:"test_key"`
	LiveKey  string `json:"live_key"`
}

// demo makes the demo once and returns its secrets. They are written before the
// transaction that makes the demo commits; a crash in between leaves secrets that
// open nothing, and the next start makes new ones.
func (p *product) demo(ctx context.Context) (s demoSecrets, err error) {
	path := p.config.file("demo.json")
	if text, err := os.ReadFile(path); err == nil && json.Unmarshal(text, &s) == nil {
		if _, err := p.Developer.Authenticate(ctx, "Bearer "+s.TestKey); !fault.Is(err, fault.UnknownAPIKey) {
			if fault.Is(err, fault.RevokedAPIKey) || fault.Is(err, fault.ExpiredAPIKey) {
				err = nil // it was revoked since: the secrets are still those of this database
			}
			return s, err
		}
	}
	if _, _, err := p.Developer.Account(ctx, demoLandlord); err == nil {
		return s, fmt.Errorf("the demo is already in the database, but %s doesn't open it. "+
			"Use its data folder, or an empty one", path)
	}
	err = p.DB.Atomically(ctx, func(ctx context.Context) error {
		if s, err = p.makeDemo(ctx); err != nil {
			return err
		}
		return writeSecrets(path, s)
	})
	return s, err
}

func (p *product) makeDemo(ctx context.Context) (demoSecrets, error) {
	s := demoSecrets{Password: rand.Text()}
	post := p.Developer.Post
	p.Developer.Post = nil // its keys are printed, and nobody reads the mail of its people
	defer func() { p.Developer.Post = post }()
	const name = "Harbor Lane Rentals"
	if _, err := p.Developer.AddUser(ctx, demoLandlord, name, s.Password, developer.Landlord); err != nil {
		return s, err
	}
	if _, err := p.Developer.AddUser(ctx, demoStaff, "", s.Password, developer.Staff); err != nil {
		return s, err
	}
	if err := p.Developer.SetPlan(ctx, demoLandlord, developer.Plan{Tier: developer.Pro}); err != nil {
		return s, err
	}
	if _, err := p.Developer.RequestAccess(ctx, demoLandlord, developer.AccessRequestCreate{
		AgreedToTerms: true,
		UseCase: "Keep our bookkeeping in step with the rent ledger, and let the office's assistant look up " +
			"leases and tickets.",
	}); err != nil {
		return s, err
	}
	if _, err := p.Developer.Reviews.Approve(ctx, demoLandlord, nil); err != nil {
		return s, err
	}
	in, account, err := p.Developer.Portfolio(ctx, demoLandlord, access.Live)
	if err != nil {
		return s, err
	}
	by, details := cli.Operator(in), agreement.DemoDetails()
	by.AccountID = account.ID
	if _, err := p.Agreements.UpdateDetails(ctx, by, change.Target{}, agreement.DetailsUpdate{
		Address: change.To(details.Address),
		Phone:   change.To(details.Phone),
		Signer:  change.To(details.Signer),
		Title:   change.To(details.Title),
	}); err != nil {
		return s, err
	}
	for mode, key := range map[access.Mode]*string{access.Test: &s.TestKey, access.Live: &s.LiveKey} {
		k, err := p.Developer.CreateKey(ctx, demoLandlord, developer.KeyCreate{
			Name:   "Demo (" + string(mode) + ")",
			Mode:   mode,
			Scopes: []string{"payments"},
		})
		if err != nil {
			return s, err
		}
		*key = *k.Plaintext
	}
	roll, _ := rentroll.Read(strings.NewReader(datedFrom(demoRoll, clock.DateOf(time.Now(), time.UTC))))
	_, problems, err := p.ImportRoll(ctx, account, roll) // as a landlord would
	if len(problems) > 0 {
		return s, fmt.Errorf("demo.csv: %s", problems[0])
	}
	if err != nil {
		return s, err
	}
	zone, err := clock.Zone(account.TimeZone)
	if err != nil {
		return s, err
	}
	return s, p.Portfolio.Calendar.RollOver(ctx, in, zone) // which charges the next rents
}

// datedFrom writes the days of a table that are counted from a day.
func datedFrom(table string, day clock.Date) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(table, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		var offset int
		count, after, _ := strings.Cut(rest, "}")
		_, _ = fmt.Sscan(count, &offset) // a table of our own, read by a test
		b.WriteString((day + clock.Date(offset)).String())
		table = after
	}
}

// writeSecrets replaces the file of secrets as a whole, readable by its owner only.
func writeSecrets(path string, s demoSecrets) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	text, err := json.MarshalIndent(s, "", "  ") //nolint:gosec // its purpose: a file of mode 0600
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".demo-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// printDemo prints what a newcomer needs, one NAME=value a line, or as an object.
func printDemo(a *cli.Call, c *config, s demoSecrets) error {
	vars := [][2]string{
		{"PORTAL_URL", c.baseURL},
		{"PORTAL_DEMO_LANDLORD", demoLandlord},
		{"PORTAL_DEMO_STAFF", demoStaff},
		{"PORTAL_DEMO_PASSWORD", s.Password},
		{"PORTAL_TEST_KEY", s.TestKey},
		{"PORTAL_LIVE_KEY", s.LiveKey},
	}
	lines, object := make([]string, len(vars)), map[string]string{}
	for i, v := range vars {
		lines[i], object[v[0]] = v[0]+"="+v[1], v[1]
	}
	return a.Print(object, "%s", strings.Join(lines, "\n"))
}
