package main

import (
	"database/sql"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// TestClientDisconnectIsNotAnError has clients go while their requests wait for a lock.
func TestClientDisconnectIsNotAnError(t *testing.T) {
	eachDatabase(t, func(t *testing.T, s *httpServer) {
		browser := newPlainBrowser(t, s.server.http.Handler, demoLandlord, s.demo.Password)
		cookie := "Cookie: "
		for _, c := range browser.cookies {
			cookie += c.Name + "=" + c.Value + "; "
		}
		token := browser.token("/test/properties/new")
		form := "token=" + token +
			"&once=hangup&street_address=1+Quay+Street&city=Austin&state=TX&property_type=condo&unit_number=1"
		key, jsonType := "Authorization: Bearer "+s.demo.TestKey, "\r\nContent-Type: application/json"
		write := `{"street_address":"7 Quay Street","city":"Austin","state":"TX"}`
		call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_properties","arguments":{}}}`
		requests := []string{
			request("POST", "/api/v1/external/properties", key+jsonType, write),
			request(
				"POST",
				"/test/properties/new",
				cookie+"\r\nContent-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin",
				form,
			),
		}
		if s.product.DB.SQLite() == nil { // there a read waits too
			requests = append(requests, request(
				"GET",
				"/api/v1/external/properties",
				key,
				"",
			), request("GET", "/test/properties", cookie, ""),
				request("POST", "/mcp", key+jsonType, call))
		}
		free := s.lock(t)
		for _, r := range requests {
			conn := s.dial(t)
			_, err := io.WriteString(conn, r)
			orFail(t, err)
			s.waits(t)
			orFail(t, conn.Close())
			eventually(t, "the request that nobody waits for has ended", func() bool { return s.running.Load() == 0 })
		}
		free()
		s.noErrors(t)
		eventually(t, "the request log tells of clients that went away", func() bool {
			return s.home.value(
				t,
				"SELECT count(*) FROM requests WHERE status = 499",
			) == fmt.Sprint(
				len(requests)-strings.Count(strings.Join(requests, ""), cookie),
			)
		})
	})
}

func request(method, path, headers, body string) string {
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: portal\r\n%s\r\nContent-Length: %d\r\n\r\n%s",
		method, path, headers, len(body), body)
}

// lock has all that wants to write properties wait, and on PostgreSQL all that reads them.
func (s *httpServer) lock(t *testing.T) (free func()) {
	t.Helper()
	d, err := sql.Open("pgx", s.product.config.databaseURL)
	if s.product.DB.SQLite() != nil {
		d, err = sql.Open("sqlite", "file:"+s.product.config.file("portal.db")+"?_txlock=immediate")
	}
	orFail(t, err)
	tx, err := d.BeginTx(t.Context(), nil)
	orFail(t, err)
	if s.product.DB.SQLite() == nil {
		_, err = tx.ExecContext(t.Context(), "LOCK TABLE properties IN ACCESS EXCLUSIVE MODE")
		orFail(t, err)
	}
	return func() {
		_ = tx.Rollback()
		_ = d.Close()
	}
}

// waits returns once the request that was sent has come to where it waits.
func (s *httpServer) waits(t *testing.T) {
	t.Helper()
	eventually(t, "the request is with its handler", func() bool { return s.running.Load() > 0 })
	<-time.After(100 * time.Millisecond) // until it has come to the lock
	if s.running.Load() == 0 {
		t.Fatal("the request did not wait for the lock")
	}
}
