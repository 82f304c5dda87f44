package resident

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"portal/api/access"
	"portal/api/attachment"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/condition"
	"portal/api/portfolio/lease/condition/conditionpdf"
	"portal/api/tenantportal"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/page"
)

// conditionPath is where the pages of reports of the condition of a home begin, below the page of the tenant.
const conditionPath = "/lease/:id/condition/:kind"

// How many photos the form of a report takes, and how much it and its texts have at most, in bytes: an item has a note,
// and half a kilobyte of names and other fields.
const (
	mostSent       = 10
	conditionTexts = condition.MostAreaItems*(condition.MostNote*utf8.UTFMax+512) + page.FormSize
	conditionForm  = mostSent*attachment.MostBytes + conditionTexts
)

// kind is that of the report which the address names.
func (t *tenantRequest) kind() condition.Kind { return condition.Kind(t.Param("kind")) }

// conditionAt is the address of a report of a lease.
func (t *tenantRequest) conditionAt(leaseID string, kind condition.Kind) string {
	return t.at(tenantportal.ConditionPath(leaseID, kind))
}

// condition is the report that the address names.
func (t *tenantRequest) condition() (*condition.Report, error) {
	return t.section.Tenants.Condition(t.Ctx(), t.Visit, t.Param("id"), t.kind())
}

// conditionLines are the reports that a lease has.
func (t *tenantRequest) conditionLines(l *portfolio.Lease) (all []views.ConditionLine, err error) {
	found, err := t.section.Tenants.Conditions(t.Ctx(), t.Visit, l.ID)
	for i := range found {
		r := &found[i]
		words := ""
		switch {
		case r.TenantSignature(t.Tenant.ID) != nil:
		case r.LandlordSignature() != nil:
			words = t.say("Please look at it and sign.", "Revíselo y fírmelo.")
		default:
			words = t.say("Please look at it.", "Revíselo.")
		}
		all = append(all, views.ConditionLine{
			Name:   r.Kind.Label(t.reads()),
			Words:  words,
			Path:   t.conditionAt(l.ID, r.Kind) + langQuery(t.Request),
			Status: t.conditionStatus(r),
		})
	}
	return all, err
}

func (t *tenantRequest) conditionStatus(r *condition.Report) kit.Status {
	switch {
	case r.Complete():
		return tag{kit.Done, bilingual{"Signed by all", "Firmado por todos"}}.in(t.header)
	case r.TenantSignature(t.Tenant.ID) != nil:
		return tag{kit.Done, bilingual{"You signed", "Usted firmó"}}.in(t.header)
	case r.LandlordSignature() != nil:
		return tag{kit.Waiting, bilingual{"To sign", "Por firmar"}}.in(t.header)
	}
	return tag{kit.Waiting, bilingual{"Not signed yet", "Sin firmar"}}.in(t.header)
}

// tenantCondition is a report of the condition of a home, or the form of one of its areas.
func tenantCondition(t *tenantRequest) error {
	return t.conditionPage(page.Blank(url.Values{"area": {t.QueryParam("area")}}), nil)
}

// movedIn is what the move-in report says beside a move-out report, nil for nothing.
func (t *tenantRequest) movedIn(r *condition.Report) (in *condition.Report, err error) {
	if r.Kind != condition.MoveOut {
		return in, err
	}
	if in, err = t.section.Tenants.MovedIn(t.Ctx(), t.Visit, r.LeaseID); fault.Is(err, fault.NoRecord) {
		in, err = nil, nil
	}
	return in, err
}

// tenantConditionPDF is a report as PDF, in the language of the page.
func tenantConditionPDF(t *tenantRequest) error {
	r, err := t.condition()
	if err != nil {
		return t.NoLink(err)
	}
	l, err := t.Visit.Lease(r.LeaseID)
	if err != nil {
		return t.NoLink(err)
	}
	in, err := t.movedIn(r)
	if err != nil {
		return err
	}
	content, err := conditionpdf.Render(&conditionpdf.Source{
		Report: r, MovedIn: in, Lease: l, Landlord: t.Landlord.Name, Zone: t.Landlord.Zone,
	}, t.reads())
	if err != nil {
		return err
	}
	return t.Send.OwnPDF(strings.ReplaceAll(string(r.Kind), "_", "-")+"-report", content)
}

// conditionPage shows a report with what was typed, and what is wrong with photos, by the item.
func (t *tenantRequest) conditionPage(f *page.Form, refused map[string][]string) error {
	r, err := t.condition()
	if err != nil {
		return t.NoLink(err)
	}
	l, err := t.Visit.Lease(r.LeaseID)
	if err != nil {
		return t.NoLink(err)
	}
	before := map[string]*condition.Item{} // what the move-in report says, by the item
	in, err := t.movedIn(r)
	if err != nil {
		return err
	}
	if in != nil {
		for _, a := range condition.Beside(in, r) {
			for _, pair := range a.Items {
				if pair.Out != nil {
					before[pair.Out.ID] = pair.In
				}
			}
		}
	}
	title, failed := r.Kind.Label(t.reads()), t.say("Not all is saved yet", "Aún no se guardó todo")
	if f.Values.Has("name") {
		failed = t.say("Not signed yet", "Aún no se firmó")
	}
	if f.Rejected() {
		title = failed + ": " + title
	}
	view := views.TenantCondition{
		Tenant: t.frame(title, "/lease"),
		Kind:   r.Kind.Label(t.reads()),
		Home:   l.RentalAddress,
		Status: t.conditionStatus(r),
		Words:  t.conditionWords(r, t.editing(f, r) != ""),
		Signed: t.conditionSignatures(r, l),
	}
	if view.Trouble.Failed = failed; f.Rejected() {
		view.Unsaved = t.unsaved(f, r)
	}
	view.Trouble.Trouble = f.Problem
	at, editing, saved := t.conditionAt(r.LeaseID, r.Kind)+langQuery(t.Request), t.editing(f, r), ""
	if editing != "" {
		view.Action, view.Back, view.Once = at, at+"#"+editing, rand.Text()
		view.Bar = nil // it would cover fields, and lead away from what was not saved
	} else {
		saved = t.savedArea()
		view.PDF = t.conditionAt(r.LeaseID, r.Kind) + "/report.pdf" + langQuery(t.Request)
	}
	for i := range r.Areas {
		a := views.ConditionArea{
			ID: r.Areas[i].ID, Name: r.Areas[i].Label(t.reads()), Saved: saved == r.Areas[i].ID,
		}
		switch {
		case editing != "" && editing != a.ID:
			continue
		case editing == "" && t.writes(r):
			a.Edit = at + "&area=" + a.ID
		}
		for k := range r.Areas[i].Items {
			item := &r.Areas[i].Items[k]
			shown := t.conditionItem(r, l, item, before[item.ID])
			if shown.Refused = refused[item.ID]; editing != "" {
				shown.Fields = t.conditionFields(item, f)
				shown.Seen = cmp.Or(f.Text("seen."+item.ID), tenantportal.SeenOf(&item.Tenant))
			} else {
				shown.Facts = append(shown.Facts, kit.Fact{
					Name: t.say("Tenants", "Inquilinos"), Value: t.remark(&item.Tenant, sameAsLandlord),
				})
			}
			for n := range shown.Photos {
				shown.Photos[n].Removed = slices.Contains(f.All("remove"), shown.Photos[n].ID)
			}
			view.Trouble.Groups = append(view.Trouble.Groups, kit.FieldGroup{Fields: shown.Fields})
			for _, words := range shown.Refused {
				view.Trouble.Trouble = strings.TrimSpace(view.Trouble.Trouble + " " + shown.Name + ": " + words)
			}
			a.Items = append(a.Items, shown)
		}
		view.Areas = append(view.Areas, a)
	}
	if t.signs(r) && editing == "" {
		view.Sign = t.conditionSigning(r, f)
		view.Trouble.Groups = append(view.Trouble.Groups, view.Sign.Groups...)
	}
	return t.ShowAs(f.Status, views.TenantConditionPage(view))
}

// editing is the area whose form the page shows, "" for the whole report.
func (t *tenantRequest) editing(f *page.Form, r *condition.Report) string {
	if !t.writes(r) {
		return ""
	}
	return t.areaOf(f, r)
}

// writes reports whether the reader can say something of the items of a report.
func (t *tenantRequest) writes(r *condition.Report) bool { return r.TenantsCanWrite() && !t.preview }

// signs reports whether the reader can sign a report.
func (t *tenantRequest) signs(r *condition.Report) bool {
	return r.LandlordSignature() != nil && r.TenantSignature(t.Tenant.ID) == nil && !t.preview
}

// conditionWords say how a report stands for the reader, or what they can do in the form of an area.
func (t *tenantRequest) conditionWords(r *condition.Report, editing bool) []string {
	switch {
	case r.Complete():
		return []string{t.say("Everybody has signed this report. Nobody can change it.",
			"Todos firmaron este informe. Nadie puede cambiarlo.")}
	case !r.TenantsCanWrite() && t.signs(r):
		return []string{t.say("Another tenant has signed it, so nobody can change it any more. Please sign it too.",
			"Otro inquilino ya lo firmó y nadie puede cambiarlo. Fírmelo usted también.")}
	case !r.TenantsCanWrite():
		return []string{t.say("Nobody can change it any more. Others have still to sign it.",
			"Ya nadie puede cambiarlo. Faltan las firmas de otras personas.")}
	}
	add := t.say(
		"Where you see something differently than your landlord, choose another condition, write a note, or add "+
			"photos.",
		"Si usted ve algo distinto que su arrendador, elija otro estado, escriba una nota o "+
			"agregue fotos.",
	)
	if editing {
		return []string{add}
	}
	if r.LandlordSignature() == nil {
		return []string{add, t.say("You can sign once your landlord has signed.",
			"Podrá firmar cuando su arrendador haya firmado.")}
	}
	return []string{add, t.say("Then sign at the end of the page.", "Después firme al final de la página.")}
}

// conditionItem is an item with what the landlord says of it; before is what the move-in report says, nil for nothing.
func (t *tenantRequest) conditionItem(
	r *condition.Report, l *portfolio.Lease, item, before *condition.Item,
) views.ConditionItem {
	shown := views.ConditionItem{ID: item.ID, Name: item.Label(t.reads())}
	add := func(english, spanish, value string) {
		shown.Facts = append(shown.Facts, kit.Fact{Name: t.say(english, spanish), Value: value})
	}
	if before != nil {
		add("At move-in, your landlord", "A la entrada, su arrendador", t.remark(&before.Landlord, notJudged))
		if before.Tenant != (condition.Remark{}) {
			add("At move-in, the tenants", "A la entrada, los inquilinos", t.remark(&before.Tenant, sameAsLandlord))
		}
	}
	add("Your landlord", "Su arrendador", t.remark(&item.Landlord, notJudged))
	for i := range item.Photos {
		shown.Photos = append(shown.Photos, t.conditionPhoto(r, l, item, i))
	}
	return shown
}

var (
	notJudged      = bilingual{"Not looked at yet", "Aún sin revisar"}
	sameAsLandlord = bilingual{"Same as the landlord", "Igual que el arrendador"}
)

// remark is what a side says, in words.
func (t *tenantRequest) remark(said *condition.Remark, otherwise bilingual) string {
	words := otherwise.in(t.header)
	if said.Condition != nil {
		words = said.Condition.Label(t.reads())
	}
	if said.Note != "" {
		words += "\n" + said.Note
	}
	return words
}

func (t *tenantRequest) conditionPhoto(
	r *condition.Report, l *portfolio.Lease, item *condition.Item, i int,
) views.ConditionPhoto {
	p := &item.Photos[i]
	at := t.conditionAt(r.LeaseID, r.Kind) + "/photos/" + p.ID
	own := p.TenantID != nil && *p.TenantID == t.Tenant.ID
	by := t.Landlord.Name
	if p.TenantID != nil {
		by = t.partyName(l, *p.TenantID)
	}
	return views.ConditionPhoto{
		ShownPhoto: views.ShownPhoto{
			Path: at, Thumbnail: at + "/thumbnail",
			Alt: fmt.Sprintf(t.say("Photo %d of %d: %s", "Foto %d de %d: %s"),
				i+1, len(item.Photos), page.Clip(item.Label(t.reads()), mostAlt)),
		},
		ID: p.ID, By: by, Removes: own,
	}
}

// partyName is the name of a tenant of a lease.
func (t *tenantRequest) partyName(l *portfolio.Lease, tenantID string) string {
	if tenantID == t.Tenant.ID {
		return t.say("You", "Usted")
	}
	for i := range l.Tenants {
		if l.Tenants[i].ID == tenantID {
			return l.Tenants[i].Name
		}
	}
	return t.say("Tenant", "Inquilino")
}

// conditionFields are what a tenant can say of an item.
func (t *tenantRequest) conditionFields(item *condition.Item, f *page.Form) []kit.Field {
	of := t.say("of ", "de ") + item.Label(t.reads())
	state := kit.Field{
		Name: "condition." + item.ID, Kind: "select", Label: t.say("You say", "Usted dice"), Of: of, Unmarked: true,
		Choices: []kit.Choice{{Label: sameAsLandlord.in(t.header)}},
	}
	for _, value := range condition.Good.Values() {
		state.Choices = append(state.Choices, kit.Choice{Value: value, Label: condition.State(value).Label(t.reads())})
	}
	chosen := ""
	if item.Tenant.Condition != nil {
		chosen = string(*item.Tenant.Condition)
	}
	if f.Values.Has(state.Name) {
		chosen = f.Text(state.Name)
	}
	for i := range state.Choices {
		state.Choices[i].Chosen = state.Choices[i].Value == chosen
	}
	note := kit.Field{
		Name: "note." + item.ID, Label: t.say("Your note", "Su nota"), Of: of, Lines: 2, Unmarked: true,
		Longest: condition.MostNote, Value: item.Tenant.Note,
	}
	if f.Values.Has(note.Name) {
		note.Value = f.Printable(note.Name)
	}
	state.Error, note.Error = f.FieldErrors[state.Name], f.FieldErrors[note.Name]
	return []kit.Field{state, note}
}

// conditionSignatures are who has signed a report, and who has not yet.
func (t *tenantRequest) conditionSignatures(r *condition.Report, l *portfolio.Lease) (all []kit.Fact) {
	for i := range r.Signatures {
		s := &r.Signatures[i]
		who := t.say("Landlord", "Arrendador")
		if s.TenantID != nil {
			who = t.partyName(l, *s.TenantID)
		}
		all = append(all, kit.Fact{Name: who, Value: s.Name + ", " + t.moment(s.SignedAt).Text})
	}
	if len(all) == 0 {
		return nil
	}
	for i := range r.Awaited {
		all = append(all, kit.Fact{
			Name: t.partyName(l, r.Awaited[i].ID), Value: t.say("Has not signed yet", "Aún no ha firmado"),
		})
	}
	return all
}

// conditionSigning asks for the name.
func (t *tenantRequest) conditionSigning(r *condition.Report, f *page.Form) *kit.Form {
	name := kit.Field{
		Name:     "name",
		Label:    t.say("Type your full name", "Escriba su nombre completo"),
		Hint:     t.say("As it is here: ", "Tal como está aquí: ") + t.ownName(),
		Complete: "name",
		Longest:  condition.MostTypedName,
		Value:    f.Printable("name"),
		Error:    f.FieldErrors["name"],
	}
	return &kit.Form{
		Action: t.conditionAt(r.LeaseID, r.Kind) + "/sign" + langQuery(t.Request),
		Submit: t.say("Sign the report", "Firmar el informe"),
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{Name: "seen", Kind: "hidden", Value: r.SHA256()}, name,
		}}},
	}
}

func (t *tenantRequest) ownName() string { return t.Tenant.FirstName + " " + t.Tenant.LastName }

// unsaved is what was typed of items of which nothing can be said any more, each in words.
func (t *tenantRequest) unsaved(f *page.Form, r *condition.Report) (all []string) {
	for itemID, note := range f.Named("note.") {
		_, item := r.Item(itemID)
		state := condition.State(f.Text("condition." + itemID))
		switch {
		case item != nil && t.writes(r), note == "" && state == "":
			continue
		case item != nil && note == item.Tenant.Note && same(item.Tenant.Condition, state):
			continue
		}
		words := note
		if slices.Contains(state.Values(), string(state)) {
			words = strings.TrimSpace(state.Label(t.reads()) + "\n" + note)
		}
		if item != nil {
			words = item.Label(t.reads()) + ": " + words
		}
		all = append(all, words)
	}
	slices.Sort(all)
	return all
}

// same reports whether a form says a condition, "" for none.
func same(is *condition.State, typed condition.State) bool {
	return is == nil && typed == "" || is != nil && *is == typed
}

// tenantSayCondition saves what a tenant says of the items of an area, and adds photos.
func tenantSayCondition(t *tenantRequest) error {
	if _, err := t.condition(); err != nil {
		return t.NoLink(err) // before anything is read
	}
	f, oversized, err := t.readReport()
	if err != nil {
		return err
	}
	r, err := t.condition()
	if err != nil {
		return t.NoLink(err)
	}
	said := t.conditionSaid(f, r)
	refused := map[string][]string{}
	var photos []conditionUpload
	if oversized {
		f.Problem, f.Status = t.say(
			"The photos are too large to be sent together, and were not saved. Send fewer at a time.",
			"Las fotos pesan demasiado para enviarlas juntas y no se guardaron. Envíe menos cada vez.",
		), http.StatusRequestEntityTooLarge
	} else if photos, err = t.conditionPhotos(f, r, refused); err != nil {
		return err
	}
	to := t.conditionAt(r.LeaseID, r.Kind) + langQuery(t.Request)
	if t.areaOf(f, r) != "" {
		to += "#" + t.areaOf(f, r)
	}
	var stale []string
	err = t.Shell.Forms.Exclusively(t.Ctx(), t.By.Portfolio, func(ctx context.Context) (err error) {
		stale, err = t.section.Tenants.SayCondition(ctx, t.Visit, r.LeaseID, r.Kind, said, f.All("remove"))
		if err != nil {
			return err
		}
		return t.addConditionPhotos(ctx, f, r, photos, to)
	})
	switch {
	case fault.Is(err, fault.InvalidTransition):
		f.Status, f.Problem = http.StatusConflict, t.say(
			"A tenant has signed the report, so it can’t be changed any more. Nothing was saved.",
			"Un inquilino ya firmó el informe y no se puede cambiar. No se guardó nada.")
	case fault.Is(err, fault.NoRecord): // an item is gone, or the whole report or link
		if _, err := t.section.Tenants.Open(t.Ctx(), t.Param("token")); err != nil {
			return t.NoLink(err)
		}
		f.Status, f.Problem = http.StatusConflict, changedMeanwhile.in(t.header)
	case f.Refused(err):
		f.Problem, f.FieldErrors = t.say("Nothing was saved. ", "No se guardó nada. ")+t.say(
			fault.From(err).Message, "Revise lo que envió."), map[string]string{}
	case err != nil:
		return err
	default:
		t.tellStale(f, said, stale)
	}
	if r, err = t.condition(); err != nil {
		return t.NoLink(err)
	}
	if len(t.unsaved(f, r)) > 0 && !f.Rejected() {
		f.Status, f.Problem = http.StatusConflict, changedMeanwhile.in(t.header)
	}
	if len(refused) > 0 && !f.Rejected() {
		f.Status = http.StatusUnprocessableEntity
	}
	if f.Rejected() {
		return t.conditionPage(f, refused)
	}
	t.KeepGuestCookie(areaCookie(t.Visit), t.areaOf(f, r), 60)
	return t.SeeOther(to)
}

var changedMeanwhile = bilingual{
	"The report has changed meanwhile. See what was not saved.",
	"El informe cambió entretanto. Vea lo que no se guardó.",
}

// areaOf is the area whose form is asked for, or was sent, "" where the report does not have it.
func (t *tenantRequest) areaOf(f *page.Form, r *condition.Report) string {
	for i := range r.Areas {
		if r.Areas[i].ID == f.Text("area") {
			return r.Areas[i].ID
		}
	}
	return ""
}

// areaCookie keeps, for the page that follows, which area was saved.
func areaCookie(v *tenantportal.Visit) string { return "saved_" + v.Link.ID }

// savedArea is the area that was saved just now, which is told once.
func (t *tenantRequest) savedArea() string {
	area := t.GuestCookie(areaCookie(t.Visit))
	if area != "" {
		t.KeepGuestCookie(areaCookie(t.Visit), "", -1)
	}
	return area
}

// conditionSaid is what a form says of items, as far as it can be saved.
func (t *tenantRequest) conditionSaid(f *page.Form, r *condition.Report) (all []tenantportal.Said) {
	for i := range r.Areas {
		for k := range r.Areas[i].Items {
			itemID := r.Areas[i].Items[k].ID
			if !f.Values.Has("note."+itemID) || !f.Values.Has("condition."+itemID) {
				continue
			}
			said := tenantportal.Said{ItemID: itemID, Seen: f.Text("seen." + itemID)}
			said.Note = page.LineEnds(f.Values.Get("note." + itemID))
			state := condition.State(f.Text("condition." + itemID))
			wrong := false
			if state != "" {
				said.Condition = &state
				if wrong = !slices.Contains(state.Values(), string(state)); wrong {
					f.Reject("condition."+itemID, t.say("Choose one of these.", "Elija una de las opciones."))
				}
			}
			if utf8.RuneCountInString(said.Note) > condition.MostNote || texts.Unreadable(said.Note, true) {
				wrong = true
				f.Reject("note."+itemID, fmt.Sprintf(t.say("Write at most %d characters that can be shown.",
					"Escriba como máximo %d caracteres que se puedan mostrar."), condition.MostNote))
			}
			if !wrong {
				all = append(all, said)
			}
		}
	}
	return all
}

// tellStale says beside each item which somebody else has changed what they say. Sent again, the form replaces it.
func (t *tenantRequest) tellStale(f *page.Form, said []tenantportal.Said, stale []string) {
	for i := range said {
		f.Values.Del("seen." + said[i].ItemID) // the page that follows shows what is there now
	}
	if len(stale) == 0 {
		return
	}
	now, err := t.condition()
	for _, itemID := range stale {
		is := ""
		if err == nil {
			if _, item := now.Item(itemID); item != nil {
				is = " " + strings.ReplaceAll(t.remark(&item.Tenant, sameAsLandlord), "\n", ": ")
			}
		}
		f.Reject("note."+itemID, t.say("Somebody else has changed this meanwhile. It says now:",
			"Otra persona lo cambió entretanto. Ahora dice:")+is+". "+t.say("Save again to replace it with yours.",
			"Guarde de nuevo para cambiarlo por lo suyo."))
	}
	f.Status = http.StatusConflict
}

// conditionUpload is a photo that was sent of an item.
type conditionUpload struct {
	item string
	attachment.Photo
}

// conditionPhotos converts the photos of a form, one after the other, unless they were taken before. What is wrong with
// them is kept by the item.
func (t *tenantRequest) conditionPhotos(
	f *page.Form, r *condition.Report, refused map[string][]string,
) (all []conditionUpload, err error) {
	files := t.Upload.Files()
	if to, err := t.takenBefore(f); err != nil || to != "" || len(files) == 0 {
		return nil, err
	}
	refuse := func(itemID, words string) { refused[itemID] = append(refused[itemID], words) }
	items := make([]string, len(files))
	many := map[string]int{}
	for i := range files {
		items[i] = strings.TrimPrefix(t.Upload.Fields[i], "photos.")
		many[items[i]]++
	}
	total := len(files)
	for itemID, n := range many {
		_, item := r.Item(itemID)
		switch {
		case item == nil:
			total -= n
		case len(files) > mostSent:
			refuse(
				itemID,
				fmt.Sprintf(t.say("Send up to %d photos at a time.", "Envíe hasta %d fotos cada vez."), mostSent),
			)
		case len(item.PhotosBy(condition.Tenant))+n > condition.MostItemPhotos:
			refuse(itemID, fmt.Sprintf(t.say("An item takes up to %d photos of the tenants.",
				"Cada cosa admite hasta %d fotos de los inquilinos."), condition.MostItemPhotos))
			total -= n
		case r.Photos(condition.Tenant)+len(files) > condition.MostPhotos:
			refuse(itemID, fmt.Sprintf(t.say("A report takes up to %d photos of the tenants.",
				"Un informe admite hasta %d fotos de los inquilinos."), condition.MostPhotos))
		default:
			continue
		}
		delete(many, itemID)
	}
	if len(many) == 0 {
		return nil, nil
	}
	if err := t.section.Tenants.Receive(t.Ctx(), t.Visit, total); fault.Is(err, fault.RateLimited) {
		for itemID := range many {
			refuse(itemID, t.say("That is enough photos for today. Try again tomorrow.",
				"Son suficientes fotos por hoy. Intente mañana."))
		}
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	convert := t.section.Photos.Convert
	if t.By.Portfolio.Mode == access.Test {
		convert = t.section.Photos.ConvertLast
	}
	for i, file := range files {
		if many[items[i]] == 0 {
			continue
		}
		photo, err := convert(t.Ctx(), file)
		number := fmt.Sprintf(t.say("Photo %d: ", "Foto %d: "), i+1)
		why, is := attachment.RefusalOf(err)
		switch {
		case is:
			refuse(items[i], number+why.Say(t.header.Spanish))
		case fault.Is(err, fault.Unavailable):
			refuse(items[i], number+t.say("There are many photos just now. Add it again in a moment.",
				"Ahora hay muchas fotos. Espere un poco y agréguela de nuevo."))
		case err != nil:
			return nil, err
		default:
			all = append(all, conditionUpload{items[i], photo})
		}
	}
	return all, nil
}

// addConditionPhotos adds the photos of a form once, however often it is sent, in the transaction of the context.
func (t *tenantRequest) addConditionPhotos(
	ctx context.Context, f *page.Form, r *condition.Report, photos []conditionUpload, to string,
) error {
	if len(photos) == 0 {
		return nil
	}
	form := t.sentForm(f)
	first, _, _, err := form.Claim(ctx)
	if err != nil || !first {
		return err
	}
	for i := range photos {
		err := t.section.Tenants.ShowCondition(ctx, t.Visit, r.LeaseID, r.Kind, photos[i].item, &photos[i].Photo)
		if err != nil {
			return err
		}
	}
	return form.Keep(ctx, to, "")
}

// tenantSignCondition signs a report.
func tenantSignCondition(t *tenantRequest) error {
	if status := t.ReadForm(); status != http.StatusOK {
		return page.Unread(status, page.FormSize)
	}
	r, err := t.condition()
	if err != nil {
		return t.NoLink(err)
	}
	to := t.conditionAt(r.LeaseID, r.Kind) + langQuery(t.Request)
	if r.TenantSignature(t.Tenant.ID) != nil {
		return t.SeeOther(to) // sent twice
	}
	f, from := t.Request.Form(), t.Request.From()
	err = t.section.Tenants.SignCondition(t.Ctx(), t.Visit, r.LeaseID, r.Kind, condition.Signing{
		Name: f.Printable("name"), Seen: f.Text("seen"), Address: from.IP(), Browser: from.Agent(),
	})
	switch {
	case err == nil:
		return t.SeeOther(to)
	case fault.Is(err, fault.StaleWrite):
		f.Status, f.Problem = http.StatusConflict, t.say(
			"The report has changed since you saw it. Look at it again, then sign it.",
			"El informe cambió desde que usted lo vio. Revíselo de nuevo y después fírmelo.")
	case fault.Is(err, fault.InvalidTransition):
		f.Status, f.Problem = http.StatusConflict, t.say(fault.From(err).Message, "Ahora no se puede firmar.")
	case fault.Is(err, fault.NoRecord):
		return t.NoLink(err)
	case !f.Refused(err):
		return err
	case t.header.Spanish:
		f.FieldErrors["name"] = "Escriba su nombre tal como está aquí: " + t.ownName() + "."
	}
	return t.conditionPage(f, nil)
}

// tenantConditionPhoto is a photo of a report.
func tenantConditionPhoto(t *tenantRequest) error { return t.sendConditionPhoto(false) }

// tenantConditionThumbnail is the thumbnail of one.
func tenantConditionThumbnail(t *tenantRequest) error { return t.sendConditionPhoto(true) }

func (t *tenantRequest) sendConditionPhoto(thumbnail bool) error {
	content, err := t.section.Tenants.ConditionPhoto(
		t.Ctx(), t.Visit, t.Param("id"), t.kind(), t.Param("photo"), thumbnail)
	if err != nil {
		return t.NoLink(err)
	}
	return t.Send.Photo(content)
}
