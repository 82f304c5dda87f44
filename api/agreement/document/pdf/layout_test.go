package pdf_test

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/document/pdf"
	"portal/api/portfolio/lease/terms"
)

// line is one line of a page, with where it ends from the top in points.
type line struct {
	text   string
	bottom float64
}

var (
	words   = regexp.MustCompile(`<word xMin="[\d.]+" yMin="[\d.]+" xMax="[\d.]+" yMax="([\d.]+)">([^<]*)</word>`)
	heading = regexp.MustCompile(`^(\d+|[A-Z])\. `)
)

// Where the body of a page lies, in points from the top.
const (
	bodyTop    = 50.0
	bodyBottom = 740.0
	bodyMiddle = (bodyTop + bodyBottom) / 2
)

// pages are the lines of each page, without what stands above and below all of them.
func pages(t *testing.T, content []byte) (all [][]line) {
	t.Helper()
	out := documenttest.Tool(t, content, "pdftotext", "-bbox", "FILE", "-")
	for _, page := range strings.Split(out, "<page ")[1:] {
		var lines []line
		for _, m := range words.FindAllStringSubmatch(page, -1) {
			y, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			if y < bodyTop || y > bodyBottom {
				continue
			}
			i := slices.IndexFunc(lines, func(l line) bool { return math.Abs(l.bottom-y) < 3 })
			if i < 0 {
				lines = append(lines, line{m[2], y})
				continue
			}
			lines[i].text += " " + m[2]
		}
		slices.SortFunc(lines, func(a, b line) int { return cmp.Compare(a.bottom, b.bottom) })
		all = append(all, lines)
	}
	return all
}

// variants are a lease as it is, with every disclosure answered, and with next to nothing agreed.
func variants(of *document.Terms) []*document.Terms {
	answered, bare := *of, *of
	lease := *of.Lease
	answered.Lease = &lease
	documenttest.Answer(&answered, true)
	few := *of.Lease
	few.Terms, few.Tenants = terms.Terms{}, few.Tenants[:1]
	bare.Lease, bare.Emails = &few, of.Emails[:1]
	return []*document.Terms{of, &answered, &bare}
}

func TestPageBreaksKeepBlocksTogether(t *testing.T) {
	t.Parallel()
	for of := range documenttest.Some() {
		t.Run(string(of.Property.State)+" "+string(of.Lease.LeaseType), func(t *testing.T) {
			t.Parallel()
			for _, v := range variants(of) {
				all := pages(t, render(t, v))
				checkPages(t, all, len(document.Compose(v).Front))
				title := "26. Signatures"
				if len(v.Lease.GuarantorIDs()) > 0 {
					title = "27. Signatures"
					checkSignatures(t, all, "26. Guaranty", "Ada Márquez")
				}
				checkSignatures(t, all, title, v.Lease.Tenants[0].Name)
			}
		})
	}
}

// checkPages looks at the end of every page but the last, behind those at the front.
func checkPages(t *testing.T, all [][]line, front int) {
	t.Helper()
	if len(all) < 5 {
		t.Fatalf("%d pages", len(all))
	}
	for i, lines := range all {
		last := lines[len(lines)-1]
		if heading.MatchString(last.text) || strings.HasSuffix(last.text, ":") {
			t.Errorf("page %d ends with %q", i+1, last.text)
		}
		if i >= front && i < len(all)-1 && last.bottom < bodyMiddle {
			t.Errorf("page %d ends with %q, %.0f points from the top", i+1, last.text, last.bottom)
		}
	}
}

// checkSignatures looks for the first one below the title of its section, on the same page.
func checkSignatures(t *testing.T, all [][]line, title, first string) {
	t.Helper()
	for _, lines := range all {
		i := slices.IndexFunc(lines, func(l line) bool { return strings.HasPrefix(l.text, title) })
		if i >= 0 {
			if !signedBelow(lines[i:], first) {
				t.Errorf("%s does not sign below the title: %v", first, lines[i:])
			}
			return
		}
	}
	t.Error("nobody signs")
}

// signedBelow reports whether a name stands beside a date.
func signedBelow(lines []line, name string) bool {
	for _, l := range lines {
		if strings.HasPrefix(l.text, name) && strings.HasSuffix(l.text, "Date") {
			return true
		}
	}
	return false
}

func TestIllinoisLeaseBeginsWithSummaryPage(t *testing.T) {
	t.Parallel()
	all := pages(t, render(t, documenttest.Terms("IL")))
	if got := all[0][0].text; got != "Summary of rights: Safer Homes Act (765 ILCS 750)" {
		t.Errorf("the first page begins with %q", got)
	}
	if got := all[1][0].text; got != "Residential lease" {
		t.Errorf("the second page begins with %q", got)
	}
}

func TestTableRepeatsHeaderOnNextPage(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("CA")
	for range 8 {
		of.Lease.Terms.Fees = append(of.Lease.Terms.Fees, of.Lease.Terms.Fees...)
		if len(of.Lease.Terms.Fees) > 40 {
			break
		}
	}
	for i, lines := range pages(t, render(t, of))[1:3] {
		if got := lines[0].text; got != "Charge Amount When Refundable" {
			t.Errorf("page %d begins with %q", i+2, got)
		}
	}
}

// placed is a word of a page with where it begins and ends from the left, and where it ends from the top.
var placed = regexp.MustCompile(`<word xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)" yMax="([\d.]+)">([^<]*)</word>`)

func TestLongNameDoesNotRunOverDate(t *testing.T) {
	t.Parallel()
	for what, name := range map[string]string{
		"one word":   strings.Repeat("W", 255),
		"many words": strings.TrimSpace(strings.Repeat("Wilhelmina ", 23)),
	} {
		of := documenttest.Terms("IL")
		for i := range of.Lease.Tenants {
			of.Lease.Tenants[i].Name = name
		}
		of.Landlord.Name, of.Landlord.Signer, of.Landlord.Title = name, name, strings.Repeat("O", 60)
		of.Lease.RentalAddress = strings.Repeat("M", 150) + " Avenue, Springfield, IL 62701"
		d := document.Compose(of)
		c := documenttest.Certificate()
		c.Signed[0].Typed = name
		e, err := d.Execute(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []*document.Document{d, e} {
			content, err := pdf.Render(d, made)
			if err != nil {
				t.Fatal(err)
			}
			dates := 0
			boxes := documenttest.Tool(t, content, "pdftotext", "-bbox", "FILE", "-")
			for _, page := range strings.Split(boxes, "<page ")[1:] {
				dates += checkPlaces(t, what, placed.FindAllStringSubmatch(page, -1))
			}
			if dates != 6 { // four parties, and two of them at the front
				t.Errorf("%s: %d signatures", what, dates)
			}
		}
	}
}

// checkPlaces finds words beyond the margin, and names that reach into the column of the date. It counts the dates.
func checkPlaces(t *testing.T, what string, all [][]string) (dates int) {
	t.Helper()
	at := func(s string) float64 {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, w := range all {
		if at(w[2]) > 612-60+1 {
			t.Errorf("%s: %q ends %s points from the left", what, w[4], w[2])
		}
		if w[4] != "Date" || at(w[1]) < 380 || at(w[1]) > 400 {
			continue
		}
		dates++
		for _, o := range all {
			if math.Abs(at(o[3])-at(w[3])) < 8 && at(o[1]) < at(w[1]) && at(o[2]) > at(w[1])-20 {
				t.Errorf("%s: %q runs over the date: it ends at %s of %s", what, o[4], o[2], w[1])
			}
		}
	}
	return dates
}
