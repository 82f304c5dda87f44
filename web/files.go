package web

import (
	"portal/api/fault"
	"portal/static"
)

// file answers with an embedded file. Its address holds a hash of what is in it,
// so a browser may keep it for ever.
func (p *Pages) file(v *visit) error {
	f, ok := static.Named(v.Param("*"))
	if !ok {
		return fault.Of(fault.RouteNotFound)
	}
	v.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	body, _ := v.encoded(f.Name, f.Body)
	return v.serve(f.Type, body)
}
