/**
 * What test runners print at their end, as node:test, vitest, pytest, unittest and cargo printed it, and as the
 * documentation of the others shows it.
 */

interface RunnerOutput {
  readonly name: string;
  readonly runner: string;
  readonly output: string;
  /** Passed, failed, skipped, errors. */
  readonly counts: readonly [number, number, number, number];
  readonly isMinimum?: boolean;
}

const esc = '\u001B';

export const runnerOutputs: readonly RunnerOutput[] = [
  {
    name: 'node:test as TAP, with files that hold no test and one that cannot be loaded',
    runner: 'node:test',
    output: `TAP version 13
# Subtest: one
ok 1 - one
  ---
  duration_ms: 0.676545
  type: 'test'
  ...
# Subtest: two
not ok 2 - two
# Subtest: three
ok 3 - three # SKIP
# Subtest: four
ok 4 - four # TODO
# Subtest: s
    # Subtest: in
    ok 1 - in
    # Subtest: in2
    ok 2 - in2
    1..2
ok 5 - s
# Subtest: b.test.mjs
ok 2 - b.test.mjs
# Subtest: c.test.mjs
not ok 3 - c.test.mjs
# Subtest: d.test.mjs
ok 4 - d.test.mjs
1..8
# tests 9
# suites 1
# pass 5
# fail 2
# cancelled 0
# skipped 1
# todo 1
# duration_ms 367.550525
`,
    counts: [3, 1, 2, 1],
  },
  {
    name: 'node:test for people',
    runner: 'node:test',
    output: `✔ one (0.676545ms)
✖ two (0.690826ms)
﹣ three (0.111676ms) # SKIP
▶ s
  ✔ in (1.482262ms)
✔ s (1.965079ms)
✔ b.test.mjs (56.329186ms)
✖ c.test.mjs (111.995188ms)
ℹ tests 6
ℹ suites 1
ℹ pass 3
ℹ fail 2
ℹ cancelled 0
ℹ skipped 1
ℹ todo 0
ℹ duration_ms 300.225347

✖ failing tests:

test at c.test.mjs:1:1
✖ c.test.mjs (111.995188ms)
  'test failed'
`,
    counts: [2, 1, 1, 1],
  },
  {
    name: 'node:test that found nothing',
    runner: 'node:test',
    output:
      'ℹ tests 0\nℹ suites 0\nℹ pass 0\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 26.8\n',
    counts: [0, 0, 0, 0],
  },
  {
    name: 'vitest with everything, in colours',
    runner: 'vitest',
    output: `
${esc}[2m Test Files ${esc}[22m ${esc}[1m${esc}[31m3 failed${esc}[39m${esc}[22m${esc}[2m | ${esc}[22m${esc}[1m${esc}[32m1 passed${esc}[39m${esc}[22m${esc}[90m (4)${esc}[39m
${esc}[2m      Tests ${esc}[22m ${esc}[1m${esc}[31m1 failed${esc}[39m${esc}[22m${esc}[2m | ${esc}[22m${esc}[1m${esc}[32m2 passed${esc}[39m${esc}[22m${esc}[2m | ${esc}[22m${esc}[36m1 expected fail${esc}[39m${esc}[2m | ${esc}[22m${esc}[33m1 skipped${esc}[39m${esc}[2m | ${esc}[22m${esc}[90m1 todo${esc}[39m${esc}[90m (6)${esc}[39m
${esc}[2m   Start at ${esc}[22m 19:18:48
${esc}[2m   Duration ${esc}[22m 1.40s${esc}[2m (transform 43%, worker 25%, import 24%, tests 7%)${esc}[22m

`,
    counts: [2, 1, 3, 0],
  },
  {
    name: 'vitest whose only file cannot be loaded',
    runner: 'vitest',
    output:
      ' Test Files  1 failed (1)\n      Tests  no tests\n   Start at  19:18:52\n   Duration  403ms (worker 97%)\n',
    counts: [0, 0, 0, 1],
  },
  {
    name: 'vitest with an error outside of the tests',
    runner: 'vitest',
    output:
      ' Test Files  1 passed (1)\n      Tests  1 passed (1)\n     Errors  1 error\n   Start at  19:18:55\n   Duration  511ms\n',
    counts: [1, 0, 0, 1],
  },
  {
    name: 'vitest that found nothing',
    runner: 'vitest',
    output: '\nNo test files found, exiting with code 0\n\nfilter: zzz.test.ts\n',
    counts: [0, 0, 0, 0],
  },
  {
    name: 'jest',
    runner: 'jest',
    output: `Test Suites: 1 failed, 1 passed, 2 total
Tests:       1 failed, 2 skipped, 1 todo, 3 passed, 7 total
Snapshots:   0 total
Time:        0.512 s, estimated 1 s
Ran all test suites.
`,
    counts: [3, 1, 3, 0],
  },
  {
    name: 'jest whose suite cannot be run',
    runner: 'jest',
    output:
      'Test Suites: 1 failed, 1 total\nTests:       0 total\nSnapshots:   0 total\nTime:        0.2 s\nRan all test suites.\n',
    counts: [0, 0, 0, 1],
  },
  {
    name: 'mocha',
    runner: 'mocha',
    output: `
  Array
    ✔ is empty
    1) has one

  2 passing (14ms)
  1 pending
  1 failing

  1) Array
       has one:
`,
    counts: [2, 1, 1, 0],
  },
  { name: 'mocha with nothing', runner: 'mocha', output: '\n\n  0 passing (2ms)\n\n', counts: [0, 0, 0, 0] },
  {
    name: 'ava',
    runner: 'ava',
    output: '\n  ✔ one\n  ✔ two\n  ─\n\n  2 tests passed\n  1 test skipped\n',
    counts: [2, 0, 1, 0],
  },
  {
    name: 'ava with failures',
    runner: 'ava',
    output:
      '\n  ✔ one\n  ✖ two\n  ─\n\n  two\n\n  Difference:\n\n  ─\n\n  1 test failed\n  1 uncaught exception\n',
    counts: [0, 1, 0, 1],
    isMinimum: true,
  },
  {
    name: 'tap 18',
    runner: 'tap',
    output: '1..2\n# { total: 4, pass: 2, fail: 1, skip: 1 }\n# time=120.5ms\n',
    counts: [2, 1, 1, 0],
  },
  {
    name: 'tap 16',
    runner: 'tap',
    output: '\nSuites:   1 failed, 1 of 1 completed\nAsserts:  1 failed, 3 passed, of 4\nTime:     347ms\n',
    counts: [3, 1, 0, 0],
  },
  {
    name: 'tape',
    runner: 'tap',
    output: 'TAP version 13\n# add\nok 1 works\nnot ok 2 breaks\n\n1..2\n# tests 2\n# pass  1\n# fail  1\n\n',
    counts: [1, 1, 0, 0],
  },
  {
    name: 'the plain protocol',
    runner: 'tap',
    output: 'TAP version 14\n1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP later\n',
    counts: [1, 1, 1, 0],
  },
  {
    name: 'pytest',
    runner: 'pytest',
    output: `FAILED test_a.py::T::test_b - AssertionError: 1 != 2
============== 2 failed, 2 passed, 1 skipped, 2 xfailed in 3.07s ===============
`,
    counts: [2, 2, 3, 0],
  },
  {
    name: 'pytest that cannot load a file',
    runner: 'pytest',
    output: `!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
=============================== 1 error in 4.10s ===============================
`,
    counts: [0, 0, 0, 1],
  },
  {
    name: 'pytest, quiet',
    runner: 'pytest',
    output: '.   [100%]\n1 passed in 2.35s\n',
    counts: [1, 0, 0, 0],
  },
  {
    name: 'pytest without tests',
    runner: 'pytest',
    output: '\nno tests ran in 0.01s\n',
    counts: [0, 0, 0, 0],
  },
  {
    name: 'pytest with all left out',
    runner: 'pytest',
    output: '\n1 deselected in 3.08s\n',
    counts: [0, 0, 0, 0],
  },
  {
    name: 'unittest',
    runner: 'unittest',
    output: `----------------------------------------------------------------------
Ran 6 tests in 0.001s

FAILED (failures=1, errors=2, skipped=1, expected failures=1)
`,
    counts: [1, 1, 2, 2],
  },
  {
    name: 'unittest with nothing',
    runner: 'unittest',
    output: 'Ran 0 tests in 0.000s\n\nOK\n',
    counts: [0, 0, 0, 0],
  },
  {
    name: 'unittest 3.12 with nothing',
    runner: 'unittest',
    output: 'Ran 0 tests in 0.000s\n\nNO TESTS RAN\n',
    counts: [0, 0, 0, 0],
  },
  {
    name: 'go test',
    runner: 'go',
    output: `ok  \texample.com/demo\t0.004s
?   \texample.com/demo/cmd\t[no test files]
--- FAIL: TestAdd (0.00s)
    add_test.go:9: got 3
FAIL
FAIL\texample.com/demo/add\t0.003s
FAIL
`,
    counts: [1, 1, 0, 0],
    isMinimum: true,
  },
  {
    name: 'go test -v',
    runner: 'go',
    output: `=== RUN   TestA
--- PASS: TestA (0.00s)
=== RUN   TestB
=== RUN   TestB/part
    --- PASS: TestB/part (0.00s)
--- PASS: TestB (0.00s)
=== RUN   TestC
    c_test.go:5: later
--- SKIP: TestC (0.00s)
PASS
ok  \texample.com/demo\t0.004s
`,
    counts: [2, 0, 1, 0],
  },
  {
    name: 'go test that cannot build',
    runner: 'go',
    output:
      '# example.com/demo [example.com/demo.test]\n./a_test.go:6:7: undefined: Add\nFAIL\texample.com/demo [build failed]\nFAIL\n',
    counts: [0, 0, 0, 1],
    isMinimum: true,
  },
  {
    name: 'go test with nothing to run',
    runner: 'go',
    output: 'ok  \texample.com/demo\t0.002s [no tests to run]\n',
    counts: [0, 0, 0, 0],
  },
  {
    name: 'go test -json',
    runner: 'go',
    output: [
      { Action: 'start', Package: 'd' },
      { Action: 'run', Package: 'd', Test: 'TestA' },
      { Action: 'output', Package: 'd', Test: 'TestA', Output: '--- PASS: TestA (0.00s)\n' },
      { Action: 'pass', Package: 'd', Test: 'TestA', Elapsed: 0 },
      { Action: 'run', Package: 'd', Test: 'TestB' },
      { Action: 'run', Package: 'd', Test: 'TestB/part' },
      { Action: 'fail', Package: 'd', Test: 'TestB/part' },
      { Action: 'fail', Package: 'd', Test: 'TestB' },
      { Action: 'fail', Package: 'd', Elapsed: 0.004 },
    ]
      .map((event) => JSON.stringify(event))
      .join('\n'),
    counts: [1, 1, 0, 0],
  },
  {
    name: 'cargo test',
    runner: 'cargo',
    output: `     Running unittests src/lib.rs (target/debug/deps/demo-8348ca7a80742723)

running 3 tests
test tests::b ... ignored
test tests::a ... ok
test tests::c ... FAILED

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.22s

error: test failed, to rerun pass \`--lib\`
     Running tests/it.rs (target/debug/deps/it-a69063779ff8c574)

running 1 test
test outer ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

   Doc-tests demo

running 0 tests

test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
`,
    counts: [2, 1, 1, 0],
  },
  {
    name: 'cargo test that cannot compile',
    runner: 'cargo',
    output: `error[E0425]: cannot find function \`nope\` in this scope
error: could not compile \`demo\` (test "it") due to 1 previous error
`,
    counts: [0, 0, 0, 1],
  },
  {
    name: 'JUnit XML',
    runner: 'junit',
    output: `<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4" time="0.084"><testcase classname="a" name="ok" time="0.002" /><testcase name="bad"><failure message="1 != 2">&lt;testcase/&gt;<![CDATA[<testcase/>]]></failure></testcase><testcase name="worse"><error>no</error></testcase><testcase name="later"><skipped/></testcase></testsuite></testsuites>`,
    counts: [1, 1, 1, 1],
  },
];
