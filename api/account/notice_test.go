package account_test

import (
	"fmt"
	"testing"

	"portal/api/access"
	"portal/api/account"
	"portal/api/fault"
)

func TestEachMemberChoosesTheirOwnNotices(t *testing.T) {
	alone(t, func(r *fixture) {
		ada := r.signedUp("ada@example.com")
		bob, _ := r.joined(ada, "bob@example.com", access.Manager)
		gets := func(v *account.Visitor, want string) {
			r.Helper()
			all, err := r.Members.Notices(r.Context(), v)
			r.ok(err)
			r.want(fmt.Sprint(all) == want, "%s gets %v, want %s", v.Email, all, want)
		}
		gets(ada, "[applications tickets endpoints]")
		gets(bob, "[]")
		r.ok(r.Members.ChooseNotices(r.Context(), bob, []string{"applications"}))
		r.ok(r.Members.ChooseNotices(r.Context(), ada, nil))
		gets(ada, "[]")
		gets(bob, "[applications]")
		r.refused(r.Members.ChooseNotices(r.Context(), bob, []string{"endpoints", "x"}), fault.InvalidField, "notices")
		r.refused(r.Members.ChooseNotices(r.Context(), bob, []string{
			"endpoints", "endpoints",
		}), fault.InvalidField, "notices")
		gets(bob, "[applications]")
	})
}

func TestOnlyOwnersChooseLeaseRecordEmails(t *testing.T) {
	alone(t, func(r *fixture) {
		ada := r.signedUp("ada@example.com")
		bob, _ := r.joined(ada, "bob@example.com", access.Manager)
		wanted, err := r.Members.LeaseRecordMail(r.Context(), ada)
		r.ok(err)
		r.want(!wanted, "an owner gets them at first")
		r.ok(r.Members.ChooseLeaseRecordMail(r.Context(), ada, true))
		wanted, err = r.Members.LeaseRecordMail(r.Context(), ada)
		r.ok(err)
		r.want(wanted, "an owner who chose them does not get them")
		r.refused(r.Members.ChooseLeaseRecordMail(r.Context(), bob, true), fault.OwnerRequired, "")
		_, err = r.Members.LeaseRecordMail(r.Context(), bob)
		r.refused(err, fault.OwnerRequired, "")
	})
}
