/** A criterion counts only if a program can check it: by positive rule, in English and German. */
import { describe, expect, it } from 'vitest';
import { isFilePath } from '../../../rules/is-file-path.ts';
import { type CriterionKind, judgeCriterion } from './judge-criterion.ts';

const commands = ['npm run typecheck', 'npm run test -- auth', 'npm run lint', 'npm run build'];

function kindOf(criterion: string): CriterionKind | 'none' {
  const verdict = judgeCriterion(criterion, commands);
  return verdict.isVerifiable ? verdict.kind : 'none';
}

describe('can be checked', () => {
  it.each<readonly [string, CriterionKind]>([
    // The document's own.
    ['npm run typecheck passes', 'command'],
    ['npm run test -- jwt passes', 'command'],
    ['POST /api/users returns 201', 'request'],
    ['File exists: src/lib/jwt.ts', 'file'],
    // Commands.
    ['`npm test` passes', 'command'],
    ['Running `cargo test --all` succeeds', 'command'],
    ['go test ./... passes', 'command'],
    ['make lint passes', 'command'],
    ['`pytest tests/test_auth.py` passes without warnings', 'command'],
    ['npx tsc --noEmit reports no errors', 'command'],
    ['`bash -n` syntax check passes on scripts/run.sh', 'command'],
    ['npm run test:fast passes', 'command'],
    ['npm run clean passes', 'command'],
    ['`npm run build`', 'command'],
    ['npm run test -- jwt', 'command'],
    ['curl -s localhost:3000/health prints "ok"', 'command'],
    ['`npm run lint` läuft durch', 'command'],
    ['npm test ist erfolgreich', 'command'],
    ['npm run build läuft ohne Fehler durch', 'command'],
    ['`go vet ./...` ist fehlerfrei', 'command'],
    ['git diff --exit-code succeeds', 'command'],
    ['`npm test -- --coverage` reports at least 80 %', 'command'],
    ['pnpm -r test is green', 'command'],
    // Checks that a command of the task runs.
    ['Typecheck passes', 'check'],
    ['All unit tests pass', 'check'],
    ['The build succeeds', 'check'],
    ['Alle Tests bestehen', 'check'],
    ['Lint passes without warnings', 'check'],
    // Files.
    ['src/lib/jwt.ts exists', 'file'],
    ['`docs/auth.md` contains "## Tokens"', 'file'],
    ['src/index.ts exports makeSlug', 'file'],
    ['package.json contains "vitest"', 'file'],
    ['The folder src/legacy/ no longer exists', 'file'],
    ['`_post_review` function exists in scripts/loop.sh', 'file'],
    ['Datei existiert: src/lib/jwt.ts', 'file'],
    ['Die Datei src/auth.ts enthält die Funktion `login`', 'file'],
    ['src/old.ts ist gelöscht', 'file'],
    ['.env.example includes DATABASE_URL', 'file'],
    ['README.md documents `--json`', 'file'],
    ['src/a.ts has at most 200 lines', 'file'],
    ['No file in src/ imports `lodash`', 'file'],
    // Requests.
    ['GET /health returns 200', 'request'],
    ['GET /users/{id} for an unknown id returns 404', 'request'],
    ['Returns 401 when GET /me is called without a token', 'request'],
    ['`DELETE /api/users/1` responds with `204`', 'request'],
    ['GET /health returns {"status":"ok"} as "application/json"', 'request'],
    ['GET /health antwortet mit 200', 'request'],
    ['POST /login gibt bei falschem Passwort 401 zurück', 'request'],
    // Exit codes.
    ['The CLI exits with code 2 on an unknown flag', 'exit-code'],
    ['Exit code is 0 for an empty file', 'exit-code'],
    ['Das Programm endet mit Exit-Code 1', 'exit-code'],
    // Tests by name.
    ['Test "rejects expired tokens" passes', 'test'],
    ['The test `auth > logs out` fails before the change', 'test'],
    ['src/auth.test.ts contains a test "refuses an empty password"', 'test'],
    ['src/auth.test.ts passes', 'test'],
    ['tests/test_api.py::test_login passes', 'test'],
    ['Der Test „lehnt abgelaufene Token ab“ besteht', 'test'],
    // Output, word for word.
    ['The command prints "Hello, world"', 'output'],
    ['An empty name shows the message “Name is required”', 'output'],
    ['`parse("")` throws `SyntaxError`', 'output'],
    ['add(2, 3) returns 5', 'output'],
    ['isEmpty([]) returns true', 'output'],
    ["The error message is 'Token expired'", 'output'],
    ['parseAge throws a RangeError for -1', 'output'],
    ['Calling add(1, 2) gives 3', 'output'],
    ['Config has maxRetries set to 3', 'output'],
    ["`labels.done` equals 'Done'", 'output'],
    ['Das Programm gibt „Hallo“ aus', 'output'],
    ['"Saved" is shown after a click', 'output'],
    ['Die Meldung lautet „Name fehlt“', 'output'],
    ['Bei leerer Eingabe meldet es "Name fehlt"', 'output'],
  ])('%s', (criterion, kind) => {
    expect(kindOf(criterion)).toBe(kind);
  });
});

describe('cannot be checked', () => {
  it.each([
    // The document's own.
    ...['Code is clean', 'Works correctly', 'Handles errors properly'],
    // Opinions.
    ...[
      'The UI looks good',
      'The page is fast',
      'The API is user-friendly',
      'The code is readable',
      'Errors are handled gracefully',
    ],
    ...[
      'Everything works as expected',
      'The design is modern',
      'Best practices are followed',
      'The app is secure',
      'It works',
    ],
    ...[
      'npm test passes and the code is clean',
      'src/auth.ts exists and is well structured',
      'GET /health works correctly',
    ],
    ...[
      '`npm start` works',
      'src/auth.ts is clean',
      'File src/a.ts contains good code',
      'The tests are good',
    ],
    // Plans, not results.
    ...[
      'Add a login page',
      'Users can log in',
      'The user sees a list of orders',
      'Implement JWT',
      'Refactor the auth module',
    ],
    ...[
      'Make sure that it passes',
      'Go through all the tests',
      'Look at src/auth.ts',
      'Use the test runner',
      'Performance is measured',
    ],
    ...[
      'src/auth.ts contains the logic',
      'The endpoint returns the user',
      'POST /api/users creates a user',
      'A test exists',
    ],
    ...[
      'The response is JSON',
      'Node.js is used',
      'and/or exists',
      'The function returns a value',
      'Coverage is high',
      'Documentation is updated',
    ],
    ...[
      'GET returns 200',
      '/health returns 200',
      'Status 200',
      '""',
      '` `',
      '',
      '   ',
      '...',
      'exits',
      'passes',
    ],
    // German.
    ...[
      'Der Code ist sauber',
      'Funktioniert korrekt',
      'Fehler werden ordentlich behandelt',
      'Die Oberfläche ist intuitiv',
    ],
    ...[
      'Die Seite lädt schnell',
      'Benutzer können sich anmelden',
      'Alles funktioniert wie erwartet',
      'Die Tests sind gut',
    ],
    ...[
      'Die Datei src/auth.ts ist übersichtlich',
      'npm test läuft durch und der Code ist lesbar',
      'Das Modul ist wartbar',
    ],
    ...['Die Anwendung ist sicher', 'Es gibt eine Anmeldung', 'Die Dokumentation ist aktuell'],
  ])('%s', (criterion) => {
    const verdict = judgeCriterion(criterion, commands);
    expect(verdict.isVerifiable).toBe(false);
    if (!verdict.isVerifiable) expect(verdict.suggestion).toContain('npm run typecheck');
  });

  it('is a check that no command of the task runs', () => {
    expect(judgeCriterion('Typecheck passes', ['npm test']).isVerifiable).toBe(false);
    expect(judgeCriterion('All tests pass', ['npm run lint']).isVerifiable).toBe(false);
    expect(judgeCriterion('All tests pass', []).isVerifiable).toBe(false);
  });
});

it.each([
  ['src/a.ts', true],
  ['./run.sh', true],
  ['a.test.tsx', true],
  ['Dockerfile', true],
  ['.gitignore', true],
  ['docs/', true],
  ['src/lib', true],
  ['Node.js', false],
  ['and/or', false],
  ['e.g.', false],
  ['1.5', false],
  ['/health', false],
  ['https://example.com/a.ts', false],
  ['a\u202E.ts', false],
])('knows a file by its name: %s %s', (token, expected) => {
  expect(isFilePath(token)).toBe(expected);
});
