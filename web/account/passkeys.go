package account

import (
	"context"
	"net/http"

	"portal/api/account"
	"portal/web/page"
)

// passkeys are asked for by a script and answered by a form.
type passkeys interface {
	Passkeys() bool
	StartPasskeySignIn(ctx context.Context, from account.Client) (options []byte, ceremony string, err error)
	PasskeySignIn(ctx context.Context, ceremony string, response []byte, from account.Client) (*account.Proof, error)
	StartPasskeyProof(ctx context.Context, v *account.Visitor) (options []byte, ceremony string, err error)
	PasskeyProof(
		ctx context.Context, v *account.Visitor, ceremony string, response []byte, from account.Client,
	) (*account.Proof, error)
	StartPasskey(ctx context.Context, v *account.Visitor) (options []byte, ceremony string, err error)
	AddPasskey(
		ctx context.Context, v *account.Visitor, ceremony, name string, response []byte, from account.Client,
	) (account.Passkey, []string, error)
	RenamePasskey(ctx context.Context, v *account.Visitor, passkeyID, name string) error
}

const ceremonyKey = "ceremony"

// passkeyCeremony answers a script with what it is to ask the browser for, and keeps in the
// session what the answer has to fit.
func passkeyCeremony(v *page.Request, options []byte, id string, err error) error {
	if err != nil {
		return err
	}
	v.Session.Keep(ceremonyKey, id)
	if err := v.Session.Commit(); err != nil {
		return err
	}
	v.Response().Header().Set("Cache-Control", "no-store")
	return v.Blob(http.StatusOK, "application/json", options)
}
