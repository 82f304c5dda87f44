package portfolio

// Site is where work may be done: a property or a unit of it, and who lives in the unit.
type Site struct {
	Property PropertyWithUnits
	Unit     *Unit   // nil for the property itself
	Tenants  []Party // of the unit's lease in force
}
