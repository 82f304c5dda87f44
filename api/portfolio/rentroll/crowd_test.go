package rentroll_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"portal/api/portfolio/rentroll"
)

const crowdHead = "address,city,state,unit,tenant,email,start,end,rent\n"

// Lines that all have something in common are not compared with each other for minutes.
func TestLinesOfOneUnitOrTenantTakeLittleTime(t *testing.T) {
	day := func(i int) string { return time.Date(1900, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly) }
	for name, line := range map[string]func(i int) string{
		"leases":     func(i int) string { return "1,A B,," + day(i) + "," + day(i) + ",1\n" },
		"co-tenants": func(i int) string { return fmt.Sprintf("1,A B%d,,2026-01-01,,1\n", i) },
		"one tenant": func(i int) string { return fmt.Sprintf("%d,A B,a@b.co,2026-01-01,,1\n", i) },
		"one cell":   func(int) string { return "1," + strings.Repeat("Al Bo & ", 400) + "Cy Do,,2026-01-01,,1\n" },
	} {
		file := strings.Builder{}
		file.WriteString(crowdHead)
		for i := range 40_000 {
			if name == "one cell" && i > 4000 {
				break
			}
			file.WriteString("1 A St,Ajo,AZ," + line(i))
		}
		_, problems := rentroll.Read(strings.NewReader(file.String()))
		if name != "one tenant" && !strings.Contains(fmt.Sprint(problems), "at most 300 leases and tenants") {
			t.Errorf("%s: the problems are %v", name, problems[:min(3, len(problems))])
		}
	}
}

func TestLineThatIsThereTwiceIsLeftOut(t *testing.T) {
	const line = "1 A St,Ajo,AZ,1,Ann Lee,ann@example.com,2026-01-01,,900\n"
	for _, file := range []string{
		line + line, strings.ReplaceAll(line+line, "ann@example.com", ""),
		line + strings.ReplaceAll(line, "Ann Lee", `"Lee, Ann"`),
	} {
		p := plan(t, crowdHead+file, nil)
		b := whole(p)
		if len(b.Leases) != 1 || len(b.Leases[0].TenantIDs) != 1 || len(b.Tenants) != 1 || p.Tenants != 1 {
			t.Errorf("%s: %+v of %d tenants", file, b.Leases, len(b.Tenants))
		}
		roll, _ := rentroll.Read(strings.NewReader(crowdHead + file))
		if !strings.Contains(fmt.Sprint(roll.Notes()), "tenant of line 2, and is left out") || !roll.Guesses() {
			t.Errorf("%s: the notes are %v", file, roll.Notes())
		}
	}
	file := crowdHead + "1 A St,Ajo,AZ,1,Ann Lee & Ann Lee,a@b.co; a@b.co,2026-01-01,,900\n"
	if b := whole(plan(t, file, nil)); len(b.Leases[0].TenantIDs) != 1 || len(b.Tenants) != 1 {
		t.Errorf("twice in a line: %+v", b.Leases[0].Tenants)
	}
}
