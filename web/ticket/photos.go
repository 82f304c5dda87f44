package ticket

import (
	"fmt"

	"portal/api/portfolio"
	"portal/api/texts"
	views "portal/views/ticket"
	"portal/web/page"
)

// mostAlt is how many characters of a title the description of a photo has.
const mostAlt = 80

// photosOf are the photos of a ticket, described by its title.
func photosOf(v *page.Request, t *portfolio.Ticket) (all []views.Photo) {
	for i, photo := range t.Photos {
		at := v.In("/tickets/" + t.ID + "/photos/" + photo.ID)
		all = append(all, views.Photo{
			Path:      at,
			Thumbnail: at + "/thumbnail",
			Words:     fmt.Sprintf("Photo %d of %d: %s", i+1, len(t.Photos), texts.Clip(t.Title, mostAlt)),
		})
	}
	return all
}

// photo answers with a photo of a ticket, or its thumbnail.
func (p *ticketPages) photo(thumbnail bool) page.Handler {
	return func(v *page.Request) error {
		content, err := p.Portfolio.Tickets.Photo(v.Ctx(), v.Actor(), v.Param("id"), v.Param("photo"), thumbnail)
		if err != nil {
			return err
		}
		return v.Send.Photo(content)
	}
}
