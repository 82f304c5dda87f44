package property_test

import (
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/db/portfoliostore"
	"portal/db/rows"
	"portal/web/pagetest"
)

// A search that ends before it has found anything says how far it came, and leads on. Its file is complete.
func TestSearchThatIsNotAtItsEndLeadsOn(t *testing.T) {
	e := newRecordPages(t)
	r := e.Member(access.Manager)
	book := &portfolio.Book{}
	for i := range 40 {
		at := e.Now.Add(time.Duration(i+1) * time.Second)
		book.Tenants = append(book.Tenants, portfolio.Tenant{
			Record: portfolio.Record{
				ID: id.New(id.Tenant, at), Version: 1, CreatedAt: clock.At(at), UpdatedAt: clock.At(at),
			},
			FirstName: "Alex",
			LastName:  "Novak",
			Status:    portfolio.TenantProspect,
		})
	}
	e.OK(portfoliostore.New(e.DB).AddPeople(e.Context(), e.Home.Test, book))
	rows.ReadInOrder(e.DB)
	rows.BoundWalks(e.DB, 30, 10, time.Hour)
	first := r.Get("/test/tenants?search=whitfield")
	r.Says(first, 200, "No match so far")
	r.Says(first, 200, "Searched back to ")
	next := r.Get(pagetest.Link(t, first, "Search older records"))
	r.Says(next, 200, "Dana Whitfield")
	r.Says(next, 200, "Sam Whitfield")
	if strings.Contains(next.Body.String(), "Searched back to") {
		t.Error("the last page says that others follow")
	}

	rows.BoundWalks(e.DB, 41, 41, time.Hour)
	some := r.Get("/test/tenants?search=whitfield")
	r.Says(some, 200, "Sam Whitfield")
	r.Says(some, 200, "The next page searches older records.")

	file := r.Get("/test/tenants.csv?search=whitfield").Body.String()
	if n := strings.Count(file, "Whitfield"); n != 2 {
		t.Errorf("the file has %d tenants: %s", n, file)
	}
}
