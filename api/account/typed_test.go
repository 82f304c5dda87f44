package account_test

import (
	"fmt"
	"testing"
	"time"

	"portal/api/fault"
)

func TestTypedTextIsLimitedTo30AnHourPerUserAcrossNodes(t *testing.T) {
	both(t, func(r, other *fixture) {
		v := r.signedUp("dana@example.com")
		nodes := []*fixture{r, other}
		admitted := r.together(50, fault.RateLimited, func(i int) error {
			from := at(fmt.Sprintf("203.0.113.%d", i))
			ok, err := nodes[i%2].Sessions.AdmitTyped(r.Context(), v.UserID, v.CurrentAccount(), from)
			if err == nil && !ok {
				return fault.Of(fault.RateLimited)
			}
			return err
		})
		r.want(admitted == 30, "%d were admitted", admitted)
		r.add(2 * time.Hour)
		ok, err := r.Sessions.AdmitTyped(r.Context(), v.UserID, v.CurrentAccount(), home())
		r.ok(err)
		r.want(ok, "none is admitted an hour later")
	})
}

func TestTypedTextIsLimitedTo120AnHourPerIPAddress(t *testing.T) {
	alone(t, func(r *fixture) {
		admitted := 0
		for i := range 5 {
			v := r.signedUp(fmt.Sprintf("dana%d@example.com", i))
			for range 30 {
				ok, err := r.Sessions.AdmitTyped(r.Context(), v.UserID, v.CurrentAccount(), home())
				r.ok(err)
				if ok {
					admitted++
				}
			}
		}
		r.want(admitted == 120, "%d were admitted", admitted)
	})
}

func TestTypedTextNeedsExistingMember(t *testing.T) {
	alone(t, func(r *fixture) {
		v := r.signedUp("dana@example.com")
		for _, c := range []struct {
			user, account string
			want          bool
		}{
			{v.UserID, v.CurrentAccount(), true},
			{v.UserID, "", true},
			{v.UserID, "acct_of_others", false},
			{"user_nobody", "", false},
			{"user_nobody", v.CurrentAccount(), false},
		} {
			ok, err := r.Sessions.AdmitTyped(r.Context(), c.user, c.account, home())
			r.ok(err)
			r.want(ok == c.want, "%q in %q is admitted: %t", c.user, c.account, ok)
		}
	})
}
