package sheet

import (
	"bytes"
	"strings"
)

// sniffed is how many bytes tell what a file is.
const sniffed = 1024

// zipMagic begins a .xlsx file, and others that are packed.
const zipMagic = "PK\x03\x04"

// Sentences about files that hold no table that can be read.
const (
	noTable  = "This file is no table. Upload a CSV or .xlsx file."
	oldExcel = "This is an old or a protected Excel file. Save it as .xlsx without a password."
	openDoc  = "This is an OpenDocument spreadsheet. Save it as .xlsx or CSV."
	numbers  = "This is a Numbers file. Export it as an Excel (.xlsx) or CSV file."
	xlsb     = "This is a binary Excel workbook (.xlsb). Save it as .xlsx."
	webPage  = "This is a web page, not a table, whatever its name says. Open it in Excel and save it as .xlsx."
	isXML    = "This is an XML file. Open it in Excel and save it as .xlsx."
	isPDF    = "This is a PDF, not a table. Export the rent roll as a CSV or .xlsx file."
	picture  = "This is a picture, not a table. Upload a CSV or .xlsx file."
	packed   = "This is an archive. Unpack it, and upload the CSV or .xlsx file that is in it."
	document = "This is a document, not a table. Upload a CSV or .xlsx file."
)

// magic are the first bytes of files that are no text.
var magic = []struct{ prefix, message string }{
	{"\xd0\xcf\x11\xe0", oldExcel},
	{"\x09\x08\x10\x00", oldExcel}, // Excel 95 and older, without a container
	{"\x09\x08\x08\x00", oldExcel},
	{"\x09\x04\x06\x00", oldExcel},
	{"%PDF", isPDF},
	{"\x89PNG", picture},
	{"\xff\xd8\xff", picture},
	{"GIF8", picture},
	{"II*\x00", picture},
	{"MM\x00*", picture},
	{"\x1f\x8b", packed},
	{"7z\xbc\xaf\x27\x1c", packed},
	{"Rar!\x1a", packed},
	{"PK\x05\x06", packed},
	{`{\rtf`, document},
}

// markup are the first letters of web pages and of XML, in small letters.
var markup = []struct{ prefix, message string }{
	{"<!doctype html", webPage},
	{"<html", webPage},
	{"<head", webPage},
	{"<meta", webPage},
	{"<body", webPage},
	{"<style", webPage},
	{"<div", webPage},
	{"<table", webPage},
	{"mime-version:", webPage},
	{"<?xml", isXML},
}

// foreign says what a file is by its first bytes, "" if it is text.
func foreign(start []byte) string {
	for _, m := range magic {
		if bytes.HasPrefix(start, []byte(m.prefix)) {
			return m.message
		}
	}
	if len(start) >= 12 && (string(start[4:8]) == "ftyp" || string(start[8:12]) == "WEBP") {
		return picture // ftyp is HEIC's
	}
	letters := strings.ToLower(string(bytes.TrimSpace(bytes.TrimPrefix(start, []byte(utf8BOM)))))
	for _, m := range markup {
		if strings.HasPrefix(letters, m.prefix) {
			return m.message
		}
	}
	if utf16Order(start) == nil && controls(start) > 4+len(start)/16 {
		return noTable
	}
	return ""
}

// controls counts the control characters that no text has.
func controls(start []byte) (n int) {
	for _, b := range start {
		if b < ' ' && (b < '\t' || b > '\r') || b == 0x7f {
			n++
		}
	}
	return n
}
