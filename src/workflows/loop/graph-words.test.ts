/** People read words, not the names of nodes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeNode } from '../../domain/ledger/node-words.ts';

const source = readFileSync(join(import.meta.dirname, 'graph.ts'), 'utf8');
const nodes = [...source.matchAll(/\.addNode\('([a-z_]+)'/gu)].map(([, node = '']) => node);

it('finds the nodes of the graph', () => expect(nodes).toContain('select_task'));

it.each(nodes)('%s has words of its own', (node) => {
  expect(describeNode(node)).toMatch(/^[a-z][a-z ]{5,}$/u);
  expect(describeNode(node)).not.toContain('_');
});
