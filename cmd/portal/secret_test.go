package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/clock"
	"portal/api/portfolio/upload"
	"portal/api/secret"
	"portal/cmd/portal/cli"
	"portal/db/accountstore"
	"portal/db/portfoliostore"
)

// posted is an answer to a write.
type posted struct {
	status   int
	replayed bool
	body     string
}

// post writes over REST with the demo's test key and an Idempotency-Key.
func (s *servedInside) post(t *testing.T, path, idempotencyKey, body string) posted {
	t.Helper()
	request, err := http.NewRequestWithContext(
		t.Context(),
		http.MethodPost,
		s.vars["PORTAL_URL"]+"/api/v1/external"+path,
		strings.NewReader(body),
	)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.vars["PORTAL_TEST_KEY"])
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", idempotencyKey)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return posted{response.StatusCode, response.Header.Get("Idempotent-Replayed") == "true", string(text)}
}

const (
	endpointPath = "/webhooks/endpoints"
	endpointBody = `{"url":"https://hooks.example.com/portal"}`
)

// sealEverything has each kind of value sealed that there is.
func (s *servedInside) sealEverything(t *testing.T) (made posted) {
	t.Helper()
	made = s.post(t, endpointPath, "made", endpointBody)
	var endpoint struct{ ID string }
	if err := json.Unmarshal([]byte(made.body), &endpoint); err != nil || made.status != http.StatusCreated {
		t.Fatalf("%+v, %v", made, err)
	}
	if r := s.post(t, endpointPath+"/"+endpoint.ID+"/rotate_secret", "rotated", "{}"); r.status != http.StatusOK {
		t.Fatalf("%+v", r)
	}
	unit := s.value(
		t,
		"SELECT u.id FROM units u JOIN portfolios p ON p.id = u.portfolio_id WHERE p.mode = 'test' AND u.status = "+
			"'vacant' LIMIT 1",
	)
	if r := s.post(t, "/tenants/invite", "invited", fmt.Sprintf(`{"unit_id":%q,"email":"sam@example.com"}`,
		unit)); r.status != http.StatusCreated {
		t.Fatalf("%+v", r)
	}
	if r := s.post(t, "/leases/generate", "generated", fmt.Sprintf(
		`{"property_id":%q,"unit_id":%q,"tenant_id":%q,"start_date":"2030-01-01","monthly_rent":1500.00}`,
		s.value(t, "SELECT property_id FROM units WHERE id = $1", unit),
		unit,
		s.value(
			t,
			"SELECT t.id FROM tenants t JOIN portfolios p ON p.id = t.portfolio_id WHERE p.mode = 'test' LIMIT 1",
		),
	)); r.status != http.StatusCreated {
		t.Fatalf("%+v", r)
	}
	eventually(
		t,
		"the log keeps what was sent",
		func() bool { return s.value(t, "SELECT count(*) FROM request_exchanges") != "0" },
	)
	s.withProduct(t, func(p *product) {
		in, owner, err := p.Developer.Portfolio(t.Context(), demoLandlord, access.Test)
		if err != nil {
			t.Fatal(err)
		}
		by := cli.Operator(in)
		by.AccountID = owner.ID
		user := s.value(t, "SELECT id FROM users WHERE email = $1", demoLandlord)
		draft, err := p.uploads.Draft(
			t.Context(),
			by,
			user,
			"roll.csv",
			upload.Text("street_address,city,state,unit_number\n1 Elm Street,Austin,TX,A\n"),
		)
		if err == nil {
			err = p.uploads.Keep(t.Context(), by, draft)
		}
		if err == nil {
			_, err = p.uploads.Answer(t.Context(), by, draft.ID, map[string]*string{"column:4": new("unit_number")})
		}
		if err == nil {
			err = portfoliostore.New(p.DB).SaveMapping(
				t.Context(),
				owner.ID,
				"header",
				p.Box.Seal(upload.SealPurpose, "mapping"),
				clock.At(time.Now()),
				1,
			)
		}
		if err == nil {
			err = accountstore.New(p.DB).SetTOTP(
				t.Context(),
				user,
				p.Box.Seal(account.TOTPPurpose+" "+user, "seed"),
				new(clock.At(time.Now())),
				0,
			)
		}
		if err == nil {
			err = accountstore.New(p.DB).AddCeremony(t.Context(), &account.Ceremony{
				IDHash:    secret.Hash("id"),
				Purpose:   "passkey",
				Data:      p.Box.Seal(account.CeremonyPurpose+" passkey", "asked"),
				ExpiresAt: clock.At(time.Now().Add(time.Hour)),
			})
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, column := range p.DB.SealedColumns() {
			if values, err := p.DB.SealedValues(t.Context(), column, nil); err != nil || len(values) == 0 {
				t.Errorf("nothing is sealed in %s, so that this test does not show that it is rotated: %v", column, err)
			}
		}
	})
	return made
}

// opens expects every value to open with one key alone.
func (h home) opens(t *testing.T, key byte) {
	t.Helper()
	h.withProduct(t, func(p *product) {
		box, err := secret.NewBox([]byte(strings.Repeat(string(rune(key)), secret.KeySize)))
		if err != nil {
			t.Fatal(err)
		}
		for _, column := range p.DB.SealedColumns() {
			values, err := p.DB.SealedValues(t.Context(), column, nil)
			for _, v := range values {
				if _, failed := box.Open(v.Purpose, v.Bytes); failed != nil {
					t.Errorf("%s of %v: %v", column, v.Row, failed)
				}
			}
			if err != nil || len(values) == 0 {
				t.Errorf("%s: %d values, %v", column, len(values), err)
			}
		}
	})
}

func TestRotationOnRunningServerCoversAllSealedData(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		first := h.serveInside(t)
		made := first.sealEverything(t)
		if code := first.end(); code != cli.ExitDone {
			t.Fatalf("exit code %d: %s", code, &first.err)
		}
		h = h.keyed(2, 1)
		second := h.serveInside(t)
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() { // writes answers that are recorded, sealed
			defer close(stopped)
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				r := second.post(t, endpointPath+"/we_none/rotate_secret", "x", "{}")
				if r.status != http.StatusNotFound {
					t.Errorf("%+v", r)
				}
				second.post(
					t,
					"/maintenance/tickets",
					fmt.Sprint("ticket", n),
					`{"description":"Tap drips","property_id":"`+second.value(
						t,
						"SELECT min(t.id) FROM properties t JOIN portfolios p ON p.id = t.portfolio_id WHERE "+
							"p.mode = 'test'",
					)+`"}`,
				)
			}
		}()
		did := h.asJSON(t, "", "secret", "rotate").(map[string]any)
		close(stop)
		<-stopped
		if did["done"] != true || did["encrypted"].(float64) < 9 || did["unreadable"] != 0.0 {
			t.Errorf("%v", did)
		}
		if again := second.post(t, endpointPath, "made", endpointBody); !again.replayed || again.body != made.body {
			t.Errorf("replayed beside the rotation: %+v, was %+v", again, made)
		}
		if again := h.asJSON(t, "", "secret", "rotate").(map[string]any); again["encrypted"] != 0.0 ||
			again["done"] != true {
			t.Errorf("the second time: %v", again)
		}
		if code := second.end(); code != cli.ExitDone {
			t.Fatalf("exit code %d: %s", code, &second.err)
		}
		h.keyed(1).refuses(t, "access list", "PORTAL_SECRET_KEY doesn't decrypt")
		h = h.keyed(2)
		h.opens(t, 2)
		third := h.serveInside(t)
		if again := third.post(t, endpointPath, "made", endpointBody); !again.replayed || again.body != made.body {
			t.Errorf("replayed with the new key alone: %+v, was %+v", again, made)
		}
	})
}

func TestRotationReportsUndecryptableValues(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		h.asJSON(t, "correct horse battery staple\n", "user", "add", "dana@example.com", "--password-stdin")
		foreign, err := secret.NewBox([]byte(strings.Repeat("3", secret.KeySize)))
		if err != nil {
			t.Fatal(err)
		}
		h.withProduct(t, func(p *product) {
			user := h.value(t, "SELECT id FROM users")
			if err := accountstore.New(p.DB).SetTOTP(
				t.Context(),
				user,
				foreign.Seal(account.TOTPPurpose+" "+user, "seed"),
				new(clock.At(time.Now())),
				0,
			); err != nil {
				t.Fatal(err)
			}
		})
		code, out, errs := h.keyed(2, 1).inside(t, "", "secret", "rotate", "--json")
		if code != cli.ExitFailed || !strings.Contains(out, `"unreadable": 1`) ||
			!strings.Contains(
				out,
				`"done": false`,
			) || !strings.Contains(errs, "1 value can be decrypted with none of the keys") {
			t.Errorf("exit code %d, printed %q and %q", code, out, errs)
		}
	})
}
