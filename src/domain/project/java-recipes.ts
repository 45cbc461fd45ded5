/** Java and Kotlin: Maven and Gradle, with their wrappers. */
import { firstName, noteUnlessIgnored, type ProjectFacts, type Recipe } from './recipe.ts';

const hosts = ['repo.maven.apache.org:443'];

export function detectMaven(facts: ProjectFacts): Recipe | null {
  const { names, textOf } = facts;
  if (!names.has('pom.xml')) return null;
  const hasWrapper = names.has('mvnw');
  const maven = `${hasWrapper ? 'env MAVEN_USER_HOME=target/maven ./mvnw' : 'mvn'} -B -Dmaven.repo.local=target/maven-repository`;
  const hasCheckstyle = /<artifactId>\s*maven-checkstyle-plugin\s*</u.test(textOf('pom.xml') ?? '');
  return {
    program: hasWrapper ? 'java' : 'mvn',
    file: 'pom.xml',
    setup: `${maven} dependency:go-offline`,
    hosts,
    verify: `${maven} -o test`,
    // Other plugins fetch their tools while they run, which a build without network cannot.
    lint: hasCheckstyle ? `${maven} -o checkstyle:check` : null,
    types: `${maven} -o test-compile`,
    testNotes: [],
    setupNotes: noteUnlessIgnored(facts, 'target'),
    checkNotes: [],
  };
}

const buildFiles = ['build.gradle.kts', 'build.gradle'];
/** Plugins that lint; they fetch what they lint with when they are first started. */
const gradleLinters = /\b(checkstyle|pmd|spotless|detekt|ktlint)\b/u;

export function detectGradle(facts: ProjectFacts): Recipe | null {
  const { names, textOf } = facts;
  const file = firstName(names, [...buildFiles, 'settings.gradle.kts', 'settings.gradle']);
  if (file === null) return null;
  const hasWrapper = names.has('gradlew');
  const gradle = `env GRADLE_USER_HOME=.gradle/home ${hasWrapper ? './gradlew' : 'gradle'} --no-daemon`;
  const [, linter] = gradleLinters.exec(textOf(firstName(names, buildFiles) ?? '') ?? '') ?? [];
  return {
    program: hasWrapper ? 'java' : 'gradle',
    file,
    setup: `${gradle} testClasses`,
    hosts: [...hosts, ...['services.gradle.org:443', 'downloads.gradle.org:443', 'plugins.gradle.org:443']],
    verify: `${gradle} --offline test`,
    lint: null,
    types: `${gradle} --offline testClasses`,
    testNotes: [],
    setupNotes: noteUnlessIgnored(facts, '.gradle'),
    checkNotes:
      linter === undefined
        ? []
        : [
            `${linter} fetches its parts while it runs, which a build without network cannot: no lint command is proposed`,
          ],
  };
}
