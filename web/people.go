package web

import (
	"context"
	"net/netip"
	"time"

	"portal/api/account"
	"portal/api/audit"
	"portal/api/developer"
	"portal/api/fault"
)

// People tells who a session stands for.
type People interface {
	// Visitor is who is signed in by the session of a token, and notes that they were
	// here. fault.NoRecord: nobody is.
	Visitor(ctx context.Context, token string, from account.Client) (*account.Visitor, error)
}

const deviceCookie = "device"

// from is where the request comes from.
func (v *visit) from() account.Client {
	f := account.Client{UserAgent: v.Request().UserAgent(), RequestID: v.id}
	if a, err := netip.ParseAddr(v.RealIP()); err == nil {
		f.Address = a
	}
	if c, err := v.Cookie(v.shell.cookie(deviceCookie)); err == nil {
		f.Device = c.Value
	}
	return f
}

// aYear is how long a device is known.
const aYear = 365 * 24 * time.Hour

// remember keeps what tells this device from others, for the next time somebody signs
// in with it.
func (v *visit) remember(device string) {
	v.SetCookie(v.shell.biscuit(deviceCookie, device, int(aYear.Seconds())))
}

// recognize finds who asks.
func (v *visit) recognize() error {
	if err := v.load(); err != nil || !v.loaded {
		return err
	}
	token := v.shell.sessions.Token(v.ctx())
	if token == "" {
		return nil
	}
	who, err := v.shell.People.Visitor(v.ctx(), token, v.from())
	if fault.Is(err, fault.NoRecord) {
		return nil
	}
	if err != nil {
		return err
	}
	v.person = who
	by := audit.By{UserID: who.UserID, Address: v.RealIP(), RequestID: v.id}
	v.SetRequest(v.Request().WithContext(audit.With(v.ctx(), by)))
	return nil
}

// isStaff tells whether the reader is one of the staff.
func (v *visit) isStaff() bool { return v.person.Role == developer.Staff }

// zone is where the reader's days begin.
func (v *visit) zone() *time.Location {
	if v.person == nil || v.person.Account == nil {
		return time.UTC
	}
	return v.person.Actor(v.mode()).Zone
}
