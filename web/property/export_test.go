package property_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/portfolio/rentroll/sheet"
	"portal/web/pagetest"
)

func TestListOfPropertiesLeadsToRentRollAsFile(t *testing.T) {
	e := newRecordPages(t)
	r := e.Member(access.Manager)
	list := r.Get("/test/properties?sort=newest")
	for name, format := range map[string]string{"Export rent roll (CSV)": "csv", "Export rent roll (Excel)": "xlsx"} {
		path := pagetest.Link(t, list, name)
		if path != "/test/import/export."+format {
			t.Errorf("%s leads to %s", name, path)
		}
		rec := r.Get(path)
		want := `attachment; filename="rent-roll-` + e.Now.Format("2006-01-02") + "." + format + `"`
		if got := rec.Header().Get("Content-Disposition"); rec.Code != http.StatusOK || got != want {
			t.Fatalf("%s: %d, %s, want %s", path, rec.Code, got, want)
		}
		file, err := sheet.Open(bytes.NewReader(rec.Body.Bytes()))
		e.OK(err)
		var all []string
		for file.Next() {
			all = append(all, file.Row().Cells...)
		}
		e.OK(file.Close())
		if p := file.Problem(); p != nil || !slices.Contains(all, "Whitfield") {
			t.Errorf("%s has %q, %v", path, all, p)
		}
		head := r.Send(http.MethodHead, path, nil, nil)
		if head.Body.Len() > 0 || head.Header().Get("Content-Disposition") != want {
			t.Errorf("HEAD of %s answers %v", path, head.Header())
		}
		if got := r.Get("/live/import/export." + format).Body.String(); strings.Contains(got, "Whitfield") {
			t.Errorf("the live portfolio has %q", got)
		}
		if rec := e.Guest().Get(path); rec.Code != http.StatusSeeOther {
			t.Errorf("a guest gets %d", rec.Code)
		}
	}
	if n := strings.Count(e.Trail(), "rent_roll.exported"); n != 4 {
		t.Errorf("the trail says %s", e.Trail())
	}
}
