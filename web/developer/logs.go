package developer

import (
	"portal/api/developer"
	"portal/api/id"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/page"
	"portal/web/payload"
)

func (p *Section) logged(v *page.Request) error {
	r, err := page.Here(v, id.Request, p.Developer.Request)
	if err != nil {
		return err
	}
	keys, err := p.Developer.KeysOf(v.Ctx(), v.Person.Account.AccountID)
	if err != nil {
		return err
	}
	bodies := payload.New(v, v.In("/logs/"+r.ID))
	view, err := bodies.Logged(p.Exchanges, r, keyTerm(r, keys))
	if err != nil {
		return err
	}
	return bodies.Show(views.RequestPage(v.Frame(view.Title), view))
}

// keyTerm is the key that a request came with, by its name.
func keyTerm(r *developer.Request, keys []developer.Key) kit.Term {
	return kit.Term{Name: "API key", Text: page.Called(keyNames(keys), r.KeyID)}
}
