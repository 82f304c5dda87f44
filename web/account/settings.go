package account

import (
	"slices"

	"portal/api/access"
	"portal/api/account"
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
		all = append(all, kit.NavItem{Name: "Rent", Path: "/" + string(access.Live) + rentAt})
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
