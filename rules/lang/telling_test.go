package lang_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kmemd/kmemd/rules/lang"
)

func TestTellFailure(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, output, want string }{
		{"go test", "--- FAIL: TestCart (0.00s)\n    cart_test.go:12: got 1, want 2\nFAIL\nFAIL\tshop/cart\t0.4s\nFAIL\n", "--- FAIL: TestCart (0.00s) / cart_test.go:12: got 1, want 2"},
		{"go test verbose", "=== RUN   TestCart\n    cart_test.go:12: got 1, want 2\n--- FAIL: TestCart (0.00s)\nFAIL\nexit status 1\nFAIL\tshop\t0.4s", "cart_test.go:12: got 1, want 2 / --- FAIL: TestCart (0.00s)"},
		{"go build", "# shop/cart\n./cart.go:5:2: undefined: Sum\n", "./cart.go:5:2: undefined: Sum"},
		{"go build, many", "# shop\n./a.go:5:2: undefined: A\n./b.go:6:2: undefined: B\n./c.go:7:2: undefined: C\n", "./a.go:5:2: undefined: A / ./c.go:7:2: undefined: C"},
		{"go panic", "panic: runtime error: index out of range [3]\n\ngoroutine 1 [running]:\nmain.main()\n\t/x/main.go:9 +0x1\nexit status 2\n", "panic: runtime error: index out of range [3]"},
		{"testify", "=== RUN   TestCart\n    cart_test.go:12: \n        \tError Trace:\t/x/cart_test.go:12\n        \tError:      \tAn error is expected but got nil.\n        \tTest:       \tTestCart\n--- FAIL: TestCart (0.00s)\nFAIL", "Error: An error is expected but got nil. / --- FAIL: TestCart (0.00s)"},
		{"pytest", "=== test session starts ===\ncollected 3 items\n\ntest_cart.py ..F\n\n    def test_sum():\n>       assert total() == 2\nE       assert 1 == 2\n\ntest_cart.py:9: AssertionError\n=== short test summary info ===\nFAILED test_cart.py::test_sum - assert 1 == 2\n=== 1 failed, 2 passed in 0.1s ===", "E assert 1 == 2 / FAILED test_cart.py::test_sum - assert 1 == 2"},
		{"traceback", "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f()\nValueError: no cart\n", "ValueError: no cart"},
		{"tsc", "Exit code 2\n> tsc --noEmit\n\nsrc/a.ts(4,6): error TS2345: Argument of type 'x'.\nsrc/b.ts(1,2): error TS2554: Expected 3 arguments.\n ELIFECYCLE  Command failed with exit code 2.", "src/a.ts(4,6): error TS2345: Argument of type 'x'. / src/b.ts(1,2): error TS2554: Expected 3 arguments."},
		{"jest", "FAIL src/cart.test.ts\n  ● cart › sums\n\n    expect(received).toBe(expected)\n\n    Expected: 2\n    Received: 1\n\nTests: 1 failed, 3 passed, 4 total", "● cart › sums / Received: 1"},
		{"cargo", "error[E0382]: use of moved value: `cart`\n --> src/main.rs:4:5\nerror: aborting due to previous error\n\nerror: could not compile `shop`", "error[E0382]: use of moved value: `cart` / error: could not compile `shop`"},
		{"npm", "npm ERR! code ENOENT\nnpm ERR! syscall open\nnpm ERR! path /x/package.json\nnpm ERR! enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/x/package.json'\nnpm ERR! A complete log of this run can be found in: /x/log", "npm ERR! enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/x..."},
		{"node", "node:internal/modules/cjs/loader:1\n  throw err;\n  ^\n\nError: Cannot find module 'cart'\nRequire stack:\n- /x/a.js\n    at Function._load (node:internal:1:2)\n  code: 'MODULE_NOT_FOUND',\n\nNode.js v22.1.0", "Error: Cannot find module 'cart'"},
		{"git push", "To github.com:ana/shop.git\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'github.com:ana/shop.git'\nhint: Updates were rejected", "! [rejected] main -> main (fetch first) / error: failed to push some refs to 'github.com:ana/shop.git'"},
		{"missing file", "cat: cart.go: No such file or directory", "cat: cart.go: No such file or directory"},
		{"exit code only", "Exit code 2", "Exit code 2"},
		{"exit code and words", "Exit code 1\nplease give a cart", "Exit code 1"},
		{"no words of failure", "the first\nthe last", "the last"},
		{"wrapper", "<tool_use_error>Cart is missing</tool_use_error>", "Cart is missing"},
		{"colours", "\x1b[31merror\x1b[0m: no cart\n", "error: no cart"},
		{"progress bar", "10%\r50%\rerror: disk full", "error: disk full"},
		{"zero is no failure", "0 errors\nfound 0 problems\nfatal: no cart", "fatal: no cart"},
		{"long", "error: " + strings.Repeat("x", 200), "error: " + strings.Repeat("x", 88) + "..."},
		{"rules only", "=====\n-----\n", ""},
		{"empty", "", ""},
	} {
		if got := lang.TellFailure(tt.output); got != tt.want {
			t.Errorf("%s: TellFailure = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestTellSuccess(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, output, want string }{
		{"go test", "ok  \tshop/cart\t0.3s\n", "ok shop/cart 0.3s"},
		{"go test, many", "ok  \tshop/a\t0.3s\nok  \tshop/b\t0.2s\nok  \tshop/c\t(cached)\n", "ok shop/b 0.2s / ok shop/c (cached)"},
		{"pytest", "collected 12 items\n....\n=== 12 passed in 0.3s ===\n", "collected 12 items / 12 passed in 0.3s"},
		{"commit", "[main abc1234] Add the cart\n 2 files changed, 7 insertions(+)\n create mode 100644 cart.go\n", "[main abc1234] Add the cart / 2 files changed, 7 insertions(+)"},
		{"push", "To github.com:ana/shop.git\n   030d80d..acf21f1  main -> main\n", "030d80d..acf21f1 main -> main"},
		{"pull request", "Creating pull request\nhttps://github.com/ana/shop/pull/7\n", "https://github.com/ana/shop/pull/7"},
		{"lint", "$ biome check .\nChecked 272 files in 106ms. No fixes applied.", "Checked 272 files in 106ms. No fixes applied."},
		{"echoes only", "> shop@1.0.0 lint /home/ana/shop\n> eslint src\n", "ok"},
		{"task runner", "[fmt] $ gofmt -s -w .\n", "ok"},
		{"the sum rather than the tests", "  ✔ sums\n  ✔ adds (3ms)\n  35 passing (6s)\n✔ Found existing install in /home/ana/.vscode-test\n", "35 passing (6s) / ✔ Found existing install in /home/ana/.vscode-test"},
		{"errors on the way", "error: failed to push some refs to 'x'\nhttps://github.com/ana/shop/pull/7\n", "https://github.com/ana/shop/pull/7"},
		{"packages without tests", "ok  \tshop/cart\t0.3s\nok  \tshop/a\t0.3s [no tests to run]\n?   \tshop/b\t[no test files]\n", "ok shop/cart 0.3s"},
		{"a bare verdict", "PASS\nok  \tshop/cart\t0.3s\n3 files changed\n", "ok shop/cart 0.3s / 3 files changed"},
		{"cargo", "running 3 tests\n...\ntest result: ok. 3 passed; 0 failed\n", "running 3 tests / test result: ok. 3 passed; 0 failed"},
		{"maven", "[INFO] Tests run: 5, Failures: 0\n[INFO] BUILD SUCCESS\n", "Tests run: 5, Failures: 0 / BUILD SUCCESS"},
		{"no verdict", "one\ntwo\nthree", "three"},
		{"acknowledgement", "The file cart.go has been updated successfully.", "ok"},
		{"acknowledgement behind the news", "3 rows\nShell cwd was reset to /home/ana/shop", "3 rows"},
		{"nothing", "\n \n-----\n", "ok"},
		{"empty", "", "ok"},
		{"colours", "\x1b[32m✓ 3 tests passed\x1b[0m", "✓ 3 tests passed"},
		{"the same line twice", "All checks passed!\nAll checks passed!", "All checks passed!"},
		{"far from the end", "12 passed\n" + strings.Repeat("a line of the shop\n", 100) + "last", "last"},
	} {
		if got := lang.TellSuccess(tt.output); got != tt.want {
			t.Errorf("%s: TellSuccess = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestFailureVerdict(t *testing.T) {
	t.Parallel()
	for _, output := range []string{
		"--- FAIL: TestCart (0.00s)", "FAIL", "FAIL\tshop/cart\t0.4s", "FAIL\tshop [build failed]", "./cart.go:5:2: undefined: Sum", "vet: ./cart.go:5:2: undefined: Sum",
		"cart_test.go:3:1: expected 'package'", "panic: nil map", "=== 1 failed, 19 passed in 2s ===", "FAILED test_cart.py::test_sum", "E   assert 1 == 2", "2 errors in 0.1s",
		"Traceback (most recent call last):\n  x\nValueError: y", "Tests:       1 failed, 5 passed, 6 total", "Test Suites: 1 failed, 2 total", " Test Files  1 failed | 3 passed (4)",
		"  ✕ sums (3 ms)", "  2 failing", " 1 fail", "(fail) cart > sums", "error[E0382]: use of moved value", "error: could not compile `shop`", "test result: FAILED. 3 passed; 1 failed",
		"src/a.ts(4,6): error TS2345: x", "src/a.ts:4:6 - error TS2345: x", "Found 2 errors in 1 file.", "Found 1 error.", "✖ 3 problems (1 error, 2 warnings)", "a.js\n  3:5  error  'x' is unused  no-unused-vars",
		"make: *** [Makefile:3: test] Error 2", "ninja: build stopped: subcommand failed.", "CMake Error at CMakeLists.txt:3", "[ERROR] COMPILATION ERROR", "[INFO] BUILD FAILURE",
		"BUILD FAILED in 3s", "3 tests completed, 1 failed", "Build FAILED.", "Cart.cs(3,4): error CS1002: ; expected", "Failed!  - Failed:     1, Passed:    10", "12 examples, 1 failure",
		"FAILURES!\nTests: 3, Assertions: 4, Failures: 1.", "Tests: 3, Assertions: 4, Failures: 1.", "10 runs, 20 assertions, 1 failures, 0 errors, 0 skips", "Found 3 errors.", "a.py:1:80: E501 line too long",
		"a.py:3: error: bad type", "5 issues:\n* errcheck: 5", "1 issues:", "npm ERR! Test failed", "npm error code 1", " ELIFECYCLE  Command failed with exit code 1.", "error Command failed with exit code 1.",
		"error: script \"test\" exited with code 1", "3 files inspected, 2 offenses detected", "not ok 3 - cart", "** TEST FAILED **", "1 file would be reformatted", "would reformat cart.py",
		"[warn] Code style issues found in 2 files.", "2 errors, 0 warnings, 0 informations", "Some tests failed.", "90% tests passed, 1 tests failed out of 10", "undefined reference to `sum'", "[lint] ERROR task failed",
		"/usr/bin/bash: line 1: go: command not found\nℹ pass 50\nℹ fail 0", "Error: no cart", "\x1b[31mFAIL\x1b[0m src/cart.test.ts", "cart.c:3:5: error: expected ';'",
	} {
		if !lang.FailureVerdict(output) {
			t.Errorf("FailureVerdict(%q) = false", output)
		}
	}
	for _, output := range []string{
		"", "ok  \tshop/errors\t0.3s", "ok  \tshop/fail\t(cached)", "PASS", "--- PASS: TestFail (0.00s)\nPASS", "=== RUN   TestFailure\n--- PASS: TestFailure", "0 failed, 12 passed", "12 passed, 0 failed",
		"=== 12 passed in 3s ===", "no errors", "0 errors", "Found 0 errors. Watching for file changes.", "Success: no issues found in 3 source files", "0 issues.", "All checks passed!", "no offenses detected",
		"3 files inspected, no offenses detected", "test result: ok. 3 passed; 0 failed; 0 ignored", "Tests:       6 passed, 6 total", "✓ shows an error when the login fails (5 ms)", "✓ handles 3 errors", "PASS src/error.test.ts",
		"Compiling thiserror v1.0", "warning: unused variable `x`", "cart.c:3:5: warning: unused variable", "✖ 3 problems (0 errors, 3 warnings)", "Passed!  - Failed:     0, Passed:    10", "10 runs, 20 assertions, 0 failures, 0 errors, 0 skips",
		"12 examples, 0 failures", "100% tests passed, 0 tests failed out of 10", "Found 2 errors (2 fixed, 0 remaining).", "Fixed 3 errors", "0 errors, 3 warnings, 0 informations", "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS",
		"error: Item 3 failed\n 12 pass\n 0 fail", "Error: expected in this test\n  3 passing (5ms)", "upload.go:3: retry", "error_handler.go", "BUILD SUCCESSFUL in 3s", "retry 2 failed: 84 left", "task #3 failed over", "failover: 3 nodes",
		"1 file reformatted, 2 files left unchanged", "Checked 272 files in 106ms. No fixes applied.", "ok 12 - returns an error on failure", "error-free build", "10 passed, 2 skipped",
	} {
		if lang.FailureVerdict(output) {
			t.Errorf("FailureVerdict(%q) = true", output)
		}
	}
}

func FuzzTelling(f *testing.F) {
	f.Add("a.go:1:2: x\nFAIL\n\x1b[31m0 errors\r1 failed\n=== x ===\n<a>b</a>")
	f.Add("C:\\a.go(1,2): error\n[main abc1234] m\n漢字 12 passed")
	f.Fuzz(func(t *testing.T, s string) {
		for _, got := range []string{lang.TellFailure(s), lang.TellSuccess(s)} {
			if len(got) > 2*98+3 || !utf8.ValidString(got) || strings.Contains(got, "\n") {
				t.Errorf("of %q is told %q", s, got)
			}
		}
		lang.FailureVerdict(s)
	})
}
