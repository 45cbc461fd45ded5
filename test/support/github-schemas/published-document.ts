/**
 * GitHub's published descriptions, without the words for people, which are most of them. What is left is kept beside the
 * program under test, so that the other test files of a run read a small file.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isRecord, type Json } from './json-schema.ts';

const require = createRequire(import.meta.url);
const paths = {
  openapi: () => require.resolve('@octokit/openapi/generated/api.github.com.json'),
  'openapi-webhooks': () => require.resolve('@octokit/openapi-webhooks/generated/api.github.com.json'),
} as const;

/** Said about schemas, and never a name of a property at the places where we drop them. */
const forPeople = [
  ...['description', 'example', 'examples', 'title', 'default', 'deprecated', 'externalDocs', 'summary'],
  ...['x-github', 'x-github-breaking-changes', 'tags', 'x-octokit', 'headers', 'readOnly', 'discriminator'],
];

/** @param isNames whether the keys are names that somebody chose, such as those of properties */
function strip(value: Json, isNames = false): Json {
  if (Array.isArray(value)) return value.map((one) => strip(one));
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key]) => isNames || !forPeople.includes(key));
  const named = ['properties', 'schemas', 'parameters', 'responses', 'paths', 'webhooks'];
  return Object.fromEntries(kept.map(([key, inner]) => [key, strip(inner, !isNames && named.includes(key))]));
}

/** @param name of a package of Octokit that has GitHub's descriptions */
export function readPublished(name: keyof typeof paths): Json {
  const folder = process.env.GATEWRIGHT_TEST_PACKAGE;
  const kept = folder === undefined ? null : join(folder, `${name}.json`);
  if (kept !== null && existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as Json;
  const path = paths[name]();
  const {
    components,
    paths: operations = {},
    webhooks = {},
  } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Json>;
  const { examples: _, ...parts } = components as Record<string, Json>;
  const stripped = strip({ components: parts, paths: operations, webhooks });
  if (kept !== null) {
    // Another worker may be at it: each puts a whole file there.
    writeFileSync(`${kept}.${process.pid}`, JSON.stringify(stripped));
    renameSync(`${kept}.${process.pid}`, kept);
  }
  return stripped;
}
