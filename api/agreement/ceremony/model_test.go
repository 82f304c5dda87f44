package ceremony_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/ceremony"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/db"
	"portal/db/dbtest"
)

// model is what a ceremony must have come to.
type model struct {
	*fixture
	random  *rand.Rand
	version int
	signers [3]modelSigner
	signed  int
	over    bool
	log     []string // kind, name and note of each entry; the note of a document is left out
	rows    []string // what the certificate says of each
}

type modelSigner struct {
	first, last, email string
	viewed             int
	signed             bool
}

func (s *modelSigner) name() string { return strings.TrimSpace(s.first + " " + s.last) }

// happens adds an entry that must be in the log, and what the certificate says of it.
func (m *model) happens(kind string, i int, note, row string) {
	name := ""
	if i >= 0 {
		name = m.signers[i].name()
	}
	m.log, m.rows = append(m.log, strings.TrimSpace(kind+" "+name+" "+note)), append(m.rows, row)
}

func (m *model) mailed(i int, kind, topic, words, row string) {
	to := m.signers[i].email
	m.happens(kind, i, topic+"\n"+to+"\n"+words, map[string]string{
		"link": "Email with the link to ", "code": "Email with a code to ",
	}[topic]+to+": "+row)
}

// steps are what can happen to a signer, each with how it is played and what must come of it.
var steps = map[string]func(m *model, i int){
	"resend": func(m *model, i int) {
		err := m.SendLink(m.Context(), m.by, m.fixture.lease.ID, m.fixture.lease.Signers[i].ID)
		if m.signers[i].signed {
			m.refused(err, fault.InvalidTransition)
			return
		}
		m.ok(err)
		m.mailed(i, "mail_queued", "link", "", "queued")
	},
	"reject": func(m *model, i int) {
		m.ok(m.MailFollowed(m.Context(), m.by.Portfolio, m.fixture.lease.Signers[i].ID, mail.Followed{
			Topic: "link", To: m.signers[i].email, Status: mail.Failed, Words: "550 no such user",
		}))
		m.mailed(i, "mail_failed", "link", "550 no such user", "failed (550 no such user)")
	},
	"accept": func(m *model, i int) {
		m.ok(m.MailFollowed(m.Context(), m.by.Portfolio, m.fixture.lease.Signers[i].ID, mail.Followed{
			Topic: "link", To: m.signers[i].email, Status: mail.Sent, Words: "250 ok",
		}))
		m.mailed(i, "mail_sent", "link", "250 ok", "accepted by the mail server (250 ok)")
	},
	"rename": func(m *model, i int) {
		first := "Name" + fmt.Sprint(m.random.IntN(1000))
		if m.updates(i, lease.TenantUpdate{FirstName: change.To(first)}) {
			m.signers[i].first = first
			m.remade()
		}
	},
	"address": func(m *model, i int) {
		from, to := m.signers[i].email, fmt.Sprintf("tenant%d@example.com", m.random.IntN(1_000_000))
		if m.updates(i, lease.TenantUpdate{Email: change.To(&to)}) {
			m.remade()
			m.happens("address_changed", i, from+"\n"+to+"\nthe landlord in the dashboard",
				"Address changed from "+from+" to "+to+" by the landlord in the dashboard; earlier links ended")
			m.signers[i].email = to
			m.mailed(i, "mail_queued", "link", "", "queued")
		}
	},
	"hand out": func(m *model, i int) {
		key := m.by
		key.KeyID = "key_01KA5R2M7Q8D4E6F9G1H3J5K7M"
		_, err := m.agreements.GiveLink(m.Context(), key, m.fixture.lease.ID, m.fixture.lease.Signers[i].ID)
		if m.signers[i].signed {
			m.refused(err, fault.InvalidTransition)
			return
		}
		m.ok(err)
		m.happens("link_given", i, "the landlord’s key "+key.KeyID, "Link handed out by the landlord’s key "+key.KeyID)
	},
	"sign": func(m *model, i int) {
		if m.signers[i].signed {
			return
		}
		m.ok(m.Review(m.Context(), m.token(i), from))
		if m.signers[i].viewed != m.version {
			m.happens("viewed", i, "", "Looked at the lease")
		}
		m.ok(m.SendCode(m.Context(), m.token(i), from))
		m.happens("consented", i, "", "Agreed to electronic records")
		m.mailed(i, "mail_queued", "code", "", "queued")
		code := sixDigits.FindString(m.mails[len(m.mails)-1].Text)
		m.ok(m.Sign(m.Context(), m.token(i), ceremony.Signature{
			Version: m.version, Code: code, Name: m.signers[i].name(),
		}, from))
		m.happens("code_given", i, m.signers[i].email, "Entered the code of the email to "+m.signers[i].email)
		m.signs(i)
	},
	"sign here": func(m *model, i int) {
		if m.signers[i].signed {
			return
		}
		m.ok(m.SignHere(m.Context(), m.by, m.fixture.lease.ID, m.fixture.lease.Signers[i].ID, "dana@example.com",
			ceremony.Signature{Version: m.version, Name: m.signers[i].name()}, from))
		m.happens("handed_over", i, "dana@example.com",
			"Was handed the device of dana@example.com, who confirmed their sign-in")
		m.happens("viewed", i, "", "Looked at the lease")
		m.happens("consented", i, "", "Agreed to electronic records")
		m.signs(i)
	},
	"decline": func(m *model, i int) {
		if m.signers[i].signed || m.random.IntN(8) > 0 {
			return
		}
		m.ok(m.Decline(m.Context(), m.token(i), "The rent is too high.", from))
		m.happens("declined", i, "The rent is too high.", "")
		m.over = true
	},
}

// updates changes a tenant, unless somebody has signed, and reports whether it did.
func (m *model) updates(i int, u lease.TenantUpdate) bool {
	_, err := m.rules.Tenants.UpdateTenant(m.Context(), m.by,
		change.Target{ID: *m.fixture.lease.Signers[i].TenantID}, u)
	if m.signed > 0 {
		m.refused(err, fault.SignatureInProgress)
		return false
	}
	m.ok(err)
	return true
}

func (m *model) refused(err error, want fault.Code) {
	m.Helper()
	if !fault.Is(err, want) {
		m.Errorf("%v, want %s", err, want)
	}
}

func (m *model) remade() {
	m.version++
	m.happens("generated", -1, "", "The document was made")
}

func (m *model) signs(i int) {
	m.happens("signed", i, m.signers[i].name(), "Signed")
	m.signers[i].signed = true
	m.signed++
	if m.signed == len(m.signers) {
		m.happens("executed", -1, "", "")
		m.over = true
	}
}

// Whatever happens on the way to a signature, the log has exactly that, and so has the certificate.
func TestLogAndCertificateAreWhatHappenedInRandomCeremonies(t *testing.T) {
	ceremonies := 8
	if os.Getenv("PORTAL_PROVE") != "" {
		ceremonies = 500
	}
	seed := rand.Uint64()
	dbtest.Each(t, func(t *testing.T, open func(testing.TB) *db.DB) {
		for n := range ceremonies {
			t.Run(fmt.Sprintf("ceremony %d of seed %d", n, seed), func(t *testing.T) {
				playCeremony(newFixture(t, open(t)), rand.New(rand.NewPCG(seed, uint64(n))))
			})
		}
	})
}

func playCeremony(f *fixture, random *rand.Rand) {
	m := &model{fixture: f, random: random, version: 1, signers: [3]modelSigner{
		{first: "Sam", last: "Rivera", email: "sam@example.com"},
		{first: "Nguyễn", last: "Thảo", email: "nguyễn@example.com"},
		{first: "Dana", last: "Whitfield", email: "dana@example.com"},
	}}
	m.happens("generated", -1, "", "The document was made")
	for i := range m.signers {
		m.mailed(i, "mail_queued", "link", "", "queued")
	}
	names := []string{"resend", "reject", "accept", "rename", "address", "hand out", "sign", "sign here", "decline"}
	for played := 0; !m.over; played++ {
		name := names[random.IntN(len(names))]
		if played > 25 {
			name = "sign"
		}
		tenants := len(m.signers)
		if slices.Contains([]string{"rename", "address", "sign here"}, name) {
			tenants--
		}
		steps[name](m, random.IntN(tenants))
		f.now = f.now.Add(21 * time.Minute)
	}
	got := dbtest.Texts(f, f.db, `SELECT trim(kind || ' ' || name || ' ' ||
		CASE WHEN kind IN ('generated', 'executed') THEN '' ELSE note END) FROM document_evidence ORDER BY number`)
	for i := range got {
		got[i] = strings.TrimSpace(got[i])
	}
	if !slices.Equal(got, m.log) {
		f.Fatalf("the log is\n%s\nand must be\n%s", strings.Join(got, "\n"), strings.Join(m.log, "\n"))
	}
	if f.reread().Status == portfolio.LeaseSigned {
		text := strings.ReplaceAll(f.executed(), " ", "")
		for _, row := range m.rows {
			_, behind, found := strings.Cut(text, strings.ReplaceAll(row, " ", ""))
			if !found {
				f.Fatalf("the certificate does not say %q, in its place", row)
			}
			text = behind
		}
	}
}
