package cell_test

import (
	"testing"

	"portal/api/portfolio/rentroll/cell"
)

func TestStatusSaysWhoLivesThere(t *testing.T) {
	t.Parallel()
	var (
		vacant   = cell.Occupancy{Vacant: true}
		occupied = cell.Occupancy{Occupied: true}
		notice   = cell.Occupancy{Occupied: true, Notice: true}
		monthly  = cell.Occupancy{Occupied: true, MonthToMonth: true}
		future   = cell.Occupancy{Future: true}
		past     = cell.Occupancy{Past: true}
		evicted  = cell.Occupancy{Occupied: true, Eviction: true}
	)
	for in, want := range map[string]cell.Occupancy{
		"Current": occupied, "CURRENT": occupied, "Occupied": occupied, "Active": occupied, "Rented": occupied,
		"Leased": occupied,
		"Vacant": vacant, "Vacant-Unrented": vacant, "Vacant Unrented Ready": vacant, "VACANT - NOT READY": vacant,
		"Vacant-Rented": {Vacant: true, Future: true}, "Vacant Leased": {Vacant: true, Future: true},
		"Notice-Unrented": notice, "Notice": notice, "On notice": notice, "NTV": notice, "Occupied - NTV": notice,
		"Current (Notice)": notice, "Notice-Rented": {Occupied: true, Notice: true, Future: true},
		"Occupied No Notice": occupied, "Active (month to month)": monthly, "MTM": monthly, "M-M": monthly,
		"m/m":            monthly,
		"Month-to-month": monthly, "Month to Month": monthly, "M-T-M": monthly,
		"Future (MTM)": {Future: true, MonthToMonth: true}, "Mes a mes": monthly,
		"Future": future, "Pending": future, "Past": past, "Moved out": past, "Moved-Out": past, "Expired": past,
		"Past (month to month)": {Past: true, MonthToMonth: true}, "Evict": evicted, "Eviction": evicted,
		"Current / Eviction": evicted, "Evicted": {Past: true, Eviction: true}, "Down": vacant, "Model": vacant,
		"Model Unit": vacant, "Ocupado": occupied, "Vacío": vacant, "Current, MTM": monthly, "Fixed term": occupied,
	} {
		if got, ok := cell.Status(in); !ok || got != want {
			t.Errorf("Status(%q) = %+v, %t; want %+v", in, got, ok, want)
		}
	}
	for _, in := range append(hostile(),
		"66.7% Occupied", "100.0% Occupied", "75.0% Occupied", "Not current", "Vacant Occupied", "Current/Past",
		"Vacant MTM",
		"M2M", "Vacant eviction", "Current Future", "Okafor, Amara", "-", "yes", "no", "active duty",
		"Past Future", "4 Units", "X",
		"Occupied?no", "N/A", "Current tenant owes", "unit", "the", "m", "to", "month",
	) {
		if got, ok := cell.Status(in); ok {
			t.Errorf("Status(%.40q) = %+v; want a refusal", in, got)
		}
	}
}
