package page

import (
	"context"
	"net/netip"
	"time"

	"portal/api/account"
	"portal/api/audit"
	"portal/api/developer"
	"portal/api/fault"
)

// People tells which user a session stands for.
type People interface {
	// Visitor is the user of a session, by its token, and notes that they were
	// here. fault.NoRecord: nobody is.
	Visitor(ctx context.Context, token string, from account.Client) (*account.Visitor, error)
	// Former is the user of a session that is over. fault.NoRecord: nobody was, or
	// still is.
	Former(ctx context.Context, token string) (*account.Visitor, error)
	// AdmitTyped counts a form whose session has ended, and reports whether what its reader
	// typed may be kept: they are still in the account in which they were shown it.
	AdmitTyped(ctx context.Context, userID, accountID string, from account.Client) (bool, error)
}

const deviceCookie = "device"

// From is where the request comes from.
func (v *Request) From() account.Client {
	r := v.Request()
	f := account.Client{UserAgent: r.UserAgent(), RequestID: v.ID, Device: v.GuestCookie(deviceCookie)}
	f.Unattended = r.Header.Get("Accept") == "text/event-stream" // a page that is open and asks by itself
	if a, err := netip.ParseAddr(v.RealIP()); err == nil {
		f.Address = a
	}
	return f
}

// aYear is how long a device is known.
const aYear = 365 * 24 * time.Hour

// Remember keeps what tells this device from others, for the next time somebody signs
// in with it.
func (v *Request) Remember(device string) {
	v.SetCookie(v.Shell.newCookie(deviceCookie, device, int(aYear.Seconds())))
}

// recognize finds who asks.
func (v *Request) recognize() error {
	if err := v.Session.load(); err != nil || !v.loaded {
		return err
	}
	token := v.Shell.sessions.Token(v.Ctx())
	if token == "" {
		return nil
	}
	who, err := v.Shell.People.Visitor(v.Ctx(), token, v.From())
	if fault.Is(err, fault.NoRecord) {
		return nil
	}
	if err != nil {
		return err
	}
	v.Person = who
	by := audit.By{UserID: who.UserID, Address: v.RealIP(), RequestID: v.ID}
	v.SetRequest(v.Request().WithContext(audit.With(v.Ctx(), by)))
	return nil
}

// IsStaff reports whether the reader is one of the staff.
func (v *Request) IsStaff() bool { return v.Person.Role == developer.Staff }

// Zone is where the reader's days begin.
func (v *Request) Zone() *time.Location {
	if v.Person == nil || v.Person.Account == nil {
		return time.UTC
	}
	return v.Person.Actor(v.Mode()).Zone
}
