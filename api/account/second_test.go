package account_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"portal/api/account"
	"portal/api/fault"
	"portal/api/secret"
	"portal/db/accountstore"
)

// app is an authenticator app, written by RFC 6238 apart from the product.
type app struct{ key []byte }

func (a app) code(at time.Time) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(at.Unix())/30)
	h := hmac.New(sha1.New, a.key)
	h.Write(b)
	s := h.Sum(nil)
	o := s[19] & 15
	n := (uint32(s[o])&127)<<24 | uint32(s[o+1])<<16 | uint32(s[o+2])<<8 | uint32(s[o+3])
	return fmt.Sprintf("%06d", n%1e6)
}

// secured gives a visitor an authenticator app, and the recovery codes.
func (r *fixture) secured(v *account.Visitor) (app, []string) {
	r.Helper()
	setup, err := r.SecondFactors.StartTOTP(v)
	r.ok(err)
	r.want(strings.HasPrefix(setup.URI, "otpauth://totp/Portal:"+v.Email+"?") &&
		strings.Contains(setup.URI, "secret="+setup.Secret), "the URI is %s", setup.URI)
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(setup.Secret)
	r.ok(err)
	a := app{key}
	codes, err := r.SecondFactors.AddTOTP(r.Context(), v, setup.Sealed, a.code(r.now()), home())
	r.ok(err)
	r.want(len(codes) == 10, "%d recovery codes", len(codes))
	return a, codes
}

// pending signs somebody in up to the second factor.
func (r *fixture) pending(email string) (*account.Visitor, string) {
	r.Helper()
	p, err := r.SignIns.SignIn(r.Context(), email, right, home())
	r.ok(err)
	r.want(!p.Complete(), "no second factor is asked for")
	return r.begun(p, home())
}

func TestPasswordAloneIsNotEnoughWithSecondFactor(t *testing.T) {
	alone(t, func(r *fixture) {
		r.secured(r.signedUp("ada@example.com"))
		v, _ := r.pending("ada@example.com")
		r.want(v.Pending && v.Account == nil && !v.Fresh(v.CreatedAt), "the visitor is %+v", v)
		r.want(v.Actor("live").Portfolio.ID == 0 &&
			len(v.Actor("test").Scopes) == 0, "the actor is %+v", v.Actor("live"))
		for name, err := range map[string]error{
			"change the password":  r.Passwords.ChangePassword(r.Context(), v, right, "purple wagon tangerine", home()),
			"change the address":   r.Emails.AskEmail(r.Context(), v, "eve@example.com", home()),
			"confirm":              second(r.SignIns.ConfirmByPassword(r.Context(), v, right, "", home())),
			"list the sessions":    second(r.Sessions.Sessions(r.Context(), v)),
			"end a session":        r.Sessions.EndSession(r.Context(), v, v.SessionID, home()),
			"end the others":       r.Sessions.EndOtherSessions(r.Context(), v, home()),
			"list the accounts":    second(r.Members.Accounts(r.Context(), v)),
			"switch":               r.Members.Switch(r.Context(), v, "acct_x"),
			"list the team":        second(r.Members.Members(r.Context(), v)),
			"list the invitations": second(r.Invitations.Invitations(r.Context(), v)),
			"invite":               second(r.Invitations.Invite(r.Context(), v, "eve@example.com", "owner", home())),
			"accept":               r.Invitations.Accept(r.Context(), v, "token", home()),
			"leave":                r.Members.Leave(r.Context(), v, false, home()),
			"rename a passkey":     r.Passkeys.RenamePasskey(r.Context(), v, "pkey_x", "Mine"),
			"settings": r.Members.UpdateAccount(r.Context(), v, account.Settings{
				Name:     "Mine",
				TimeZone: "UTC",
			}, home()),
			"export": r.Closing.Export(r.Context(), v, io.Discard, home()),
			"close":  r.Closing.Close(r.Context(), v, right, home()),
		} {
			if !fault.Is(err, fault.NoRecord) {
				t.Errorf("%s: %v", name, err)
			}
		}
		_, _, passkey := r.Passkeys.StartPasskey(r.Context(), v)
		for name, err := range map[string]error{
			"add an app":         second(r.SecondFactors.StartTOTP(v)),
			"end to add an app":  second(r.SecondFactors.AddTOTP(r.Context(), v, "", "", home())),
			"remove the app":     r.SecondFactors.RemoveTOTP(r.Context(), v, home()),
			"new recovery codes": second(r.SecondFactors.NewRecoveryCodes(r.Context(), v, home())),
			"add a passkey":      passkey,
			"remove a passkey":   r.Passkeys.RemovePasskey(r.Context(), v, "pkey_x", home()),
		} {
			if !account.IsStale(err) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// second is the error of a call.
func second[T any](_ T, err error) error { return err }

func TestSecondFactorCompletesSignIn(t *testing.T) {
	alone(t, func(r *fixture) {
		a, _ := r.secured(r.signedUp("ada@example.com"))
		r.add(time.Minute)
		v, token := r.pending("ada@example.com")
		for _, wrong := range []string{
			"",
			"000000",
			"12345",
			a.code(r.now().Add(-2 * time.Minute)),
			a.code(r.now().Add(2 * time.Minute)),
		} {
			_, err := r.SignIns.SecondByCode(r.Context(), v, wrong, home())
			r.refused(err, fault.InvalidField, "code")
		}
		p, err := r.SignIns.SecondByCode(r.Context(), v, a.code(r.now())[:3]+" "+a.code(r.now())[3:], home())
		r.ok(err)
		done, _ := r.begun(p, home())
		r.want(!done.Pending && done.Account != nil, "the visitor is %+v", done)
		_, err = r.Sessions.Visitor(r.Context(), token, home())
		r.refused(err, fault.NoRecord, "")
		_, err = r.SignIns.SecondByCode(r.Context(), done, a.code(r.now()), home())
		r.refused(err, fault.InvalidTransition, "")
	})
}

func TestPendingSecondFactorExpiresAfterTenMinutes(t *testing.T) {
	alone(t, func(r *fixture) {
		r.secured(r.signedUp("ada@example.com"))
		_, token := r.pending("ada@example.com")
		r.add(10 * time.Minute)
		_, err := r.Sessions.Visitor(r.Context(), token, home())
		r.refused(err, fault.NoRecord, "")
	})
}

func TestTOTPCodeWorksOnceAcrossNodes(t *testing.T) {
	both(t, func(r, other *fixture) {
		a, _ := r.secured(r.signedUp("ada@example.com"))
		v, _ := r.pending("ada@example.com")
		_, err := r.SignIns.SecondByCode(r.Context(), v, a.code(r.now()), home())
		r.refused(err, fault.InvalidField, "code") // it was shown when the app was set up
		r.add(time.Minute)
		nodes := []*fixture{r, other}
		done := r.together(6, fault.InvalidField, func(i int) error {
			_, err := nodes[i%2].SignIns.SecondByCode(r.Context(), v, a.code(r.now()), home())
			return err
		})
		r.want(done == 1, "it was used %d times", done)
		_, err = r.SignIns.SecondByCode(r.Context(), v, a.code(r.now().Add(-30*time.Second)), home())
		r.refused(err, fault.InvalidField, "code") // an earlier one neither
		_, err = r.SignIns.SecondByCode(r.Context(), v, a.code(r.now().Add(30*time.Second)), home())
		r.ok(err)
	})
}

func TestRecoveryCodeWorksOnceAcrossNodes(t *testing.T) {
	both(t, func(r, other *fixture) {
		_, codes := r.secured(r.signedUp("ada@example.com"))
		v, _ := r.pending("ada@example.com")
		nodes := []*fixture{r, other}
		done := r.together(6, fault.InvalidField, func(i int) error {
			_, err := nodes[i%2].SignIns.SecondByCode(r.Context(), v, strings.ToLower(codes[3]), home())
			return err
		})
		r.want(done == 1, "it was used %d times", done)
		have, err := r.SecondFactors.Security(r.Context(), v)
		r.ok(err)
		r.want(have.RecoveryCodes == 9, "%d are left", have.RecoveryCodes)
		r.told("ada@example.com", "You have 9 left")
	})
}

func TestCodeGuessesAreThrottled(t *testing.T) {
	alone(t, func(r *fixture) {
		a, codes := r.secured(r.signedUp("ada@example.com"))
		r.add(time.Minute)
		n := 0
		for i := range 30 {
			v, _ := r.pending("ada@example.com")
			_, err := r.SignIns.SecondByCode(r.Context(), v, fmt.Sprintf("%06d",
				i), at(fmt.Sprintf(
				"198.51.100.%d", i)))
			if fault.Is(err, fault.InvalidField) {
				n++
			}
		}
		r.want(n == 10, "%d guesses", n)
		v, _ := r.pending("ada@example.com")
		for _, code := range []string{a.code(r.now()), codes[0]} {
			_, err := r.SignIns.SecondByCode(r.Context(), v, code, home())
			r.refused(err, fault.RateLimited, "")
		}
	})
}

func TestNewRecoveryCodesReplaceOldOnes(t *testing.T) {
	alone(t, func(r *fixture) {
		v := r.signedUp("ada@example.com")
		_, err := r.SecondFactors.NewRecoveryCodes(r.Context(), v, home())
		r.refused(err, fault.InvalidTransition, "")
		_, old := r.secured(v)
		codes, err := r.SecondFactors.NewRecoveryCodes(r.Context(), v, home())
		r.ok(err)
		r.want(len(codes) == 10 && codes[0] != old[0], "the codes are %v", codes)
		w, _ := r.pending("ada@example.com")
		_, err = r.SignIns.SecondByCode(r.Context(), w, old[0], home())
		r.refused(err, fault.InvalidField, "code")
		_, err = r.SignIns.SecondByCode(r.Context(), w, codes[0], home())
		r.ok(err)
	})
}

func TestRemovingLastSecondFactorDeletesRecoveryCodes(t *testing.T) {
	alone(t, func(r *fixture) {
		v := r.signedUp("ada@example.com")
		r.secured(v)
		r.ok(r.SecondFactors.RemoveTOTP(r.Context(), v, home()))
		have, err := r.SecondFactors.Security(r.Context(), v)
		r.ok(err)
		r.want(!have.Second() && have.RecoveryCodes == 0, "what is left is %+v", have)
		r.signedIn("ada@example.com")
		r.refused(r.SecondFactors.RemoveTOTP(r.Context(), v, home()), fault.NoRecord, "")
	})
}

func TestTOTPSetupNeedsCodeFromSameUser(t *testing.T) {
	alone(t, func(r *fixture) {
		v, w := r.signedUp("ada@example.com"), r.signedUp("bob@example.com")
		setup, err := r.SecondFactors.StartTOTP(v)
		r.ok(err)
		_, err = r.SecondFactors.AddTOTP(r.Context(), v, setup.Sealed, "000000", home())
		r.refused(err, fault.InvalidField, "code")
		again, err := r.SecondFactors.TOTPSetup(v, setup.Sealed)
		r.ok(err)
		r.want(again == setup, "it shows another secret: %+v", again)
		key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(setup.Secret)
		r.ok(err)
		for _, sealed := range []string{"", "x", setup.Sealed[1:]} {
			_, err = r.SecondFactors.AddTOTP(r.Context(), v, sealed, app{key}.code(r.now()), home())
			r.refused(err, fault.InvalidTransition, "")
		}
		_, err = r.SecondFactors.AddTOTP(r.Context(), w, setup.Sealed, app{key}.code(r.now()), home())
		r.refused(err, fault.InvalidTransition, "")
	})
}

func TestTOTPSecretIsNeverStoredInPlaintext(t *testing.T) {
	alone(t, func(r *fixture) {
		v := r.signedUp("ada@example.com")
		a, codes := r.secured(v)
		p, _, err := accountstore.New(r.db).Person(r.Context(), v.UserID)
		r.ok(err)
		r.want(len(p.TOTP) > 20 && !strings.Contains(string(p.TOTP), string(a.key)), "the secret is stored as it is")
		for _, c := range codes {
			there, err := accountstore.New(r.db).UseRecoveryCode(r.Context(), v.UserID, []byte(c))
			r.ok(err)
			r.want(!there, "a code is stored as it is")
		}
		there, err := accountstore.New(r.db).UseRecoveryCode(
			r.Context(),
			v.UserID,
			secret.Hash(strings.ReplaceAll(codes[0], "-", "")),
		)
		r.ok(err)
		r.want(there, "it is not its hash that is stored")
	})
}
