// Package property is the pages of properties and units and of imports of rent rolls.
//
// It knows no other section and no SQL.
package property

import (
	"portal/api/developer"
	"portal/api/id"
	"portal/api/portfolio/property/verification"
	"portal/api/portfolio/records"
	"portal/api/portfolio/rentroll/export"
	"portal/api/portfolio/upload"
	"portal/web/page"
)

// Config is what the pages of properties and units and of imports need.
type Config struct {
	Portfolio     *records.Service
	Verifications *verification.Verifications
	Imports       *upload.Service
	Developer     *developer.Service // takes requests for more units than the plan has
}

// Section is the pages of properties and units and of imports.
type Section struct {
	*page.Shell
	Config
}

// New makes the section on the shell of all pages.
func New(shell *page.Shell, c Config) *Section {
	return &Section{shell, c}
}

// Routes are the pages of the section.
func (p *Section) Routes() []page.Route {
	of := page.With(id.Property, p.thisProperty)
	unit := page.With(id.Unit, p.Portfolio.Homes.Home)
	takes := page.PostFiles("/{mode}/import", page.Member, upload.MaxSize+page.FormSize, p.takeRoll)
	return []page.Route{
		page.Get("/{mode}/properties", page.Member, p.properties),
		page.Get("/{mode}/properties.csv", page.Member, p.exportProperties),
		page.Get("/{mode}/properties/new", page.Member, p.newProperty),
		page.Post("/{mode}/properties/new", page.Member, p.newProperty).Once(),
		page.Get("/{mode}/properties/:id", page.Member, p.property),
		page.Get("/{mode}/properties/:id/edit", page.Member, of(p.editProperty)),
		page.Post("/{mode}/properties/:id/edit", page.Member, of(p.editProperty)),
		page.Get("/{mode}/properties/:id/archive", page.Member, of(p.archive)),
		page.Post("/{mode}/properties/:id/archive", page.Member, of(p.archive)),
		page.Get("/{mode}/properties/:id/restore", page.Member, of(p.restore)),
		page.Post("/{mode}/properties/:id/restore", page.Member, of(p.restore)),
		page.Get("/{mode}/properties/:id/verify", page.Member, of(p.verify)),
		page.Post("/{mode}/properties/:id/verify", page.Member, of(p.verify)).Once(),
		page.Get("/{mode}/properties/:id/units/new", page.Member, of(p.newUnit)),
		page.Post("/{mode}/properties/:id/units/new", page.Member, of(p.newUnit)).Once(),
		page.Get("/{mode}/units", page.Member, p.allUnits),
		page.Get("/{mode}/units/:id", page.Member, unit(p.unit)),
		page.Get("/{mode}/units/:id/edit", page.Member, unit(p.editUnit)),
		page.Post("/{mode}/units/:id/edit", page.Member, unit(p.editUnit)),
		page.Get("/{mode}/units/:id/off-market", page.Member, unit(p.offMarket)),
		page.Post("/{mode}/units/:id/off-market", page.Member, unit(p.offMarket)),
		page.Get("/{mode}/units/:id/on-market", page.Member, unit(p.onMarket)),
		page.Post("/{mode}/units/:id/on-market", page.Member, unit(p.onMarket)),
		page.Get("/{mode}/import", page.Member, page.Asks(p.importsPage)),
		takes.After(p.readRoll).Once(),
		page.Get("/{mode}/import/sample.csv", page.Member, p.sampleRoll),
		page.Get("/{mode}/import/export.csv", page.Member, p.exportRoll(export.CSV)),
		page.Get("/{mode}/import/export.xlsx", page.Member, p.exportRoll(export.XLSX)),
		page.Get("/{mode}/import/:id", page.Member, page.With(id.Import, p.Imports.Upload)(p.rollHere)),
		page.Post("/{mode}/import/:id", page.Member, rollAct(p.confirmImport)).Once(),
		page.Post("/{mode}/import/:id/check", page.Member, rollAct(p.checkImport)),
		page.Post("/{mode}/import/:id/columns", page.Member, p.answerColumns),
		page.Post("/{mode}/import/:id/answers", page.Member, p.answerQuestions),
		page.Post("/{mode}/import/:id/changes", page.Member, rollAct(p.tickChanges)),
		page.Get("/{mode}/import/:id/changes", page.Member, page.With(id.Import, p.Imports.Upload)(p.changesHere)),
		page.Get("/{mode}/import/:id/plan", page.Member, page.With(id.Import, p.Imports.Upload)(p.planHere)),
		page.Post("/{mode}/import/:id/discard", page.Member, rollAct(p.discardImport)),
		page.Post("/{mode}/import/:id/units", page.Member, rollAct(p.askForUnits)),
	}
}
