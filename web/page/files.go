package page

import (
	"strings"

	"portal/api/compress"
	"portal/api/fault"
	"portal/static"
)

// File answers with an embedded file. Its address holds a hash of what is in it,
// so a browser may keep it for ever.
func (s *Shell) File(v *Request) error {
	f, ok := static.Named(v.Param("*"))
	if !ok {
		return fault.Of(fault.RouteNotFound)
	}
	v.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	if strings.HasPrefix(f.Type, "font/") || f.Type == "image/png" { // is compressed as it stands
		return v.Send.Body(f.Type, f.Body)
	}
	d := v.Shell.documents.of(f.Name, func() []byte { return f.Body })
	return v.Send.Body(f.Type, d.In(negotiate(v, len(f.Body), compress.Brotli, compress.Gzip)))
}
