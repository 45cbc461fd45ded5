/** The words by which a criterion is recognised, in English and German; folded (small letters, no accents). */

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

/** Programs whose names are no words of a sentence. */
export const programs = wordsOf(`
  npm npx pnpm pnpx yarn tsc vitest jest mocha ava eslint biome prettier playwright cypress stylelint tsx esbuild vite
  pytest python python3 pip poetry uv mypy ruff tox pyright flake8 black
  cargo rustc clippy gofmt golangci-lint gradle gradlew ./gradlew mvn ./mvnw dotnet sbt
  bundle rspec rubocop rails php phpunit composer phpstan deno bunx
  bash curl wget jq grep rg sqlite3 psql mysql docker docker-compose kubectl helm terraform actionlint shellcheck
  hadolint cmake ctest xcodebuild swiftlint flutter dart mix gatewright
`);

/** Programs that are also words; what has to follow for the command to be meant. */
export const ambiguousPrograms: Readonly<Record<string, RegExp>> = {
  go: /^(?:test|build|vet|run|fmt|mod|generate)$/u,
  make: /^(?!sure$|certain$|it$|the$|a$|an$|all$|every$)[a-z][\w:.-]*$/u,
  node: /^(?:-.*|.*\.[cm]?[jt]s)$/u,
  git: /^[a-z][a-z-]+$/u,
  test: /^-[a-z]$/u,
  sh: /^(?:-c|.*\.sh)$/u,
  bun: /^(?:test|run|build|x)$/u,
  swift: /^(?:test|build|run)$/u,
  just: /^[a-z][\w-]*$/u,
  rake: /^[a-z][\w:-]*$/u,
};

/** How a sentence says that a command or a test ended well or not. */
export const outcomes = wordsOf(`
  pass passes passed passing succeed succeeds succeeded fail fails failed green exits exit completes
  besteht bestehen bestanden erfolgreich gelingt gelingen grun fehlerfrei scheitert fehlschlagt endet
`);
/** Two words that say it together. */
export const outcomePairs = [
  ['lauft', 'durch'],
  ['laufen', 'durch'],
  ['schlagt', 'fehl'],
  ['schlagen', 'fehl'],
] as const;
export const nothingWrong =
  /\b(?:no|zero|0|without|keine|keinen|ohne) (?:type |lint |new |any )?(?:errors?|warnings?|failures?|problems?|findings|fehler|warnungen|befunde)\b/u;

/** What a file can be said to be. */
export const existence = wordsOf(`
  exist exists existing present created deleted removed gone absent missing
  existiert existieren vorhanden angelegt geloscht entfernt fehlt
`);
/** What a file can be said to hold; then it has to be said what. */
export const contents = wordsOf(`
  contain contains containing include includes has have define defines export exports declare declares import imports
  mention mentions match matches lists list registers calls uses references documents documented describes names
  dokumentiert beschreibt
  enthalt enthalten definiert exportiert importiert erwahnt nennt listet ruft verwendet
`);

/** What programs, functions and pages can be said to do; then it has to be said with what result. */
export const outputs = wordsOf(`
  print prints output outputs log logs show shows display displays return returns throw throws raise raises
  emit emits write writes respond responds answer answers reply replies equal equals yield yields render renders
  give gives produce produces contain contains report reports resolve resolves reject rejects redirect redirects include includes says
  gibt liefert zeigt schreibt wirft antwortet meldet druckt protokolliert enthalt ergibt leitet
`);
/** The same, said of the result. */
export const printed = wordsOf(`
  printed shown logged displayed returned thrown raised written rendered
  ausgegeben angezeigt gemeldet geworfen zuruckgegeben protokolliert
`);
/** What can be said to be a text, and how. */
export const results = wordsOf(`
  message output response body error stdout stderr header title label text value result status heading tooltip
  ausgabe meldung fehlermeldung antwort titel beschriftung wert ergebnis uberschrift kopfzeile
`);
/** What can be said to be thrown, by its name alone. */
export const throwing = wordsOf('throw throws raise raises rejects wirft');
/** How a field is said to have a value: "maxRetries is set to 3". */
export const settings = wordsOf('set equals = == === gleich gesetzt');
export const equality = wordsOf('is be are reads equals ist lautet');

/** Words behind which no command goes on. */
export const joints = wordsOf(
  'and und or oder but aber while lauft laufen schlagt schlagen without ohne then dann works',
);

/** Words before a place. */
export const inside = wordsOf('in of from inside within on to at for im aus von fur an zu');

export const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/** Words for a check, and what a verify command has to hold so that this check is run. */
export const checks: readonly (readonly [ReadonlySet<string>, RegExp])[] = [
  [
    wordsOf('typecheck typechecks typechecking type-check typprufung types'),
    /typecheck|type-check|check:types|tsc|mypy|pyright|cargo check/u,
  ],
  [wordsOf('lint linter linting'), /lint|biome|ruff|flake8|rubocop|clippy|golangci|npm run check/u],
  [wordsOf('build builds compilation'), /build|compile|tsc|make|bundle/u],
  [
    wordsOf('test tests suite unit-tests testsuite'),
    /test|vitest|jest|mocha|ava|pytest|rspec|phpunit|spec|npm t\b|tox|playwright|cypress/u,
  ],
];

/** Words with which a criterion can be neither met nor missed, beside those that drafts may not have. */
export const vagueMore = wordsOf(`
  correct correctly proper cleanly clean cleaner works working well gracefully graceful readable maintainable
  modern elegant sensible sensibly clear clearly smooth smoothly beautiful pretty secure securely safe safely
  performant responsive expected understandable high-quality state-of-the-art complete completely fully polished stable reliably
  korrekt korrekte korrekten richtig sauber sauberer ordentlich sinnvoll schnell gut guter gute besser verstandlich
  lesbar wartbar intuitiv benutzerfreundlich performant angemessen zuverlassig robust stabil sicher erwartet
  funktioniert funktionieren vernunftig ubersichtlich ansprechend reibungslos
`);
