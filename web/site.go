package web

import (
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"portal/static"
	"portal/web/page"
)

const plainText = "text/plain; charset=utf-8"

// favicon answers with the icon for clients that do not read the link in a page.
func (p *Pages) favicon(v *page.Request) error {
	icon := static.Plain("favicon.ico")
	return v.Send.Document(icon.Type, "/favicon.ico", func() []byte { return icon.Body })
}

// robots lets crawlers read the public pages (RFC 9309). What is behind a session or the token of
// a link is not for them.
func (p *Pages) robots(v *page.Request) error {
	return v.Send.Document(plainText, "/robots.txt", func() []byte {
		return []byte(strings.Join([]string{
			"User-agent: *",
			"Disallow: /",
			"Allow: /$",
			"Allow: /docs",
			"Disallow: /docs/key",
			"Disallow: /docs/api/*/try",
			"Allow: /llms",
			"Allow: /openapi.json",
			"Allow: /sign-up",
			"Allow: /status$",
			"Allow: /static/",
			"Allow: /favicon.ico",
			"Sitemap: " + p.Base() + "/sitemap.xml",
		}, "\n") + "\n")
	})
}

// urlSet is a sitemap (sitemaps.org, protocol 0.9).
type urlSet struct {
	XMLName xml.Name  `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []siteURL `xml:"url"`
}

type siteURL struct {
	Location string `xml:"loc"`
}

// sitemap lists the front page and the documentation.
func (p *Pages) sitemap(v *page.Request) error {
	return v.Send.Document("application/xml", "/sitemap.xml", func() []byte {
		public := []string{"/"}
		if p.signIn {
			public = append(public, "/sign-up")
		}
		for _, s := range p.public {
			public = append(public, s.Addresses()...)
		}
		set := urlSet{}
		for _, path := range public {
			set.URLs = append(set.URLs, siteURL{p.Base() + path})
		}
		text, err := xml.Marshal(set)
		if err != nil {
			panic(err) // texts alone
		}
		return append([]byte(xml.Header), text...)
	})
}

// contactValid is for how many months who reads security.txt may rely on it; RFC 9116, section
// 2.5.5, wants less than a year.
const contactValid = 6

// securityContact says where a vulnerability is reported (RFC 9116).
func (p *Pages) securityContact(v *page.Request) error {
	expires := p.Now().UTC().AddDate(0, contactValid, 0).Truncate(24 * time.Hour).Format(time.RFC3339)
	return v.Send.Document(plainText, "/.well-known/security.txt "+expires, func() []byte {
		return fmt.Appendf(nil, "Contact: %[1]s/docs/security\nExpires: %[2]s\nPreferred-Languages: en\n"+
			"Canonical: %[1]s/.well-known/security.txt\nPolicy: %[1]s/docs/security\n", p.Base(), expires)
	})
}
