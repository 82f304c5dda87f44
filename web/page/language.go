package page

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"portal/api/language"
	"portal/views/kit"
)

// chosenBefore is where a request keeps the language that its reader chose with an earlier form.
const chosenBefore = "language"

// ChoseBefore notes the language that the reader of a page chose with an earlier form.
func (v *Request) ChoseBefore(l language.Language) { v.Set(chosenBefore, l) }

// Reads is the language of a page for people with a link: as its address says, or else as they chose it with an
// earlier form, or as their browser asks for it. It is language.Unchosen where none of these says Spanish or English.
func (v *Request) Reads() language.Language {
	switch v.QueryParam("lang") {
	case string(language.Spanish):
		return language.Spanish
	case string(language.English):
		return language.English
	}
	if l, _ := v.Get(chosenBefore).(language.Language); l != language.Unchosen {
		return l
	}
	if strings.HasPrefix(strings.ToLower(v.Request().Header.Get("Accept-Language")), "es") {
		return language.Spanish
	}
	return language.Unchosen
}

// inSpanish is a refusal as people read it who have a link and chose Spanish.
func (v *Request) inSpanish(r Refusal) Refusal {
	if r.Translated || v.Reads() != language.Spanish {
		return r
	}
	wait := "Inténtelo de nuevo en unos minutos."
	if n, _ := strconv.Atoi(v.Response().Header().Get("Retry-After")); n > 0 && n < 60 {
		wait = "Inténtelo de nuevo en " + language.Counted(n, "segundo", "segundos") + "."
	} else if n >= 60 {
		wait = "Inténtelo de nuevo en " + language.Counted((n+59)/60, "minuto", "minutos") + "."
	}
	t, known := spanishRefusals[r.Status]
	if !known {
		t = spanishRefusals[http.StatusBadRequest]
	}
	if r.Status >= http.StatusInternalServerError && !known {
		t = spanishRefusals[http.StatusInternalServerError]
	}
	r.Title, r.Words, r.Translated = t[0], cmp.Or(r.spanish, t[1]), true
	if r.Status == http.StatusTooManyRequests || r.Status >= http.StatusInternalServerError {
		r.Words += " " + wait
	}
	return r
}

// spanishRefusals are the title and the words of refusals by their status.
var spanishRefusals = map[int][2]string{
	http.StatusBadRequest: {"No se pudo leer el formulario", "No se cambió nada. Regrese y envíelo de nuevo."},
	http.StatusForbidden: {
		"Esto no se puede hacer",
		"No se cambió nada. Si quiere hacerlo, hágalo desde la página de este sitio.",
	},
	http.StatusNotFound: {"Página no encontrada", "Revise la dirección o abra de nuevo el enlace del correo."},
	http.StatusMethodNotAllowed: {
		"No hay nada en esta dirección",
		"Solo recibe un formulario. Regrese a la página del formulario.",
	},
	http.StatusConflict: {"Esto no se puede hacer ahora", "No se cambió nada. Abra de nuevo el enlace del correo."},
	http.StatusRequestEntityTooLarge: {
		"Es demasiado",
		"No se envió nada. Regrese, acorte lo que escribió o elija archivos más pequeños, y envíelo de nuevo.",
	},
	http.StatusUnsupportedMediaType: {
		"Este formulario ya no es actual",
		"No se cambió nada. Cargue de nuevo la página y envíe su formulario.",
	},
	http.StatusTooManyRequests:     {"Demasiadas solicitudes", "No se cambió nada."},
	http.StatusInternalServerError: {"Algo falló de nuestro lado", "No es culpa suya y no se cambió nada."},
	http.StatusServiceUnavailable: {
		"No disponible ahora",
		"Ahora no podemos responder, y no se cambió nada. Suele pasar en un minuto.",
	},
}

// plainHeader is the header of a refusal, in the language of its reader.
func (v *Request) plainHeader(title string) kit.GuestHeader {
	h := GuestHeader(title, "")
	h.Spanish = v.Reads() == language.Spanish
	return h
}

// BilingualHeader is the header of a page for people with a link in their language, with the way to the other one.
func (v *Request) BilingualHeader(title [2]string, from, at string) kit.GuestHeader {
	h := GuestHeader("", from)
	h.Spanish, h.Other = v.Reads() == language.Spanish, kit.Link{Name: "Español", Path: at + language.InSpanish}
	if h.Spanish {
		h.Other = kit.Link{Name: "English", Path: at + "?lang=en"}
	}
	h.Title = h.Say(title[0], title[1])
	return h
}
