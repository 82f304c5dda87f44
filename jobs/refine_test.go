package jobs

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/portfolio/property"
	"portal/api/portfolio/records"
	"portal/api/portfolio/ticket"
	"portal/api/portfolio/upload"
	"portal/api/triage"
	"portal/api/webhook"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/webhookstore"
)

// secondOpinion is a portfolio with one home, whose tickets a language model looks at
// again.
type secondOpinion struct {
	*testing.T
	service *records.Service
	by      access.Actor
	home    string
	answer  atomic.Value // of the model
	asked   atomic.Int32
	log     lines
}

func askTwice(t *testing.T, d *db.DB) *secondOpinion {
	s := &secondOpinion{T: t}
	s.answer.Store("")
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s.asked.Add(1)
		_, _ = io.WriteString(w, s.answer.Load().(string))
	}))
	t.Cleanup(model.Close)
	queue, err := NewQueue(d)
	if err != nil {
		t.Fatal(err)
	}
	s.service = records.New(portfoliostore.New(d), time.Now).Use(portfolio.Parts{Refine: queue.Refine})
	home := dbtest.NewHome(t, d, "dana")
	s.by = access.Actor{
		Portfolio: home.Test,
		AccountID: home.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write},
		Role:      access.Owner,
		Zone:      home.Zone,
	}
	p, err := s.service.Properties.CreateProperty(t.Context(), s.by, property.Create{
		StreetAddress: "1 Main Street",
		City:          "Austin",
		State:         "TX",
		PropertyType:  "condo",
	})
	if err != nil {
		t.Fatal(err)
	}
	s.home = p.After.ID
	j, err := newJobs(d, configure(d, Services{
		Portfolio: s.service,
		Mail:      mail.New(mail.Config{}),
		Webhook:   webhook.New(webhookstore.New(d), nil, time.Now, false),
		Uploads:   &upload.Service{Store: portfoliostore.New(d)},
		LLM:       &triage.LLM{URL: model.URL, Model: "small"},
	}, time.Now, slog.New(slog.NewTextHandler(&s.log, nil))))
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(t, j, 5*time.Second); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *secondOpinion) open(text string) *portfolio.Ticket {
	s.Helper()
	m, err := s.service.Tickets.CreateTicket(s.Context(), s.by, portfolio.FromAPI, ticket.Create{
		PropertyID:      &s.home,
		Description:     text,
		EntryPermission: "unknown",
	})
	if err != nil {
		s.Fatal(err)
	}
	return m.After
}

// becomes waits until a ticket is as it should be.
func (s *secondOpinion) becomes(ticket string, want func(*portfolio.Ticket) bool) {
	s.Helper()
	var t *portfolio.Ticket
	//nolint:forbidigo // between two looks
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var err error
		if t, err = s.service.Tickets.Ticket(s.Context(), s.by, ticket); err != nil {
			s.Fatal(err)
		}
		if want(t) {
			return
		}
	}
	s.Fatalf("the ticket stayed %+v, triaged %+v\n%s", t, t.Triage, s.log.String())
}

func opinion(category, priority string) string {
	return `{"choices":[{"message":{"content":"{\"category\":\"` + category + `\",\"priority\":\"` +
		priority + `\"}"}}]}`
}

func TestLanguageModelRefinesTicketButNeverLowersDanger(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		s := askTwice(t, d)

		s.answer.Store(opinion("appliance", "high"))
		s.becomes(s.open("The thing in the kitchen makes a noise.").ID, func(t *portfolio.Ticket) bool {
			return t.Triage.Source == "llm" && t.Triage.ModelVersion == "small" &&
				t.Category == "appliance" && t.Priority == "high" && t.Version == 2
		})

		s.answer.Store(opinion("general", "low"))
		danger := s.open("There is a strong smell of gas in the kitchen and I feel dizzy.")
		if danger.Priority != "emergency" {
			t.Fatalf("gas is %+v", danger.Triage)
		}
		s.becomes(danger.ID, func(t *portfolio.Ticket) bool {
			return t.Triage.Source == "llm" && t.Category == "life_safety" &&
				t.Triage.Category == "life_safety" && t.Priority == "emergency" &&
				t.Triage.Priority == "emergency" && len(t.Triage.SafetyFlags) > 0
		})

		s.answer.Store(`{"choices":[{"message":{"content":"{\"category\":\"ignore\",\"priority\":\"low\"}"}}]}`)
		asked, before := s.asked.Load(), s.open("The tap drips.")
		s.becomes(before.ID, func(t *portfolio.Ticket) bool { return s.asked.Load() > asked })
		s.becomes(before.ID, func(t *portfolio.Ticket) bool { return t.Triage.Source == "built_in" && t.Version == 1 })
	})
}

// namesAnother reports whether a reason names another priority than the one that was decided.
func namesAnother(of *portfolio.Triage) bool {
	return slices.ContainsFunc(of.Reasons, func(r portfolio.TriageReason) bool {
		kind, _, _ := strings.Cut(r.Rule, ".")
		return slices.Contains(triage.Priorities, kind) && kind != string(of.Priority)
	})
}

func TestSecondOpinionKeepsManualValues(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		s := askTwice(t, d)
		s.answer.Store(`nothing of use`)
		made := s.open("The tap drips.")
		at, o := made.Triage.TriagedAt, triage.Opinion{Category: "appliance", Priority: "high"}
		_, err := s.service.Tickets.UpdateTicket(
			t.Context(),
			s.by,
			change.Target{ID: made.ID},
			ticket.Update{Priority: change.To(portfolio.PriorityLow)},
		)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.service.Tickets.RefineTicket(t.Context(), s.by.Portfolio, made.ID, at, o, "small"); err != nil {
			t.Fatal(err)
		}
		s.becomes(made.ID, func(t *portfolio.Ticket) bool {
			return t.Priority == "low" && t.Category == "appliance" && t.Triage.Priority == "high" &&
				!namesAnother(t.Triage)
		})

		// What was asked for stays, be it what triage had said too.
		made = s.open("The tap drips.")
		_, err = s.service.Tickets.UpdateTicket(
			t.Context(),
			s.by,
			change.Target{ID: made.ID},
			ticket.Update{
				Priority: change.To(made.Priority),
				Category: change.To(made.Category),
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.service.Tickets.RefineTicket(
			t.Context(),
			s.by.Portfolio,
			made.ID,
			made.Triage.TriagedAt,
			triage.Opinion{
				Category: "appliance",
				Priority: "emergency",
			},
			"small",
		); err != nil {
			t.Fatal(err)
		}
		s.becomes(made.ID, func(t *portfolio.Ticket) bool {
			return t.Priority == made.Priority && t.Category == made.Category &&
				t.Triage.Priority == "emergency" && t.Version == 2
		})

		// A text that has changed since was triaged anew: the opinion is of an older one.
		late := s.open("The tap drips.")
		at = late.Triage.TriagedAt
		changed, err := s.service.Tickets.UpdateTicket(
			t.Context(),
			s.by,
			change.Target{ID: late.ID},
			ticket.Update{
				Description: change.To("The hall light flickers."),
				Status:      change.To(portfolio.TicketCompleted),
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.service.Tickets.RefineTicket(t.Context(), s.by.Portfolio, late.ID, at, o, "small"); err != nil {
			t.Fatal(err)
		}
		s.becomes(late.ID, func(t *portfolio.Ticket) bool {
			return t.Version == changed.After.Version && t.Triage.Source == "built_in"
		})
		if err := s.service.Tickets.RefineTicket(
			t.Context(),
			s.by.Portfolio,
			id.New(id.Ticket, noon),
			at,
			o,
			"small",
		); err == nil {
			t.Error("a ticket that is none was refined")
		}
	})
}
