package resident_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"portal/web/pagetest"
)

// sends posts a form with pictures, and gives the answer.
func sends(
	t *testing.T, pages http.Handler, path string, fields map[string]string, pictures ...[]byte,
) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range fields {
		pagetest.Must(t, form.WriteField(name, value))
	}
	for i, p := range pictures {
		w, err := form.CreateFormFile("photos", strconv.Itoa(i)+".jpg")
		pagetest.Must(t, err)
		_, err = w.Write(p)
		pagetest.Must(t, err)
	}
	pagetest.Must(t, form.Close())
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	w := httptest.NewRecorder()
	pages.ServeHTTP(w, r)
	return w
}

// aPicture is one that is taken.
func aPicture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	pagetest.Must(t, jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 64, 64)), nil))
	return b.Bytes()
}

func TestPhotoErrorsAppearAboveForm(t *testing.T) {
	pages, path := newTenantPage(t)
	report := map[string]string{"form": "1", "description": "La llave gotea.", "entry_permission": "granted"}
	w := sends(t, pages, path+"/tickets?lang=es", report, []byte("no picture"))
	_, alert, found := strings.Cut(w.Body.String(), `role="alert"`)
	alert, _, _ = strings.Cut(alert, "<form")
	if w.Code != http.StatusUnprocessableEntity || !found || !strings.Contains(alert, "Foto 1: El archivo no es") {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
}

func TestPhotoLimitErrorIsInPageLanguage(t *testing.T) {
	pages, path := newTenantPage(t)
	p := aPicture(t)
	report := map[string]string{"form": "1", "description": "La llave gotea.", "entry_permission": "granted"}
	w := sends(t, pages, path+"/tickets?lang=es", report, p, p, p, p)
	ticket, _, _ := strings.Cut(w.Header().Get("Location"), "?")
	if w.Code != http.StatusSeeOther || ticket == "" {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	w = sends(t, pages, ticket+"/comments?lang=es", map[string]string{"form": "2", "words": "Más fotos"}, p, p)
	if body := w.Body.String(); w.Code != http.StatusBadRequest ||
		!strings.Contains(body, "Una solicitud tiene 5 fotos como máximo.") ||
		strings.Contains(body, "A ticket takes") || !strings.Contains(body, "Más fotos") {
		t.Errorf("%d: %s", w.Code, body)
	}
}
