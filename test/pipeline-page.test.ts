/** The worked example of docs/pipeline.md, with recorded models. */
import { afterEach, expect, it } from 'vitest';
import { followPage } from './support/follow-page.ts';
import {
  analysed,
  modelsOf,
  pipelineCassette,
  pipelineFiles,
  reviewed,
  triaged,
  written,
} from './support/pipeline-world.ts';
import { Playground } from './support/playground.ts';

const playground = new Playground({ brief: null });
afterEach(() => playground.remove());

it('the example of the page leads from the issue to the merge', () => {
  playground.commit(pipelineFiles);
  const asked = 'Do fractions count too?';
  const observed = {
    type: 'pattern_discovered',
    content: 'Tests stand in test/ and use node:test.',
    file: null,
  };
  const script = [
    ...[triaged(), analysed({ observations: [observed] }), written()],
    reviewed({ verdict: 'NEEDS_INFO', feedback_for_writer: asked }),
    // The answer that the reader gives reaches the reviewer.
    { ...reviewed({}, 2), request: { includes: ['Whole numbers are enough here.'] } },
  ];
  const file = playground.write('../pipeline-cassette.json', JSON.stringify(pipelineCassette(script)));
  const followed = followPage('pipeline.md', playground, modelsOf(`cassette:${file}`));
  const said = (line: string) => {
    const found = followed.find((one) => one.line === line);
    return { code: found?.code, text: `${found?.stdout}${found?.stderr}` };
  };
  expect(said('gatewright solve 1 --dry-run').text).toContain('$ npm test');
  expect(said('gatewright solve 1 --until analyst').code).toBe(10);
  expect(said('gatewright solve state 1').text).toContain('"brief"');
  expect(said('gatewright solve 1')).toEqual({ code: 10, text: expect.stringContaining(asked) });
  expect(said('gatewright explain 1').text).toContain('run: gatewright solve 1 --proceed "TEXT"');
  expect(said('gatewright solve 1 --proceed "Whole numbers are enough here."').code).toBe(0);
  expect(said('gatewright forge pr view 2').text).toContain(
    'Without the change, its tests fail: 1 of 2 tests',
  );
  expect(said('gatewright learnings').text).toContain('Tests stand in test/ and use node:test.');
  expect(playground.git('show', 'main:src/sum.js')).toContain('a + b');
  expect(playground.git('log', '-1', '--format=%s', 'main')).toContain('sum');
  expect(playground.git('status', '--porcelain')).toBe('');
});
