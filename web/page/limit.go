package page

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/ratelimit"
	"portal/static"
	"portal/views/kit"
)

// How many forms the pages of a portfolio and mode take, and how many documents they preview, which
// takes longer than most that a form does, in each minute (docs/site/limits.md).
var (
	posts    = ratelimit.Limit{Sustained: 60, Burst: 60}
	previews = ratelimit.Limit{Sustained: 20, Burst: 20}
)

// generated is how many statements and receipts are made in each minute, for a portfolio and mode and for the link
// of a tenant: more than a person opens (docs/site/limits.md).
var generated = ratelimit.Limit{Sustained: 60, Burst: 60}

// asked is how often in each minute the processor of payments is asked for the pages of one reader.
var asked = ratelimit.Limit{Sustained: 30, Burst: 30}

// MayAskProcessor counts a question to the processor of payments, by whose page it is for. Where it is one too many,
// the page shows what is known.
func (v *Request) MayAskProcessor(reader string) bool {
	return v.Shell.Limiter == nil || v.Shell.Limiter.Take(v.Ctx(), "processor "+reader, asked, 1).Admitted
}

// guestFiles is how many files people send in each minute who need no account, from an address.
var guestFiles = ratelimit.Limit{Sustained: 10, Burst: 10}

// admits counts what a subject sends, or refuses it in words with when to try again.
func (s *Shell) admits(ctx context.Context, subject string, limit ratelimit.Limit, words string, args ...any) error {
	d := s.Limiter.Take(ctx, subject, limit, 1)
	if d.Admitted {
		return nil
	}
	f := fault.New(fault.RateLimited, words, args...)
	f.Retry = d.RetryAfter
	return f
}

// withinGuestLimit counts a file of somebody who needs no account, before it is read.
func withinGuestLimit(v *Request) error {
	if v.Shell.Limiter == nil || !v.route.files || v.route.Audience != Guest {
		return nil
	}
	return v.Shell.admits(v.Ctx(), "files ip:"+access.ParseClient(v.RealIP()), guestFiles,
		"This page accepts at most %d files per minute.", guestFiles.Sustained)
}

// misses is how many links that open nothing an address may ask for in each minute.
var misses = ratelimit.Limit{Sustained: 60, Burst: 60}

// withinMisses counts a link that opens nothing.
func withinMisses(v *Request) error {
	if v.Shell.Limiter == nil {
		return nil
	}
	return v.Shell.admits(v.Ctx(), "links ip:"+access.ParseClient(v.RealIP()), misses,
		"Too many invalid links were opened from your network.")
}

// withinLimit counts a form of a portfolio, before it is read. All sections of the pages and all who
// are signed in for the portfolio share what they may send.
func withinLimit(v *Request) error {
	if v.Shell.Limiter == nil || v.route.mode == "" || v.Person == nil || v.Person.Account == nil {
		return nil
	}
	kind, limit := "posts ", posts
	if v.route.previews {
		kind, limit = "previews ", previews
	}
	return v.Shell.admits(v.Ctx(), kind+strconv.FormatInt(v.Actor().Portfolio.ID, 10), limit,
		"You can send at most %d forms and preview at most %d documents per minute.",
		posts.Sustained, previews.Sustained)
}

// withinGenerated counts a file that is made for a member. All who are signed in for the portfolio share them.
func withinGenerated(v *Request) error {
	if v.Shell.Limiter == nil || !v.route.Generated || v.Person == nil || v.Person.Account == nil {
		return nil
	}
	return v.Shell.admits(v.Ctx(), "generated "+strconv.FormatInt(v.Actor().Portfolio.ID, 10), generated,
		tooManyFiles, generated.Sustained)
}

const tooManyFiles = "You can open at most %d statements and receipts per minute."

// WithinGuestFiles counts a file that is made for somebody with a link, by the id of the link. Other requests do not
// count.
func (v *Request) WithinGuestFiles(link string) error {
	if v.Shell.Limiter == nil || !v.route.Generated {
		return nil
	}
	err := v.Shell.admits(v.Ctx(), "generated "+link, generated, tooManyFiles, generated.Sustained)
	if err == nil {
		return nil
	}
	r := refusalOf(err)
	r.spanish = fmt.Sprintf("Se pueden abrir como máximo %d estados de cuenta y recibos por minuto.",
		generated.Sustained)
	return errors.Join(r, err)
}

// GuestHeader is what surrounds a page that a link from an email opens.
func GuestHeader(title, from string) kit.GuestHeader {
	return kit.GuestHeader{
		Title: title,
		From:  from,
		Style: static.URL("style.css"),
		Icon:  static.URL("icon.svg"),
	}
}

// Notice answers with a page that says one thing.
func (v *Request) Notice(status int, from, title string, words ...string) error {
	return v.notice(status, GuestHeader(title, from), words...)
}

func (v *Request) notice(status int, h kit.GuestHeader, words ...string) error {
	return v.ShowAs(status, kit.NoticePage(kit.GuestNotice{GuestHeader: h, Title: h.Title, Words: words}))
}

// GuestCookie is what the browser of a reader without an account keeps under a name, "" for nothing.
func (v *Request) GuestCookie(name string) string {
	c, err := v.Cookie(v.Shell.cookie(name))
	if err != nil {
		return ""
	}
	return c.Value
}

// KeepGuestCookie has the browser of a reader without an account keep something for a number of seconds; a negative
// one has it forgotten.
func (v *Request) KeepGuestCookie(name, value string, seconds int) {
	v.SetCookie(v.Shell.newCookie(name, value, seconds))
}

// NoLink is the answer for a link that opens nothing. Whoever opens many of them has to wait: nobody guesses one.
func (v *Request) NoLink(err error) error {
	if !fault.Is(err, fault.NoRecord) {
		return err
	}
	if err := withinMisses(v); err != nil {
		return err
	}
	h := v.BilingualHeader([2]string{"This link doesn’t work", "Este enlace no funciona"}, "", "")
	if v.Request().Method != http.MethodGet {
		h.Other = kit.Link{}
	}
	return v.notice(http.StatusNotFound, h, h.Say(
		"Copy the whole link from the email, from http to its end. If it still doesn’t work, ask the sender for a "+
			"new one.",
		"Copie el enlace completo del correo, desde http hasta el final. Si aun así no funciona, pida uno nuevo a "+
			"quien se lo envió.",
	))
}
