package account_test

import (
	"strings"
	"testing"
	"time"

	virtual "github.com/descope/virtualwebauthn"

	"portal/api/account"
	"portal/api/fault"
)

// party is the service as browsers know it.
var party = virtual.RelyingParty{ID: "portal.example.com", Name: "Portal", Origin: base}

// phone is an authenticator with one credential.
type phone struct {
	*fixture
	virtual.Authenticator
	key   virtual.Credential
	party virtual.RelyingParty
}

func (r *fixture) phone(v *account.Visitor) *phone {
	return &phone{
		r,
		virtual.NewAuthenticatorWithOptions(virtual.AuthenticatorOptions{UserHandle: []byte(v.UserID)}),
		credential(),
		party,
	}
}

// credential is one whose coordinates fill their 32 bytes: virtual leaves out the zeros
// that one in 128 begins with, and the library refuses that.
func credential() virtual.Credential {
	for {
		if c := virtual.NewCredential(virtual.KeyTypeEC2); len(c.Key.AttestationData()) == 77 {
			return c
		}
	}
}

// create answers what navigator.credentials.create is asked.
func (p *phone) create(options []byte) []byte {
	p.Helper()
	asked, err := virtual.ParseAttestationOptions(string(options))
	p.ok(err)
	return []byte(virtual.CreateAttestationResponse(p.party, p.Authenticator, p.key, *asked))
}

// get answers what navigator.credentials.get is asked, and counts.
func (p *phone) get(options []byte) []byte {
	p.Helper()
	asked, err := virtual.ParseAssertionOptions(string(options))
	p.ok(err)
	p.key.Counter++
	return []byte(virtual.CreateAssertionResponse(p.party, p.Authenticator, p.key, *asked))
}

// added adds the phone as a passkey of a visitor.
func (p *phone) added(v *account.Visitor) (account.Passkey, []string) {
	p.Helper()
	options, ceremony, err := p.Passkeys.StartPasskey(p.Context(), v)
	p.ok(err)
	k, codes, err := p.Passkeys.AddPasskey(p.Context(), v, ceremony, "Phone", p.create(options), home())
	p.ok(err)
	return k, codes
}

// signs signs in with the phone alone.
func (p *phone) signs() (*account.Proof, error) {
	p.Helper()
	options, ceremony, err := p.Passkeys.StartPasskeySignIn(p.Context(), home())
	p.ok(err)
	return p.Passkeys.PasskeySignIn(p.Context(), ceremony, p.get(options), home())
}

func TestPasskeyAloneSignsIn(t *testing.T) {
	both(t, func(r, _ *fixture) {
		ada := r.signedUp("ada@example.com")
		phone := r.phone(ada)
		_, codes := phone.added(ada)
		r.want(len(codes) == 10, "%d recovery codes", len(codes))
		for range 2 {
			p, err := phone.signs()
			r.ok(err)
			r.want(p.Complete(), "a second factor is asked for")
			v, _ := r.begun(p, home())
			r.want(v.UserID == ada.UserID, "it is %s", v.UserID)
		}
		have, err := r.SecondFactors.Security(r.Context(), ada)
		r.ok(err)
		r.want(len(have.Passkeys) == 1 && have.Passkeys[0].Name == "Phone" &&
			have.Passkeys[0].LastUsedAt != nil, "the passkeys are %+v", have.Passkeys)
	})
}

func TestPasskeyServesAsSecondFactorAndConfirmation(t *testing.T) {
	alone(t, func(r *fixture) {
		ada := r.signedUp("ada@example.com")
		phone := r.phone(ada)
		_, codes := phone.added(ada)
		v, _ := r.pending("ada@example.com")
		options, ceremony, err := r.Passkeys.StartPasskeyProof(r.Context(), v)
		r.ok(err)
		p, err := r.Passkeys.PasskeyProof(r.Context(), v, ceremony, phone.get(options), home())
		r.ok(err)
		done, _ := r.begun(p, home())
		r.add(time.Hour)
		options, ceremony, err = r.Passkeys.StartPasskeyProof(r.Context(), done)
		r.ok(err)
		p, err = r.Passkeys.PasskeyProof(r.Context(), done, ceremony, phone.get(options), home())
		r.ok(err)
		fresh, _ := r.begun(p, home())
		r.want(fresh.Fresh(fresh.CreatedAt), "it is not confirmed")
		_, err = r.SignIns.ConfirmByPassword(r.Context(), fresh, right, "", home())
		r.refused(err, fault.InvalidField, "code")
		_, err = r.SignIns.ConfirmByPassword(r.Context(), fresh, right, codes[0], home())
		r.ok(err)
	})
}

func TestPasskeyChallengeIsSingleUseExpiringAndBoundToUser(t *testing.T) {
	both(t, func(r, other *fixture) {
		ada, eve := r.signedUp("ada@example.com"), r.signedUp("eve@example.com")
		phone := r.phone(ada)
		phone.added(ada)
		options, ceremony, err := r.Passkeys.StartPasskeySignIn(r.Context(), home())
		r.ok(err)
		answer := phone.get(options)
		nodes := []*fixture{r, other}
		done := r.together(4, fault.InvalidTransition, func(i int) error {
			_, err := nodes[i%2].Passkeys.PasskeySignIn(r.Context(), ceremony, answer, home())
			return err
		})
		r.want(done == 1, "it was taken %d times", done)

		_, mine, err := r.Passkeys.StartPasskeySignIn(r.Context(), home())
		r.ok(err)
		options, _, err = r.Passkeys.StartPasskeySignIn(r.Context(), home())
		r.ok(err)
		_, err = r.Passkeys.PasskeySignIn(r.Context(), mine, phone.get(options), home())
		r.refused(err, fault.InvalidField, "passkey") // to what another browser was asked

		options, ceremony, err = r.Passkeys.StartPasskeyProof(r.Context(), ada)
		r.ok(err)
		_, err = r.Passkeys.PasskeyProof(r.Context(), eve, ceremony, phone.get(options), home())
		r.refused(err, fault.InvalidTransition, "")
		options, ceremony, err = r.Passkeys.StartPasskeySignIn(r.Context(), home())
		r.ok(err)
		_, err = r.Passkeys.PasskeyProof(r.Context(), ada, ceremony, phone.get(options), home())
		r.refused(err, fault.InvalidTransition, "") // another purpose

		options, ceremony, err = r.Passkeys.StartPasskeySignIn(r.Context(), home())
		r.ok(err)
		answer = phone.get(options)
		r.add(5 * time.Minute)
		_, err = r.Passkeys.PasskeySignIn(r.Context(), ceremony, answer, home())
		r.refused(err, fault.InvalidTransition, "")
	})
}

func TestPasskeyResponseForWrongSiteOrUserIsRefused(t *testing.T) {
	alone(t, func(r *fixture) {
		ada, eve := r.signedUp("ada@example.com"), r.signedUp("eve@example.com")
		good := r.phone(ada)
		good.added(ada)
		for name, change := range map[string]func(*phone){
			"another origin":     func(p *phone) { p.party.Origin = "https://evil.example" },
			"plain http":         func(p *phone) { p.party.Origin = "http://portal.example.com" },
			"another party":      func(p *phone) { p.party.ID = "evil.example" },
			"nobody there":       func(p *phone) { p.Options.UserNotPresent = true },
			"nobody verified":    func(p *phone) { p.Options.UserNotVerified = true },
			"the handle of Eve":  func(p *phone) { p.Options.UserHandle = []byte(eve.UserID) },
			"no handle":          func(p *phone) { p.Options.UserHandle = nil },
			"another credential": func(p *phone) { p.key.ID = []byte("another") },
			"another key":        func(p *phone) { p.key.Key = credential().Key },
		} {
			bad := *good
			change(&bad)
			_, err := bad.signs()
			if !fault.Is(err, fault.InvalidField) {
				t.Errorf("%s: %v", name, err)
			}
			good.key.Counter = bad.key.Counter
		}
		_, ceremony, err := r.Passkeys.StartPasskeySignIn(r.Context(), home())
		r.ok(err)
		for _, answer := range []string{"", "{}", "null", strings.Repeat("[", 10_000)} {
			_, err = r.Passkeys.PasskeySignIn(r.Context(), ceremony, []byte(answer), home())
			r.want(err != nil, "%.20q was taken", answer)
		}
		_, err = good.signs()
		r.ok(err)
	})
}

func TestPasskeyOfAnotherUserProvesNothing(t *testing.T) {
	alone(t, func(r *fixture) {
		ada, eve := r.signedUp("ada@example.com"), r.signedUp("eve@example.com")
		r.phone(ada).added(ada)
		hers := r.phone(eve)
		hers.added(eve)
		v, _ := r.pending("ada@example.com")
		options, ceremony, err := r.Passkeys.StartPasskeyProof(r.Context(), v)
		r.ok(err)
		_, err = r.Passkeys.PasskeyProof(r.Context(), v, ceremony, hers.get(options), home())
		r.refused(err, fault.InvalidField, "passkey")
	})
}

func TestClonedPasskeyIsRefusedFromThenOn(t *testing.T) {
	alone(t, func(r *fixture) {
		ada := r.signedUp("ada@example.com")
		original := r.phone(ada)
		original.added(ada)
		_, err := original.signs()
		r.ok(err)
		copied := *original
		_, err = original.signs()
		r.ok(err)
		_, err = copied.signs()
		r.refused(err, fault.InvalidField, "passkey")
		_, err = original.signs()
		r.refused(err, fault.InvalidField, "passkey")
		r.told("ada@example.com", "may be in use")
		have, err := r.SecondFactors.Security(r.Context(), ada)
		r.ok(err)
		r.want(have.Passkeys[0].ClonedAt != nil, "it does not show")
	})
}

// Some password managers say later that a passkey can be copied by its owner, or no more.
func TestPasskeyMovedToPasswordManagerStillSignsIn(t *testing.T) {
	alone(t, func(r *fixture) {
		ada := r.signedUp("ada@example.com")
		phone := r.phone(ada)
		phone.added(ada)
		phone.Options.BackupEligible, phone.Options.BackupState = true, true
		for range 2 {
			_, err := phone.signs()
			r.ok(err)
		}
		phone.Options.BackupEligible, phone.Options.BackupState = false, false
		_, err := phone.signs()
		r.ok(err)
	})
}

func TestAddingAndRemovingPasskeyNeedsFreshSession(t *testing.T) {
	alone(t, func(r *fixture) {
		r.signedUp("ada@example.com")
		ada, token := r.signedIn("ada@example.com")
		eve := r.signedUp("eve@example.com")
		phone := r.phone(ada)
		k, _ := phone.added(ada)
		options, ceremony, err := r.Passkeys.StartPasskey(r.Context(), ada)
		r.ok(err)
		r.want(strings.Contains(string(options), "excludeCredentials"), "the browser may add it again: %s", options)
		_, _, err = r.Passkeys.AddPasskey(r.Context(), ada, ceremony, "Phone", phone.create(options), home())
		r.refused(err, fault.InvalidTransition, "")
		for _, name := range []string{"", strings.Repeat("x", 121), "a\x00"} {
			_, _, err = r.Passkeys.AddPasskey(r.Context(), ada, ceremony, name, nil, home())
			r.refused(err, fault.InvalidField, "name")
		}
		r.refused(r.Passkeys.RenamePasskey(r.Context(), eve, k.ID, "Mine"), fault.NoRecord, "")
		r.ok(r.Passkeys.RenamePasskey(r.Context(), ada, k.ID, "Old phone"))
		r.refused(r.Passkeys.RemovePasskey(r.Context(), eve, k.ID, home()), fault.NoRecord, "")
		r.add(time.Hour)
		ada = r.seen(token)
		_, _, err = r.Passkeys.StartPasskey(r.Context(), ada)
		r.want(account.IsStale(err), "an old session adds one: %v", err)
		r.want(account.IsStale(r.Passkeys.RemovePasskey(r.Context(), ada, k.ID, home())), "an old session removes one")
		p, err := phone.signs()
		r.ok(err)
		ada, _ = r.begun(p, home())
		r.ok(r.Passkeys.RemovePasskey(r.Context(), ada, k.ID, home()))
		_, err = phone.signs()
		r.refused(err, fault.InvalidField, "passkey")
		r.signedIn("ada@example.com")
	})
}

func TestPasskeysAreUnavailableOnIPAddress(t *testing.T) {
	alone(t, func(r *fixture) {
		for base, want := range map[string]bool{
			"http://127.0.0.1:8080": false,
			"http://[::1]:8080":     false,
			"http://localhost:8080": true,
			base:                    true,
			"":                      false,
		} {
			c := r.Config
			c.BaseURL = base
			s := account.New(c)
			r.want(s.Passkeys.Passkeys() == want, "%s: %v", base, s.Passkeys.Passkeys())
			_, _, err := s.Passkeys.StartPasskeySignIn(r.Context(), home())
			r.want((err == nil) == want, "%s: %v", base, err)
		}
	})
}
