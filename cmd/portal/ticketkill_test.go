package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"portal/db/dbtest"
)

// ticketKill is one kind of ticket that a tenant submits, of which processes die.
type ticketKill struct {
	name   string
	key    string // of the statement from which on steps are counted, before the id of the link
	photos int    // that come with the form
	kept   int    // that were kept by an earlier try, which was refused
}

var ticketKills = []ticketKill{
	{name: "two photos", key: "photos ", photos: 2},
	{name: "a kept photo", key: "tickets ", photos: 1, kept: 1},
}

// TestKillLeavesTicketWithPhotosAndEventOrNone kills the process at the steps (crash.At) of the
// transaction in which a tenant submits a ticket: those at its edges and one between, or all of them for
// `make prove`. The same form, sent again, makes one ticket in the end.
func TestKillLeavesTicketWithPhotosAndEventOrNone(t *testing.T) {
	onEachDemo(t, func(t *testing.T, o *preparedDemo) {
		for _, k := range ticketKills {
			t.Run(k.name, func(t *testing.T) {
				t.Parallel()
				c := &ticketChain{ticketKill: k, home: o.copy(t)}
				c.product = c.home.product(t)
				c.run(t)
			})
		}
	})
}

// ticketChain are kills over the same data. Each process finds what the last kill has left.
type ticketChain struct {
	ticketKill
	home
	product *product
	link    string // its id
	path    string // of the tickets of the tenant
	steps   int    // of the transaction
	before  string // what there is of a ticket before it is sent
	after   string // and after it
	sent    int    // forms
	done    int    // kills that came after the effect
	killed  int
}

// ticketForm is a form with a ticket that a tenant sends.
type ticketForm struct {
	values  url.Values
	photos  int
	earlier map[string]int // what there was before
}

func (c *ticketChain) run(t *testing.T) {
	c.prepares(t)
	c.undisturbed(t)
	chosen := c.chosen()
	t.Logf("%d steps, killed at %v", c.steps, chosen)
	var due *ticketForm // the last process died of it
	for _, n := range chosen {
		if due = c.kill(t, n, due); t.Failed() {
			return
		}
	}
	if due != nil {
		c.recover(t, c.serve(t), due)
	}
	t.Logf("%d kills, %d of them after the effect", c.killed, c.done)
	if c.done == 0 || c.done == c.killed {
		t.Error("not both sides of the COMMIT were met")
	}
}

// prepares makes the link of a tenant who lives in a home of the demo. The demo has an endpoint.
func (c *ticketChain) prepares(t *testing.T) {
	t.Helper()
	tenant := c.value(t, `SELECT min(s.tenant_id)
		FROM lease_signers s
		JOIN leases l ON l.portfolio_id = s.portfolio_id AND l.id = s.lease_id
		JOIN portfolios p ON p.id = s.portfolio_id
		WHERE p.mode = 'test' AND l.status = 'active' AND s.role = 'primary'`)
	u, err := url.Parse(c.do(t, "tenant", "link", tenant))
	dbtest.OK(t, err)
	c.path = u.Path + "/tickets"
	c.link = c.value(t, "SELECT id FROM tenant_links WHERE tenant_id = $1 AND ended_at IS NULL", tenant)
}

// chosen are the steps at which processes are killed.
func (c *ticketChain) chosen() (all []int) {
	for n := 1; n <= c.steps; n++ {
		all = append(all, n)
	}
	ends := commitSteps(c.home)
	if proving {
		return append(all, ends...)
	}
	if c.kept > 0 { // differs before the end alone
		ends = ends[len(ends)-1:]
	}
	return append([]int{1 + rand.IntN(c.steps-3)}, ends...)
}

// armed is a process that dies at a step of the next ticket, after it has recovered what the last one died of.
func (c *ticketChain) armed(t *testing.T, n int, due *ticketForm) (*service, *ticketForm) {
	t.Helper()
	dbtest.Exec(t, c.product.DB, "DELETE FROM sent_mails WHERE subject LIKE '%'||$1", c.link) // what a day takes
	s := c.with("PORTAL_CRASH_KEY="+c.key+c.link, "PORTAL_CRASH_STEP="+strconv.Itoa(n))
	if due != nil {
		r := c.serve(t)
		c.recover(t, r, due)
		r.kill()
	}
	return c.fills(t, s.serve(t))
}

var keptPhoto = regexp.MustCompile(`name="kept" value="(pho_\w+)"`)

// fills fills in a form, with photos that an earlier try has left.
func (c *ticketChain) fills(t *testing.T, s *service) (*service, *ticketForm) {
	t.Helper()
	c.sent++
	f := &ticketForm{
		photos:  c.photos,
		values:  url.Values{"form": {fmt.Sprint(c.name, " ", c.sent)}},
		earlier: map[string]int{},
	}
	for what, query := range countedOfTickets {
		f.earlier[what] = c.count(t, query)
	}
	if c.kept > 0 {
		status, body, _, err := c.posts(t, s, &ticketForm{values: f.values, photos: c.kept})
		kept := keptPhoto.FindStringSubmatch(body)
		if err != nil || status != http.StatusBadRequest || kept == nil {
			t.Fatalf("an empty report: %d, %v: %s", status, err, body)
		}
		f.values["kept"] = kept[1:]
	}
	f.values.Set("description", fmt.Sprintf("The tap drips, number %d.", c.sent))
	f.values.Set("entry_permission", "granted")
	return s, f
}

// posts sends a form, or tells that the process has ended meanwhile.
func (c *ticketChain) posts(t *testing.T, s *service, f *ticketForm) (status int, body, to string, err error) {
	t.Helper()
	var sent, picture bytes.Buffer
	dbtest.OK(t, jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 32, 32)), nil))
	m := multipart.NewWriter(&sent)
	for name := range f.values {
		dbtest.OK(t, m.WriteField(name, f.values.Get(name)))
	}
	for range f.photos {
		part, err := m.CreateFormFile("photos", "photo.jpg")
		dbtest.OK(t, err)
		_, err = part.Write(picture.Bytes())
		dbtest.OK(t, err)
	}
	dbtest.OK(t, m.Close())
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, s.vars["PORTAL_URL"]+c.path, &sent)
	dbtest.OK(t, err)
	r.Header.Set("Content-Type", m.FormDataContentType())
	response, err := stays.Do(r)
	if err != nil {
		return 0, "", "", err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return response.StatusCode, string(content), response.Header.Get("Location"), err
}

// countedOfTickets are things that only the tickets of these tests leave.
var countedOfTickets = map[string]string{
	"tickets":    "SELECT count(*) FROM tickets",
	"photos":     "SELECT count(*) FROM ticket_photos WHERE ticket_id IS NOT NULL",
	"waiting":    "SELECT count(*) FROM ticket_photos WHERE ticket_id IS NULL",
	"activities": "SELECT count(*) FROM ticket_activities",
	"notices":    "SELECT count(*) FROM ticket_notices",
	"events":     "SELECT count(*) FROM events WHERE type = 'maintenance.created'",
	"deliveries": "SELECT count(*) FROM deliveries WHERE event_type = 'maintenance.created'",
	"mails":      "SELECT count(*) FROM mails WHERE about LIKE 'tkt_%'",
	"forms":      "SELECT count(*) FROM sent_forms",
}

func (c *ticketChain) count(t *testing.T, query string) (n int) {
	t.Helper()
	dbtest.Row(t, c.product.DB, query, nil, &n)
	return n
}

// state is all that a form has left, with the photos that its ticket says it has.
func (c *ticketChain) state(t *testing.T, f *ticketForm) string {
	t.Helper()
	left := map[string]int{}
	for what, query := range countedOfTickets {
		left[what] = c.count(t, query) - f.earlier[what]
	}
	said := dbtest.Texts(t, c.product.DB, "SELECT photos FROM tickets WHERE description = $1",
		f.values.Get("description"))
	return fmt.Sprint(left, " and the ticket says ", strings.Count(strings.Join(said, " "), `"pho_`))
}

// undisturbed learns what a ticket leaves, and how many steps its transaction has.
func (c *ticketChain) undisturbed(t *testing.T) {
	s, f := c.armed(t, everyStep, nil)
	c.before = c.state(t, f)
	c.must(t, s, f)
	c.after = c.state(t, f)
	eventually(t, "it says how many steps there were", func() bool {
		said := counts.FindStringSubmatch(s.err.String())
		if said != nil {
			c.steps, _ = strconv.Atoi(said[1])
		}
		return said != nil
	})
	want := map[string]int{
		"tickets": 1, "photos": c.photos + c.kept, "waiting": 0, "activities": 0, "notices": 1,
		"events": 1, "deliveries": 1, "mails": 1, "forms": 1,
	}
	if got := fmt.Sprint(want, " and the ticket says ", c.photos+c.kept); c.after != got || c.steps < 4 {
		t.Fatalf("%d steps leave %s, want %s", c.steps, c.after, got)
	}
	s.kill()
}

// must sends a form that is taken, and is where it leads.
func (c *ticketChain) must(t *testing.T, s *service, f *ticketForm) (to string) {
	t.Helper()
	status, body, to, err := c.posts(t, s, f)
	if err != nil || status != http.StatusSeeOther {
		t.Fatalf("%d, %v: %s\n%s", status, err, body, &s.err)
	}
	return to
}

// kill has a process die at a step.
func (c *ticketChain) kill(t *testing.T, n int, due *ticketForm) *ticketForm {
	t.Helper()
	s, f := c.armed(t, n, due)
	if state := c.state(t, f); state != c.before {
		t.Errorf("before step %d there is %s, want %s", n, state, c.before)
	}
	if status, body, _, err := c.posts(t, s, f); err == nil {
		t.Fatalf("it has less than %d steps: %d %s", n, status, body)
	}
	s.killedItself(t)
	c.killed++
	return f
}

// recover looks at what a kill has left, and sends the same form twice.
func (c *ticketChain) recover(t *testing.T, s *service, f *ticketForm) {
	t.Helper()
	switch state := c.state(t, f); state {
	case c.before:
	case c.after:
		c.done++
	default:
		t.Errorf("the kill left %s\nwant %s\nor %s", state, c.before, c.after)
	}
	to := c.must(t, s, f)
	if again := c.must(t, s, f); again != to {
		t.Errorf("it leads to %s, and then to %s", to, again)
	}
	if state := c.state(t, f); state != c.after {
		t.Errorf("sent again it leaves %s, want %s", state, c.after)
	}
}
