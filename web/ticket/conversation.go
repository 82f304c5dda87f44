package ticket

import (
	"fmt"
	"strconv"

	"portal/api/access"
	"portal/api/portfolio"
	"portal/api/portfolio/ticket"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/ticket"
	"portal/web/page"
)

// mostActivities is how many activities a page shows unless it is asked for all.
const mostActivities = 50

// replyInput is what a landlord writes to a tenant.
type replyInput struct {
	// Words of the reply.
	Comment string `json:"comment" format:"text" minlen:"1" maxlen:"5000"`
}

var ticketReply = page.InputOf[replyInput]("reply")

// conversation is what tenant and landlord follow together, the first one first; nil where they do not.
func (p *Section) conversation(
	v *page.Request, t *portfolio.Ticket, reply *page.Form,
) (*views.Conversation, error) {
	if !ticket.Followed(t) {
		return nil, nil //nolint:nilnil // there is none
	}
	tenant, err := p.Portfolio.Tenants.Tenant(v.Ctx(), v.Actor(), *t.TenantID)
	if err != nil {
		return nil, err
	}
	activities, err := p.Portfolio.Tickets.Activities(v.Ctx(), v.Actor(), t.ID)
	if err != nil {
		return nil, err
	}
	at := v.In("/tickets/" + t.ID)
	c := &views.Conversation{Reply: reply.Fill(replyForm(v, at, tenant))}
	if earlier := len(activities) - mostActivities; earlier > 0 && v.QueryParam("activities") != "all" {
		activities = activities[earlier:]
		c.Earlier = kit.Link{
			Name: "Show " + strconv.Itoa(earlier) + " earlier",
			Path: at + "?activities=all#conversation",
		}
	}
	for i := range activities {
		c.Activities = append(c.Activities, activityOf(v, t, &activities[i], tenant.Name))
	}
	return c, nil
}

// replyForm is the form of a reply to a tenant.
func replyForm(v *page.Request, at string, tenant *portfolio.Tenant) kit.Form {
	hint := "They get an email, at most once an hour."
	switch {
	case tenant.Email == nil:
		hint = "They have no email address, so they read it on their tenant page."
	case v.Mode() == access.Test:
		hint += " In test mode it isn’t sent: you can read it under Mail."
	}
	return ticketReply.Form(kit.Form{
		Action: at + "/comments",
		Failed: "Nothing was sent yet",
		Submit: "Send reply",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{{
			Name:     "comment",
			Label:    "Reply to " + tenant.Name,
			Lines:    4,
			Complete: "off",
			Hint:     hint,
		}}}},
	})
}

// activityOf is what has happened to a ticket, as its page says it.
func activityOf(
	v *page.Request, t *portfolio.Ticket, a *portfolio.TicketActivity, tenant string,
) views.Activity {
	said := views.Activity{
		Tone: kit.Idle,
		New:  a.ByTenant && (t.SeenAt == nil || *t.SeenAt < a.CreatedAt),
		Time: v.Time(a.CreatedAt),
	}
	switch a.Kind {
	case portfolio.ActivityComment:
		said.Icon, said.Title, said.Words = "send", a.Author, a.Words
		if a.ByTenant {
			said.Icon, said.Title, said.Tone = "house", a.Author+", tenant", kit.Waiting
		}
	case portfolio.ActivityPhotos:
		said.Icon, said.Tone = "camera", kit.Waiting
		said.Title = tenant + " added photos"
		if n, err := strconv.Atoi(a.Words); err == nil {
			said.Title = tenant + " added " + page.Counted(n, "photo")
		}
	case portfolio.ActivityStatus:
		said.Icon, said.Title, said.Status = "rotate-cw", "Status changed to", page.TicketStatuses[a.Status]
	case portfolio.ActivityVisit:
		said.Icon, said.Title = "clock", "Visit removed"
		if plan := visitPlan(v, a.Start, a.End); plan != "" {
			said.Title = "Visit planned: " + plan
		}
	}
	return said
}

// reply sends a tenant what the landlord has written, in the name of the account.
func (p *Section) reply(v *page.Request, t *portfolio.Ticket) error {
	f := v.Form()
	in := ticketReply.Bind(v, f, "comment")
	var err error
	if !f.Rejected() {
		_, err = p.Portfolio.Tickets.Comment(v.Ctx(), v.Actor(), t.ID, v.Person.Account.Name, in.Comment)
	}
	if f.Refused(err) || f.Rejected() {
		return p.showTicket(v, t, sentForms{reply: f})
	}
	if err != nil {
		return err
	}
	return v.Done(v.In("/tickets/"+t.ID), "Your reply is sent.")
}

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
func (p *Section) photo(thumbnail bool) page.Handler {
	return func(v *page.Request) error {
		content, err := p.Portfolio.Tickets.Photo(v.Ctx(), v.Actor(), v.Param("id"), v.Param("photo"), thumbnail)
		if err != nil {
			return err
		}
		return v.Send.Photo(content)
	}
}
