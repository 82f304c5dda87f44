package lease

import (
	"fmt"
	"net/url"

	"portal/api/access"
	"portal/api/attachment"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/portfolio/lease/condition"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/page"
)

// askPhotos shows the landlord's photos of an item with the form that adds some.
func (p *conditionPages) askPhotos(v *page.Request, c *leaseCondition) error {
	return p.photosForm(v, c, v.Form())
}

func (p *conditionPages) photosForm(v *page.Request, c *leaseCondition, f *page.Form) error {
	area, item := c.Item(v.Param("item"))
	if item == nil {
		return fault.NotFound("item")
	}
	if !c.LandlordCanWrite() {
		return v.RefuseAt(c.at, "The report is signed, so it can’t be changed.")
	}
	title, room := "Photos: "+item.Label(language.English), area.Label(language.English)
	view := views.ConditionPhotos{
		Frame: v.Frame(title),
		Heading: kit.Heading{
			Title: title, About: room, Back: kit.Link{Name: room, Path: c.at + "/areas/" + area.ID + "#" + item.ID},
		},
		Photos: conditionPhotos(v, c.Report, item, condition.Landlord),
	}
	for i := range view.Photos {
		view.Photos[i].Remove = view.Photos[i].Path + "/remove"
	}
	left := min(condition.MostItemPhotos-len(view.Photos), condition.MostPhotos-c.Photos(condition.Landlord))
	view.Words = fmt.Sprintf("An item takes at most %d photos, and a report %d.", condition.MostItemPhotos,
		condition.MostPhotos)
	if left > 0 {
		form := f.Fill(kit.Form{
			Action: c.at + "/items/" + item.ID,
			Submit: "Add photos",
			Cancel: view.Heading.Back.Path,
			Files:  true,
			Failed: "Nothing was added",
			Groups: []kit.FieldGroup{{Fields: []kit.Field{
				{
					Name:    "photos",
					Label:   "Photos",
					Kind:    "file",
					Accept:  "image/*",
					Several: true,
					Hint: fmt.Sprintf(
						"Up to %s, each of at most %d MB.",
						page.Counted(left, "photo"),
						attachment.MostBytes>>20,
					),
				},
			}}},
		})
		view.Form = &form
	}
	return v.ShowAs(f.Status, views.ConditionPhotosPage(view))
}

// oversizedPhotos answers a form of which not even the end was read.
func (p *conditionPages) oversizedPhotos(v *page.Request, c *leaseCondition) error {
	f := page.Blank(url.Values{})
	f.Reject("photos", fmt.Sprintf("The photos are larger than %d MB each. Send fewer, or smaller ones.",
		attachment.MostBytes>>20))
	return p.photosForm(v, c, f)
}

// convertPhotos makes JPEGs of the photos of a form, before the transaction that adds them. What it has prepared are
// they, or the form that says what is wrong with them.
func (p *conditionPages) convertPhotos(v *page.Request) error {
	f, files := v.Form(), v.Upload.Files()
	v.Prepared = f
	switch {
	case len(files) == 0:
		f.Reject("photos", "Choose a photo.")
	case len(files) > condition.MostItemPhotos:
		f.Reject("photos", fmt.Sprintf("An item takes at most %d photos.", condition.MostItemPhotos))
	}
	if f.Rejected() {
		return nil
	}
	convert := p.Photos.Convert
	if v.Mode() == access.Test {
		convert = p.Photos.ConvertLast
	}
	all := make([]attachment.Photo, len(files))
	for i, file := range files {
		photo, err := convert(v.Ctx(), file)
		if why, is := attachment.RefusalOf(err); is {
			f.Reject("photos", fmt.Sprintf("Photo %d: %s", i+1, why.Error()))
			return nil
		}
		if err != nil {
			return err
		}
		all[i] = photo
	}
	v.Prepared = all
	return nil
}

func (p *conditionPages) addPhotos(v *page.Request, c *leaseCondition) error {
	if f, refused := v.Prepared.(*page.Form); refused {
		return p.photosForm(v, c, f)
	}
	f, all := v.Form(), v.Prepared.([]attachment.Photo)
	for i := range all {
		_, err := p.Portfolio.Conditions.AddPhoto(v.Ctx(), v.Actor(), c.LeaseID, c.Kind, v.Param("item"), &all[i])
		switch {
		case fault.Is(err, fault.InvalidTransition):
			return v.RefuseAt(c.at, fault.From(err).Message)
		case f.Refused(err):
			return p.photosForm(v, c, f)
		case err != nil:
			return err
		}
	}
	area, item := c.Item(v.Param("item"))
	if item == nil {
		return fault.NotFound("item")
	}
	return v.Done(c.at+"/areas/"+area.ID+"#"+item.ID, page.Counted(len(all), "photo")+" added.")
}

// removePhoto removes a photo of the landlord's.
func (p *conditionPages) removePhoto(v *page.Request, c *leaseCondition) error {
	item := itemShown(c, v.Param("photo"))
	_, err := p.Portfolio.Conditions.RemovePhoto(v.Ctx(), v.Actor(), c.LeaseID, c.Kind, v.Param("photo"))
	if err != nil {
		return refusedAt(v, c.at, err)
	}
	return v.Done(c.at+"/items/"+item, "The photo is removed.")
}

// itemShown is the id of the item that a photo shows, "" for none.
func itemShown(c *leaseCondition, photoID string) string {
	for i := range c.Areas {
		for k := range c.Areas[i].Items {
			for _, photo := range c.Areas[i].Items[k].Photos {
				if photo.ID == photoID {
					return c.Areas[i].Items[k].ID
				}
			}
		}
	}
	return ""
}

// photo answers with a photo of a report, or its thumbnail.
func (p *conditionPages) photo(thumbnail bool) page.Handler {
	return func(v *page.Request) error {
		kind, err := kindIn(v)
		if err != nil {
			return err
		}
		content, err := p.Portfolio.Conditions.Photo(
			v.Ctx(),
			v.Actor(),
			v.Param("id"),
			kind,
			v.Param("photo"),
			thumbnail,
		)
		if err != nil {
			return err
		}
		return v.Send.Photo(content)
	}
}
