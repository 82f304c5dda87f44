package account

import (
	"slices"

	"portal/api/access"
	"portal/api/account"
	"portal/api/portfolio"
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/page"
)

// settingsTabs are the pages of the settings, with the one that is read.
func settingsTabs(v *page.Request, here string) []kit.NavItem {
	all := []kit.NavItem{
		{Name: "Account", Path: "/settings"},
		{Name: "Sign-in and security", Path: "/settings/security"},
		{Name: "Sessions", Path: "/settings/sessions"},
	}
	if v.Person.Account != nil {
		all = append(all, kit.NavItem{Name: "Email", Path: "/settings/mail"})
	}
	if v.Person.Account != nil {
		all = append(all, kit.NavItem{Name: "Rent", Path: "/" + string(access.Live) + rentAt},
			kit.NavItem{Name: "Payments", Path: "/" + string(access.Live) + paymentsAt})
	}
	if v.Owns() {
		all = append(all, kit.NavItem{Name: "Lease details", Path: "/" + string(access.Live) + leaseDetailsAt})
	}
	for i := range all {
		if all[i].Path == here {
			all[i].Here = kit.HerePage
		}
	}
	return all
}

// saveSettings is for owners.
func (p *settingsPages) saveSettings(v *page.Request) error {
	f := v.Form()
	err := p.Account.Members.UpdateAccount(v.Ctx(), v.Person, account.Settings{
		Name:     f.Text("name"),
		TimeZone: f.Text("time_zone"),
	}, v.From())
	if err != nil {
		return f.Again(v, err, p.settingsForm)
	}
	return v.Done("/settings", "Account saved.")
}

func (p *settingsPages) settingsForm(v *page.Request, f *page.Form) error {
	view := views.Settings{
		Frame: v.Frame("Settings"),
		Tabs:  settingsTabs(v, "/settings"),
		Email: v.Person.Email,
	}
	a := v.Person.Account
	switch {
	case a == nil:
	case a.Role == access.Owner:
		form := f.Fill(kit.Form{Action: "/settings", Submit: "Save", Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{
				Name:     "name",
				Label:    "Account name",
				Hint:     "Tenants see it in emails.",
				Value:    a.Name,
				Complete: "organization",
			},
			zoneField(a.TimeZone),
		}}}})
		view.Form = &form
	default:
		view.Account, view.Zone = a.Name, zoneName(a.TimeZone)
	}
	return v.ShowAs(f.Status, views.SettingsPage(view))
}

// zones are those of the United States, by the names that people there have for them.
var zones = []kit.Choice{
	{Value: "America/New_York", Label: "Eastern (New York)"},
	{Value: "America/Detroit", Label: "Eastern (Detroit)"},
	{Value: "America/Indiana/Indianapolis", Label: "Eastern (Indianapolis)"},
	{Value: "America/Kentucky/Louisville", Label: "Eastern (Louisville)"},
	{Value: "America/Chicago", Label: "Central (Chicago)"},
	{Value: "America/Menominee", Label: "Central (Menominee)"},
	{Value: "America/Denver", Label: "Mountain (Denver)"},
	{Value: "America/Boise", Label: "Mountain (Boise)"},
	{Value: "America/Phoenix", Label: "Mountain without daylight saving time (Phoenix)"},
	{Value: "America/Los_Angeles", Label: "Pacific (Los Angeles)"},
	{Value: "America/Anchorage", Label: "Alaska (Anchorage)"},
	{Value: "America/Adak", Label: "Aleutian Islands (Adak)"},
	{Value: "Pacific/Honolulu", Label: "Hawaii (Honolulu)"},
	{Value: "America/Puerto_Rico", Label: "Atlantic (Puerto Rico)"},
	{Value: "Pacific/Guam", Label: "Chamorro (Guam)"},
	{Value: "Pacific/Pago_Pago", Label: "Samoa (Pago Pago)"},
	{Value: "UTC", Label: "UTC"},
}

func zoneName(zone string) string {
	for _, z := range zones {
		if z.Value == zone {
			return z.Label
		}
	}
	return zone
}

// zoneField offers the zone that the account has even where it is none of the list.
func zoneField(now string) kit.Field {
	all := slices.Clone(zones)
	if zoneName(now) == now && now != "UTC" {
		all = append(all, kit.Choice{Value: now, Label: now})
	}
	for i := range all {
		all[i].Chosen = all[i].Value == now
	}
	return kit.Field{
		Name:    "time_zone",
		Label:   "Time zone",
		Hint:    "Pages show times in this zone, and rent is due when its day begins.",
		Kind:    "select",
		Choices: all,
	}
}

func (p *settingsPages) changePassword(v *page.Request) error {
	f := v.Form()
	err := p.Account.Passwords.ChangePassword(v.Ctx(), v.Person, f.Raw("old_password"), f.Raw("password"), v.From())
	if err != nil {
		return f.Again(v, err, p.passwordForm)
	}
	if err := p.goOn(v); err != nil {
		return err
	}
	return v.Done("/settings/security", "Password changed. You’re signed out on all other devices.")
}

func (p *settingsPages) passwordForm(v *page.Request, f *page.Form) error {
	return f.Show(v, kit.Heading{Title: "Change your password", Back: toSecurity}, kit.Form{
		Action:   "/settings/password",
		Submit:   "Change password",
		Cancel:   "/settings/security",
		Username: v.Person.Email,
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{
				Name:     "old_password",
				Label:    "Old password",
				Kind:     "password",
				Complete: "current-password",
			},
			newPassword("New password"),
		}}},
	}, "You’ll be signed out on all other devices.")
}

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
