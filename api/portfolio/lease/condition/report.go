// Package condition is the reports of the condition of a home, one at moving in and one at moving out, which landlord
// and tenants fill in and sign.
//
// It knows no HTTP and no SQL, nor how a report is shown.
package condition

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// Report says in which condition a home was when a tenancy began or ended.
type Report struct {
	portfolio.Record `object:"condition_report" prefix:"cond"`
	// The lease that it belongs to.
	LeaseID string `json:"lease_id"`
	// Whether it is of moving in or of moving out.
	Kind Kind `json:"kind"`
	// The move-in report whose areas and items it began with, which have the same ids there; null for none.
	BeganWith *string `json:"began_with"`
	// The rooms, in their order.
	Areas []Area `json:"areas"`
	// Since when the tenants see it; null while they do not.
	SharedAt *clock.Time `json:"shared_at"`
	// Who has signed it, the landlord first.
	Signatures []Signature `json:"signatures"`
	// When the landlord signed it; null before, and after the signature was taken back.
	LandlordSignedAt *clock.Time `json:"landlord_signed_at"`
	// When the landlord and all tenants who rent had signed it.
	CompletedAt *clock.Time `json:"completed_at"`
	// The tenants who are to sign it and have not, in the order of the lease. It is nil in lists of all reports.
	Awaited []portfolio.Party `json:"-"`
}

// Kind is when a report was made.
type Kind string

// The kinds of reports, of which a lease has one each at most.
const (
	MoveIn  Kind = "move_in"
	MoveOut Kind = "move_out"
)

// SchemaName is the name of the schema.
func (Kind) SchemaName() string { return "ConditionReportKind" }

// Values are all kinds.
func (Kind) Values() []string { return []string{string(MoveIn), string(MoveOut)} }

// Area is a room, or another part of the home.
type Area struct {
	ID string `json:"id"`
	// What it is, "" for one with a name of its own.
	Code Code `json:"code"`
	// Which one it is of several with the code, from 1; 0 for the only one.
	Number int `json:"number"`
	// The name that a member gave it, "" for one with a code.
	Name string `json:"name"`
	// What is looked at there, in its order.
	Items []Item `json:"items"`
}

// Item is something whose condition is looked at.
type Item struct {
	ID string `json:"id"`
	// What it is, "" for one with a name of its own.
	Code Code `json:"code"`
	// The name that a member gave it, "" for one with a code.
	Name string `json:"name"`
	// What each side says of it.
	Landlord Remark `json:"landlord"`
	Tenant   Remark `json:"tenant"`
	// The photos of both sides, the first one first.
	Photos []Photo `json:"photos"`
}

// Remark is what a side says of an item.
type Remark struct {
	// The condition; null while the side has not looked at it, or has nothing to say beside the other.
	Condition *State `json:"condition"`
	// Notes, "" for none.
	Note string `json:"note"`
}

// Same reports whether another remark says the same.
func (r Remark) Same(other Remark) bool {
	same := r.Condition == other.Condition
	if r.Condition != nil && other.Condition != nil {
		same = *r.Condition == *other.Condition
	}
	return same && r.Note == other.Note
}

// State is the condition of an item.
type State string

// The conditions.
const (
	Good          State = "good"
	Fair          State = "fair"
	Poor          State = "poor"
	Missing       State = "missing"
	NotApplicable State = "not_applicable"
)

// SchemaName is the name of the schema.
func (State) SchemaName() string { return "ConditionState" }

// Values are all conditions, the best first.
func (State) Values() []string { return []string{"good", "fair", "poor", "missing", "not_applicable"} }

// Side is who says something.
type Side string

// The sides.
const (
	Landlord Side = "landlord"
	Tenant   Side = "tenant"
)

// Photo is a photo of an item, without its content.
type Photo struct {
	ID         string     `json:"id"`
	ReportID   string     `json:"-"`
	ItemID     string     `json:"-"`
	By         Side       `json:"by"`
	TenantID   *string    `json:"tenant_id"` // who uploaded it, null for the landlord's
	UploadedAt clock.Time `json:"uploaded_at"`
	SHA256     string     `json:"sha256"` // of the content, in hex
	Size       int        `json:"size"`   // of the content, in bytes
	Width      int        `json:"width"`  // in pixels
	Height     int        `json:"height"`
}

// Signature is that of the landlord or of a tenant.
type Signature struct {
	By Side `json:"by"`
	// The tenant who signed, null for the landlord.
	TenantID *string `json:"tenant_id"`
	// The member of the account who signed, "" for a tenant.
	UserID string `json:"user_id,omitempty"`
	// The name as it was typed.
	Name string `json:"name"`
	// When it was, by the clock of the portfolio.
	SignedAt clock.Time `json:"signed_at"`
	// Where the request came from, and with which browser; "" where neither is known.
	Address string `json:"address"`
	Browser string `json:"browser"`
	// SHA-256 of all that the report said then, in hex: see Report.SHA256.
	SHA256 string `json:"sha256"`
	// SHA-256 of what the landlord had said, in hex: see Report.LandlordSHA256.
	LandlordSHA256 string `json:"landlord_sha256"`
}

// How much a report has at most.
const (
	MostAreas       = 40
	MostAreaItems   = 30  // in an area
	MostItems       = 300 // in all areas together
	MostName        = 60  // characters of the name of an area or an item
	MostNote        = 500 // characters of a note
	MostItemPhotos  = 5   // of a side, of an item
	MostPhotos      = 60  // of a side, of a report
	MostTypedName   = 200 // characters of the name of who signs
	mostBrowserText = 500 // bytes that are kept of the name of a browser
)

// signedBy is the signature of the landlord, "", or of a tenant, nil where there is none.
func (r *Report) signedBy(tenantID string) *Signature {
	for i := range r.Signatures {
		s := &r.Signatures[i]
		if tenantID == "" && s.By == Landlord || s.TenantID != nil && *s.TenantID == tenantID {
			return s
		}
	}
	return nil
}

// LandlordSignature is the landlord's signature, nil where there is none.
func (r *Report) LandlordSignature() *Signature { return r.signedBy("") }

// TenantSignature is the signature of a tenant, nil where there is none.
func (r *Report) TenantSignature(tenantID string) *Signature { return r.signedBy(tenantID) }

// Shared reports whether the tenants see it.
func (r *Report) Shared() bool { return r.SharedAt != nil }

// Complete reports whether all have signed it.
func (r *Report) Complete() bool { return r.CompletedAt != nil }

// tenantSigned reports whether a tenant has signed it.
func (r *Report) tenantSigned() bool {
	return slices.ContainsFunc(r.Signatures, func(s Signature) bool { return s.By == Tenant })
}

// LandlordCanWrite reports whether the landlord's side can change, and areas and items be added and removed: nobody has
// signed.
func (r *Report) LandlordCanWrite() bool { return len(r.Signatures) == 0 }

// TenantsCanWrite reports whether the tenants' side can change: they see the report, and none of them has signed.
func (r *Report) TenantsCanWrite() bool { return r.Shared() && !r.tenantSigned() }

// CanReopen reports whether the landlord can take their signature back: no tenant has signed.
func (r *Report) CanReopen() bool { return r.LandlordSignature() != nil && !r.tenantSigned() }

// Items are how many items there are.
func (r *Report) Items() (n int) {
	for i := range r.Areas {
		n += len(r.Areas[i].Items)
	}
	return n
}

// Unjudged are how many items have no condition from the landlord yet.
func (r *Report) Unjudged() (n int) {
	for i := range r.Areas {
		for k := range r.Areas[i].Items {
			if r.Areas[i].Items[k].Landlord.Condition == nil {
				n++
			}
		}
	}
	return n
}

// Item is an item by its id with the area that it is in, or nil.
func (r *Report) Item(itemID string) (*Area, *Item) {
	for i := range r.Areas {
		for k := range r.Areas[i].Items {
			if r.Areas[i].Items[k].ID == itemID {
				return &r.Areas[i], &r.Areas[i].Items[k]
			}
		}
	}
	return nil, nil
}

// photo is a photo by its id with the item that it shows, or nil.
func (r *Report) photo(photoID string) (*Item, *Photo) {
	for i := range r.Areas {
		for k := range r.Areas[i].Items {
			item := &r.Areas[i].Items[k]
			for n := range item.Photos {
				if item.Photos[n].ID == photoID {
					return item, &item.Photos[n]
				}
			}
		}
	}
	return nil, nil
}

// Photos are how many photos a side has in the whole report.
func (r *Report) Photos(by Side) (n int) {
	for i := range r.Areas {
		for k := range r.Areas[i].Items {
			n += len(r.Areas[i].Items[k].PhotosBy(by))
		}
	}
	return n
}

// PhotosBy are the photos of a side.
func (i *Item) PhotosBy(by Side) (all []Photo) {
	for _, p := range i.Photos {
		if p.By == by {
			all = append(all, p)
		}
	}
	return all
}

// Disagrees reports whether the tenants say another condition than the landlord.
func (i *Item) Disagrees() bool {
	return i.Tenant.Condition != nil && (i.Landlord.Condition == nil || *i.Landlord.Condition != *i.Tenant.Condition)
}

// saidByTenants reports whether the tenants have said something of the item.
func (i *Item) saidByTenants() bool { return i.Tenant != Remark{} || len(i.PhotosBy(Tenant)) > 0 }

// content is what is signed, in the order of its fields.
type content struct {
	ID      string        `json:"id"`
	LeaseID string        `json:"lease_id"`
	Kind    Kind          `json:"kind"`
	Areas   []contentArea `json:"areas"`
}

type contentArea struct {
	ID     string        `json:"id"`
	Code   Code          `json:"code"`
	Number int           `json:"number"`
	Name   string        `json:"name"`
	Items  []contentItem `json:"items"`
}

type contentItem struct {
	ID       string         `json:"id"`
	Code     Code           `json:"code"`
	Name     string         `json:"name"`
	Landlord Remark         `json:"landlord"`
	Tenant   *Remark        `json:"tenant,omitempty"`
	Photos   []contentPhoto `json:"photos"`
}

type contentPhoto struct {
	ID         string     `json:"id"`
	By         Side       `json:"by"`
	TenantID   *string    `json:"tenant_id"`
	UploadedAt clock.Time `json:"uploaded_at"`
	SHA256     string     `json:"sha256"`
}

// SHA256 is that of all that the report says, in hex: of its areas and items, and of what both sides say of them and
// their photos, as JSON.
func (r *Report) SHA256() string { return r.hash(true) }

// LandlordSHA256 is SHA256 without what the tenants say and their photos: from the landlord's signature on it stays the
// same, whatever the tenants add.
func (r *Report) LandlordSHA256() string { return r.hash(false) }

func (r *Report) hash(tenants bool) string {
	c := content{ID: r.ID, LeaseID: r.LeaseID, Kind: r.Kind, Areas: []contentArea{}}
	for i := range r.Areas {
		from := &r.Areas[i]
		a := contentArea{ID: from.ID, Code: from.Code, Number: from.Number, Name: from.Name, Items: []contentItem{}}
		for k := range from.Items {
			a.Items = append(a.Items, contentOf(&from.Items[k], tenants))
		}
		c.Areas = append(c.Areas, a)
	}
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // it holds nothing that JSON cannot
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func contentOf(from *Item, tenants bool) contentItem {
	item := contentItem{
		ID: from.ID, Code: from.Code, Name: from.Name, Landlord: from.Landlord, Photos: []contentPhoto{},
	}
	if tenants {
		item.Tenant = &from.Tenant
	}
	for i := range from.Photos {
		if p := &from.Photos[i]; tenants || p.By == Landlord {
			item.Photos = append(item.Photos, contentPhoto{p.ID, p.By, p.TenantID, p.UploadedAt, p.SHA256})
		}
	}
	return item
}

// Intact reports whether the report still says what a signature stands for: of the landlord's, what the landlord had
// said, as tenants add to it afterwards, and of a tenant's, all of it.
func (r *Report) Intact(s *Signature) bool {
	if s.By == Landlord {
		return s.LandlordSHA256 == r.LandlordSHA256()
	}
	return s.SHA256 == r.SHA256() && s.LandlordSHA256 == r.LandlordSHA256()
}

// await fills who has still to sign.
func (r *Report) await(l *portfolio.Lease) {
	r.Awaited = []portfolio.Party{}
	for i := range l.Tenants {
		if p := l.Tenants[i]; p.Role != portfolio.PartyGuarantor && r.signedBy(p.ID) == nil {
			r.Awaited = append(r.Awaited, p)
		}
	}
}

// Hold puts photos to the items that they show.
func (r *Report) Hold(all []Photo) {
	for i := range r.Areas {
		for k := range r.Areas[i].Items {
			r.Areas[i].Items[k].Photos = []Photo{}
		}
	}
	for i := range all {
		if _, item := r.Item(all[i].ItemID); item != nil {
			item.Photos = append(item.Photos, all[i])
		}
	}
}

// noun is a report in a sentence.
const noun = "condition report"

// frozen is that what somebody has signed does not change.
func frozen(who string) *fault.Error {
	return fault.New(fault.InvalidTransition, "The report can't be changed any more: %s signed it.", who)
}
