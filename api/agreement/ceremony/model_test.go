package ceremony_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/ceremony"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/sampled"
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
	"sign on paper": func(m *model, i int) {
		scan := []byte("%PDF-1.7 " + fmt.Sprint(m.random.Uint64()) + " %%EOF")
		on := clock.DateOf(m.now, m.by.Zone)
		err := m.SignOnPaper(m.Context(), m.by, m.fixture.lease.ID, m.fixture.lease.Signers[i].ID, "dana@example.com",
			ceremony.Paper{Version: m.version, On: on, Scan: scan}, from)
		if m.signers[i].signed {
			m.refused(err, fault.InvalidTransition)
			return
		}
		m.ok(err)
		hash := fmt.Sprintf("%x", sha256.Sum256(scan))
		m.signsAs(i, "signed_on_paper", on.String()+"\n"+hash+"\ndana@example.com", "Signed on paper on "+
			on.Std().Format(
				"January 2, 2006",
			)+"; recorded by dana@example.com, who confirmed their sign-in; scan SHA-256 "+hash)
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

func (m *model) signs(i int) { m.signsAs(i, "signed", m.signers[i].name(), "Signed") }

func (m *model) signsAs(i int, kind, note, row string) {
	m.happens(kind, i, note, row)
	m.signers[i].signed = true
	m.signed++
	if m.signed == len(m.signers) {
		m.happens("executed", -1, "", "")
		m.over = true
	}
}

// asksToEnd has the landlord ask the tenants, who agree or not, to end the lease. The certificate is sealed by then.
func (m *model) asksToEnd() {
	on := clock.DateOf(m.now, m.by.Zone)
	m.ok(m.AskToEnd(m.Context(), m.by, m.fixture.lease.ID, on, "The house is sold."))
	m.log = append(m.log, "ending_asked  "+on.String()+"\n"+clock.Date(0).String()+
		"\nthe landlord in the dashboard\nThe house is sold.")
	for i := range 2 {
		m.log = append(m.log, "mail_queued "+m.signers[i].name()+" ending\n"+m.signers[i].email+"\n")
	}
	order := m.random.Perm(2)
	for n, i := range order {
		if m.random.IntN(3) == 0 {
			m.ok(m.WithdrawEnding(m.Context(), m.by, m.fixture.lease.ID))
			m.log = append(m.log, "ending_withdrawn  the landlord in the dashboard")
			return
		}
		token := m.asked(m.signers[i].email)
		m.ok(m.SendEndingCode(m.Context(), token, from))
		reply := ceremony.EndingReply{
			Agree: m.random.IntN(3) > 0, Name: m.signers[i].name(), Reason: "No.",
			Code: sixDigits.FindString(m.mails[len(m.mails)-1].Text),
		}
		m.ok(m.AnswerEnding(m.Context(), token, reply, from))
		m.log = append(m.log, "mail_queued "+m.signers[i].name()+" ending_code\n"+m.signers[i].email+"\n",
			"code_given "+m.signers[i].name()+" "+m.signers[i].email)
		if !reply.Agree {
			m.log = append(m.log, "ending_refused "+m.signers[i].name()+" No.")
			return
		}
		m.log = append(m.log, "ending_agreed "+m.signers[i].name()+" "+m.signers[i].name())
		if n == 1 {
			m.log = append(m.log, "ended  "+on.String()+"\n"+on.String()+
				"\nagreement of all tenants by email\nThe house is sold.")
		}
	}
}

// Whatever happens on the way to a signature, the log has exactly that, and so has the certificate.
func TestLogAndCertificateAreWhatHappenedInRandomCeremonies(t *testing.T) {
	ceremonies := 8
	if sampled.Whole {
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
	names := []string{
		"resend",
		"reject",
		"accept",
		"rename",
		"address",
		"hand out",
		"sign",
		"sign here",
		"sign on paper",
		"decline",
	}
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
	if f.reread().Status == portfolio.LeaseSigned {
		m.asksToEnd()
	}
	got := dbtest.Texts(f, f.db, `SELECT trim(kind || ' ' || name || ' ' ||
		CASE WHEN kind IN ('generated', 'executed') THEN '' ELSE note END) FROM document_evidence ORDER BY number`)
	for i := range got {
		got[i] = strings.TrimSpace(got[i])
	}
	for i := range m.log {
		m.log[i] = strings.TrimSpace(m.log[i])
	}
	if !slices.Equal(got, m.log) {
		f.Fatalf("the log is\n%s\nand must be\n%s", strings.Join(got, "\n"), strings.Join(m.log, "\n"))
	}
	if f.reread().SignedAt != nil {
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
