/**
 * What the coding agent of document 002 does in a job, as calls: the least with which its instructions can be followed, one
 * call for each command of `gh` that they name. Its work is that of the tape that our agents have.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const { env } = process;
const workflow = env.GITHUB_WORKFLOW;
const event = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'));
const token = env.GH_TOKEN ?? env.PEER_TOKEN;

async function call(method, path, body) {
  const answer = await fetch(`${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok && method !== 'DELETE') throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

const git = (...words) => execFileSync('git', words, { encoding: 'utf8' }).trim();

function commit(message) {
  git('add', '--all');
  git(
    '-c',
    'user.name=claude',
    '-c',
    'user.email=claude@example.invalid',
    'commit',
    '--quiet',
    '--message',
    message,
  );
}

function change(from, to) {
  writeFileSync('src/sum.mjs', readFileSync('src/sum.mjs', 'utf8').replace(from, to));
}

async function implement(number, title) {
  const branch = `claude/issue-${number}`;
  git('checkout', '--quiet', '-b', branch);
  const isFaulty = title.includes('subtracts');
  if (isFaulty) change('a - b', 'a + b');
  else {
    mkdirSync('docs');
    writeFileSync('docs/sum.md', 'It takes two numbers.\n');
  }
  commit(title);
  git('push', '--quiet', 'origin', branch);
  const pull = await call('POST', '/pulls', {
    title: `Do ${title}`,
    head: branch,
    base: 'main',
    body: `Closes #${number}`,
  });
  await call('POST', `/issues/${pull.number}/labels`, { labels: [isFaulty ? 'needs-review' : 'auto-merge'] });
}

async function correct(number) {
  const { head, state } = await call('GET', `/pulls/${number}`);
  if (state !== 'open') return;
  git('fetch', '--quiet', 'origin', head.ref);
  git('checkout', '--quiet', '-B', head.ref, 'FETCH_HEAD');
  change('a + b', 'Number(a) + Number(b)');
  commit('Add texts too');
  git('push', '--quiet', 'origin', head.ref);
}

const work = {
  // Whether it may begin, what it is about, and one comment that is kept up to date.
  'Claude Code': async () => {
    const { number, title, pull_request: pull } = event.issue ?? event.pull_request;
    await call('GET', `/collaborators/${event.sender.login}/permission`);
    await call('GET', `/issues/${number}`);
    const comment = await call('POST', `/issues/${number}/comments`, { body: 'Working.' });
    if (pull === undefined && event.issue !== undefined) await implement(number, title);
    else await correct(number);
    await call('PATCH', `/issues/comments/${comment.id}`, { body: 'Done.' });
  },
  'Claude Code Review': async () => {
    const { number } = event.pull_request;
    const files = await call('GET', `/pulls/${number}/files`);
    const isFaulty = files.some(({ patch = '' }) => patch.includes('+  return a + b'));
    const body = isFaulty ? '## Issues Found\n\nTexts are joined.' : '## No Issues\n\nFine.';
    await call('POST', `/pulls/${number}/reviews`, { event: 'COMMENT', body });
    if (isFaulty) appendFileSync(env.GITHUB_ENV, 'FOUND=yes\n');
  },
  'PR Size Guardian': async () => {
    const { number } = event.pull_request;
    const files = await call('GET', `/pulls/${number}/files`);
    if (files.reduce((sum, { changes }) => sum + changes, 0) > 400)
      await call('POST', `/issues/${number}/comments`, { body: 'It is large.' });
  },
  'Auto Merge': async () => {
    const issues = await call('GET', '/issues?state=open&labels=auto-merge');
    for (const { number } of issues.filter(({ pull_request: pull }) => pull !== undefined)) {
      await call('PUT', `/pulls/${number}/merge`, { merge_method: 'squash' });
      await call('DELETE', `/git/refs/heads/${encodeURIComponent(`claude/issue-${number}`)}`);
    }
  },
  'Daily Digest': async () => {
    for (const path of ['/pulls?state=all', '/issues?state=all', '/commits']) await call('GET', path);
    await call('POST', '/issues', {
      title: 'Daily Digest',
      body: 'This and that.',
      labels: ['daily-digest'],
    });
  },
  'Agent Health Report': async () => {
    for (const path of ['/pulls?state=all', '/actions/runs?per_page=50']) await call('GET', path);
    await call('POST', '/issues', {
      title: 'Agent Health Report',
      body: 'Well.',
      labels: ['agent-health-report'],
    });
  },
  'Stale Issue Gardener': async () => {
    const issues = await call('GET', '/issues?state=open');
    const bare = issues.filter(
      ({ labels, created_at: at }) => labels.length === 0 && Date.now() - Date.parse(at) > 86_400_000,
    );
    for (const { number } of bare) await call('POST', `/issues/${number}/labels`, { labels: ['bug'] });
    if (bare.length > 0)
      await call('POST', '/issues', {
        title: 'Gardener Report',
        body: 'Labelled.',
        labels: ['gardener-report'],
      });
  },
  'Doc Drift Detector': () => undefined,
  'CI Doctor': () => undefined,
};

await work[workflow]();
