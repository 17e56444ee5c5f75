package query

import "testing"

func TestIsSQL(t *testing.T) {
	for literal, want := range map[string]bool{
		`"SELECT a FROM t WHERE x = 1"`:          true,
		"`\n  select a\n  from t\n`":             true,
		`"select 1"`:                             true,
		`"select version()"`:                     true,
		`'INSERT INTO t (a) VALUES (?)'`:         true,
		`f"UPDATE t SET a = {x}"`:                true,
		`"DELETE FROM t"`:                        true,
		`"DELETE FROM t WHERE 1"`:                true,
		`"CREATE TABLE IF NOT EXISTS t (a int)"`: true,
		`"WITH x AS (SELECT 1) SELECT * FROM x"`: true,
		`"select a file from the list"`:          true, // reads like SQL: a limit of the heuristic
		`"selected"`:                             false,
		`"Select one of the entries"`:            false,
		`"update the index"`:                     false,
		`"please select a from b"`:               false,
		`"create a table"`:                       false,
		`""`:                                     false,
	} {
		if got := isSQL([]byte(literal)); got != want {
			t.Errorf("%s: %v", literal, got)
		}
	}
}
