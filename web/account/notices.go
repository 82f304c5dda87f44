package account

import (
	"slices"

	"portal/api/portfolio"
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/page"
)

// noticeWords say what the notices tell of.
var noticeWords = map[portfolio.Notice][2]string{
	portfolio.ApplicationNotice: {"Applications", "Someone applied for one of your units."},
	portfolio.TicketNotice: {
		"Maintenance tickets",
		"A tenant submitted a ticket or wrote about one. At most one email an hour for each ticket.",
	},
	portfolio.EndpointNotice: {
		"Webhook endpoints",
		"An endpoint was turned off after 5 days of failures.",
	},
}

func (p *settingsPages) notices(v *page.Request) error {
	now, err := p.Account.Members.Notices(v.Ctx(), v.Person)
	if err != nil {
		return err
	}
	return p.noticesForm(v, v.Form(), now)
}

func (p *settingsPages) chooseNotices(v *page.Request) error {
	f := v.Form()
	err := p.Account.Members.ChooseNotices(v.Ctx(), v.Person, f.All("notices"))
	if f.Refused(err) {
		return p.noticesForm(v, f, nil)
	}
	if err != nil {
		return err
	}
	return v.Done("/settings/mail", "Saved. This applies from the next email on.")
}

func (p *settingsPages) noticesForm(v *page.Request, f *page.Form, now []portfolio.Notice) error {
	var choices []kit.Choice
	for _, n := range portfolio.Notices() {
		words := noticeWords[n]
		choices = append(choices, kit.Choice{
			Value:  string(n),
			Label:  words[0],
			Hint:   words[1],
			Chosen: slices.Contains(now, n),
		})
	}
	form := f.Fill(kit.Form{Action: "/settings/mail", Submit: "Save", Groups: []kit.FieldGroup{{Fields: []kit.Field{
		{
			Name:     "notices",
			Label:    "Emails about " + v.Person.Account.Name,
			Kind:     "checks",
			Choices:  choices,
			Optional: true,
		}}}}})
	records, err := p.leaseRecordsForm(v)
	if err != nil {
		return err
	}
	return v.ShowAs(f.Status, views.NoticesPage(views.Notices{
		Frame:        v.Frame("Email"),
		Tabs:         settingsTabs(v, "/settings/mail"),
		Email:        v.Person.Email,
		Form:         form,
		LeaseRecords: records,
	}))
}

// leaseRecordsAt is where an owner says whether they want the day's lease records.
const leaseRecordsAt = "/settings/mail/lease-records"

// leaseRecordsForm asks an owner, and nobody else.
func (p *settingsPages) leaseRecordsForm(v *page.Request) (*kit.Form, error) {
	if !v.Owns() {
		return nil, nil //nolint:nilnil // a manager is not asked
	}
	wanted, err := p.Account.Members.LeaseRecordMail(v.Ctx(), v.Person)
	return &kit.Form{Action: leaseRecordsAt, Submit: "Save", Groups: []kit.FieldGroup{{Fields: []kit.Field{{
		Name:    "lease_records",
		Label:   "Email me the day’s lease records",
		Kind:    "checkbox",
		Checked: wanted,
		Hint: "Each day we email you the fingerprint of every lease record that changed. " +
			"With it you can show later that nothing was removed.",
	}}}}}, err
}

func (p *settingsPages) chooseLeaseRecords(v *page.Request) error {
	wanted := v.Form().Checked("lease_records")
	if err := p.Account.Members.ChooseLeaseRecordMail(v.Ctx(), v.Person, wanted); err != nil {
		return err
	}
	said := "You won’t get lease records by email."
	if wanted {
		said = "You’ll get each day’s lease records by email."
	}
	return v.Done("/settings/mail", said)
}
