package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiffPlaces(t *testing.T) {
	patch := `diff --git a/a.py b/a.py
index 1..2 100644
--- a/a.py
+++ b/a.py
@@ -1 +1,2 @@ def f():
--- looks like a header
+++ b/so.does.this
+two
@@ -9,3 +9,0 @@
-a
-b
-c
diff --git a/new file.py b/new file.py
--- /dev/null
+++ b/new file.py	
@@ -0,0 +1,2 @@
+a
+b
\ No newline at end of file
diff --git a/gone.py b/gone.py
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-a
diff --git "a/gr\303\266\303\237e.py" "b/gr\303\266\303\237e.py"
--- "a/gr\303\266\303\237e.py"
+++ "b/gr\303\266\303\237e.py"
@@ -4 +5 @@
-a
+b
diff --git a/pic.png b/pic.png
Binary files a/pic.png and b/pic.png differ
`
	got, err := diffPlaces([]byte(patch))
	want := []string{"a.py:1-2", "a.py:9-10", "new file.py", "gone.py", "größe.py:5-5"}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v %s", err, d)
	}
}
