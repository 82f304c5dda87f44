package rentroll_test

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// numbered are so many units of one address.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "1 A St,Austin,TX,%d\n", i)
	}
	return b.String()
}

// generated is a rent roll of so many units, made while it is read: houses of
// eight units, three of four let, one tenant in twenty with two leases.
func generated(units int) io.Reader {
	r, w := io.Pipe()
	go func() {
		b := bufio.NewWriter(w)
		writeRoll(b, units)
		_ = b.Flush() // the reader's close is the only error
		_ = w.Close()
	}()
	return r
}

func writeRoll(w io.Writer, units int) {
	fmt.Fprintln(
		w,
		"street_address,city,state,postal_code,property_type,year_built,unit_number,bedrooms,bathrooms,square_feet,market_rent,tenant_first_name,tenant_last_name,tenant_email,tenant_phone,lease_start,lease_end,monthly_rent,security_deposit",
	)
	cities := []string{"Austin,TX,78701", "Denver,CO,80202", "Boston,MA,02139", "Portland,OR,97201"}
	for i := range units {
		house := i / 8
		fmt.Fprintf(w, "%d Maple Avenue,%s,apartment,%d,%d%c,%d,%d.5,\"%d,%03d\",\"$1,%03d.00\",",
			100+house, cities[house%len(cities)], 1900+house%120, i%8/2+1, 'A'+i%2, i%4, i%3, 1+i%2, i%1000, i%1000)
		if i%4 == 3 {
			fmt.Fprintln(w, ",,,,,,,")
			continue
		}
		tenant := i
		if i%20 == 0 && i > 0 {
			tenant = i - 20 + 1 // lives here too
		}
		fmt.Fprintf(w, "First%d,Last%d,tenant%d@example.com,(512) 555-01%02d,%d/1/%d,%s,1%03d.50,1%03d\n",
			tenant%97, tenant%997, tenant, tenant%100, i%12+1, 2025+i%3, []string{
				"", "2027-12-31",
			}[i%2], i%1000, i%1000)
	}
}
