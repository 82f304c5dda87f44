package web

func (p *Pages) designRoutes() []route { return nil }
