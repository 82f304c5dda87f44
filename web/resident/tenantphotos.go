package resident

import (
	"fmt"

	"portal/api/attachment"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/web/page"
)

// sentPhotos are the photos of a form: those that were kept with an earlier try, those that came with this one, and
// what is wrong with others.
type sentPhotos struct {
	kept    portfolio.Photos
	made    []attachment.Photo
	refused []string
}

// readPhotos converts the photos of a form, one after the other.
func (t *tenantRequest) readPhotos(f *page.Form) (all sentPhotos, err error) {
	if all.kept, err = t.section.Tenants.Waiting(t.Ctx(), t.Visit, f.All("kept")); err != nil {
		return all, err
	}
	files := t.Upload.Files()
	if len(files)+len(all.kept) > portfolio.MostPhotos {
		all.refused = append(all.refused, t.say("Send up to 5 photos in all.", "Envíe hasta 5 fotos en total."))
		files = nil
	}
	if err = t.section.Tenants.Receive(t.Ctx(), t.Visit, len(files)); fault.Is(err, fault.RateLimited) {
		all.refused, files = append(all.refused, t.tooMany(err)), nil
	} else if err != nil {
		return all, err
	}
	for i, file := range files {
		photo, err := t.section.Photos.Convert(t.Ctx(), file)
		number := fmt.Sprintf(t.say("Photo %d: ", "Foto %d: "), i+1)
		if why, is := attachment.RefusalOf(err); is {
			all.refused = append(all.refused, number+why.Say(t.header.Spanish))
			continue
		}
		if fault.Is(err, fault.Unavailable) { // what was typed is not lost for that
			all.refused = append(all.refused, number+t.say("There are many photos just now. Add it again in a moment.",
				"Ahora hay muchas fotos. Espere un poco y agréguela de nuevo."))
			continue
		}
		if err != nil {
			return all, err
		}
		all.made = append(all.made, photo)
	}
	return all, nil
}

// photosOf are the photos of a form that was read, or too large.
func (t *tenantRequest) photosOf(f *page.Form, oversized bool) (sentPhotos, error) {
	if !oversized {
		return t.readPhotos(f)
	}
	kept, err := t.section.Tenants.Waiting(t.Ctx(), t.Visit, f.All("kept"))
	return sentPhotos{
		kept: kept,
		refused: []string{t.say("The photos are larger than 10 MB each. Send fewer, or smaller ones.",
			"Las fotos pesan más de 10 MB cada una. Envíe menos, o más pequeñas.")},
	}, err
}
