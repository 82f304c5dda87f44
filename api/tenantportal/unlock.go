package tenantportal

import (
	"context"
	"strconv"
	"strings"
	"time"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/onetimecode"
)

// UnlockTime is for how long a code shows money and documents to the browser in which it was typed.
const UnlockTime = 12 * time.Hour

// unlockPurpose is what proofs of a code are signed for.
const unlockPurpose = "unlocked page of a tenant"

// SendCode emails the code that shows money and documents.
func (s *Service) SendCode(ctx context.Context, token string) error {
	v, err := s.Open(ctx, token)
	if err != nil {
		return err
	}
	if v.Tenant.Email == nil {
		return fault.New(fault.InvalidTransition,
			"There is no email address to send a code to. Ask %s to add it.", v.Landlord.Name)
	}
	return s.Tx.Exclusively(ctx, v.By.Portfolio, func(ctx context.Context) error {
		code, err := s.codes.Make(ctx, v.owner(), clock.At(s.Now(v.By.Portfolio)))
		if err != nil {
			return err
		}
		return s.mailCode(ctx, v, code)
	})
}

// owner is whom the codes of a page are for: who reads the mail of the tenant.
func (v *Visit) owner() onetimecode.Owner {
	return onetimecode.Owner{In: v.By.Portfolio, Subject: v.Link.ID, Address: v.email()}
}

func (v *Visit) email() string {
	if v.Tenant.Email == nil {
		return ""
	}
	return *v.Tenant.Email
}

// MaskedEmail is where codes go, with all but its ends left out, "" where there is no address.
func (v *Visit) MaskedEmail() string { return onetimecode.Masked(v.email()) }

// Unlock takes a code, and gives a proof of it for the browser to keep.
func (s *Service) Unlock(ctx context.Context, token, code string) (proof string, err error) {
	v, err := s.Open(ctx, token)
	if err != nil {
		return "", err
	}
	now := clock.At(s.Now(v.By.Portfolio))
	mac, err := s.codes.Try(ctx, v.owner(), code, now)
	if err != nil {
		return "", err
	}
	if err := s.Tx.Exclusively(ctx, v.By.Portfolio, func(ctx context.Context) error {
		return s.codes.Use(ctx, v.owner(), mac)
	}); err != nil {
		return "", err
	}
	until := strconv.FormatInt(s.Now(v.By.Portfolio).Add(UnlockTime).Unix(), 10)
	return until + "." + s.box.Sign(unlockPurpose, v.unlocks(until)), nil
}

// unlocks is what a proof is signed of: it ends with the link, and where the tenant's address changes.
func (v *Visit) unlocks(until string) string { return v.Link.ID + " " + v.email() + " " + until }

// Unlocked reports whether a proof shows money and documents.
func (s *Service) Unlocked(v *Visit, proof string) bool {
	until, signature, _ := strings.Cut(proof, ".")
	end, err := strconv.ParseInt(until, 10, 64)
	return err == nil && s.Now(v.By.Portfolio).Unix() < end && s.box.Signed(unlockPurpose, v.unlocks(until), signature)
}
