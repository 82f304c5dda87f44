package mcp

import (
	"context"
	"reflect"
	"slices"

	"portal/api/access"
	"portal/api/change"
	"portal/api/operation"
)

// describe makes the tools, in the order in which they are listed.
func (e *Endpoint) describe() []*operation.Tool {
	return slices.Concat(e.overviews(), e.lists(), []*operation.Tool{e.summary(), e.readImport()}, e.changes())
}

// lists are the tools that list or retrieve records, as REST does.
func (e *Endpoint) lists() []*operation.Tool {
	return slices.Concat(e.readProperties(), e.readPeople(), e.readWork())
}

// changes are the tools that write.
func (e *Endpoint) changes() []*operation.Tool {
	return []*operation.Tool{e.updateProperty(), e.updateTenant(), e.createTicket(), e.updateTicket(), e.updateLease()}
}

// paged are the arguments that every list takes, behind its own.
func paged(own ...string) []string { return append(own, "limit", "starting_after") }

// types are those of several answers.
func types(of ...any) (all []reflect.Type) {
	for _, v := range of {
		all = append(all, reflect.TypeOf(v))
	}
	return all
}

// write is what every tool that changes a record takes besides.
type write struct {
	// Version last seen; refused if the record has changed since.
	Version *int64 `in:"query" name:"version" min:"1"`
	dryRun
}

func (w write) to(id string) change.Target { return change.Target{ID: id, Version: w.Version} }

// dryRun is what every tool that writes takes.
type dryRun struct {
	// Preview: validate and show the changes, save nothing.
	DryRun bool `in:"query" name:"dry_run" default:"false"`
}

// updates makes the entry of a tool that changes a record from the rule that does.
func updates[I aimed[U], U, T any](
	s operation.ToolSpec, call func(context.Context, access.Actor, change.Target, U) (*change.Result[T], error),
) *operation.Tool {
	return operation.Does(s, func(ctx context.Context, by access.Actor, in I) (*change.Result[T], error) {
		target, update := in.aim()
		return call(ctx, by, target, update)
	})
}

// aimed is the input of an update: the record with the version that was seen, and the change.
type aimed[U any] interface{ aim() (change.Target, U) }
