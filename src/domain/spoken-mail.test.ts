/** Where in a mail the writer's own words end. */
import { describe, expect, it } from 'vitest';
import { cutMail, isSurelyMail } from './spoken-mail.ts';
import { spokenBlocks } from './spoken-text.ts';

describe('a line that says who wrote what follows', () => {
  it.each([
    'On Mon, Nov 16, 2026 at 9:00 AM Bob <b@example.org> wrote:',
    'on 16.11.2026 Bob writes:',
    'Am 16.11.2026 um 09:00 schrieb Bob Beispiel:',
    'Le lun. 16 nov. 2026 à 09:00, Bob a écrit :',
    'El lun, 16 nov 2026, Bob escribió:',
    'Il giorno lun 16 nov 2026 Bob ha scritto:',
    'Op ma 16 nov 2026 schreef Bob:',
    'Em seg., 16 de nov. de 2026, Bob escreveu:',
    'Den mån 16 nov. 2026 skrev Bob:',
    'Dnia 16 listopada 2026 Bob napisał:',
  ])('%s', (line) => {
    expect(cutMail([line])).toEqual({ said: [], next: 'quote' });
    expect(cutMail(['Yes', line])).toEqual({ said: ['Yes'], next: 'quote' });
    expect(cutMail(['Yes', line, 'more'])).toEqual({ said: ['Yes'], next: 'nothing' });
    const [first = '', ...rest] = line.split(/ (?=[^ ]+$)/u);
    expect(cutMail(['Yes', first, rest.join(' ')])).toEqual({ said: ['Yes'], next: 'quote' });
    expect(cutMail(['Yes', first, rest.join(' '), 'more'])).toEqual({ said: ['Yes'], next: 'nothing' });
    expect(spokenBlocks(`Yes\n\n${line}\n\n> old\n\nmy own`)).toEqual(['Yes', 'my own']);
    expect(spokenBlocks(`Yes\n\n${line}\n\nold\n\nolder`)).toEqual(['Yes']);
    expect(spokenBlocks(`Yes\n\n${line}\n\nold\n\n> older\n\noldest`)).toEqual(['Yes']);
  });
  it.each([
    'On Monday we ship.',
    'I wrote:',
    'On wrote',
    'On Monday Bob wrote that it is done. See:',
    `On ${'x'.repeat(400)} wrote:`,
    'Only Bob wrote:',
  ])('%s is none', (line) => expect(cutMail([line])).toEqual({ said: [line], next: 'more' }));
});

describe('a message that is passed on', () => {
  it.each([
    '-----Original Message-----',
    '---------- Forwarded message ---------',
    '-- Ursprüngliche Nachricht --',
    "----- Message d'origine -----",
    '-----Mensaje original-----',
    'Begin forwarded message:',
  ])('%s', (line) => expect(cutMail(['Yes', line, 'x'])).toEqual({ said: ['Yes'], next: 'nothing' }));
  it.each(['Original Message', 'x -----Original Message-----', 'Begin forwarded message: x'])(
    '%s is none',
    (line) => expect(cutMail([line]).next).toBe('more'),
  );
  it.each(['From', 'Von', 'De', 'Da', 'Van', '*From'])('%s: …', (name) => {
    for (const second of [
      ...['Sent', 'Date', 'To', 'Subject', 'Gesendet', 'Datum', 'An', 'Betreff', 'Envoyé', 'À', 'Objet'],
      ...['Enviado', 'Para', 'Asunto', '*Sent'],
    ]) {
      const end = (word: string): string => (word.startsWith('*') ? ':*' : ':');
      const lines = ['Yes', `${name}${end(name)} Bob`, `${second}${end(second)} x`];
      expect(cutMail(lines)).toEqual({ said: ['Yes'], next: 'nothing' });
    }
    expect(cutMail([`${name}: Bob`, 'x: y']).next).toBe('more');
    expect(cutMail([`${name}: Bob`]).next).toBe('more');
    expect(cutMail([`x ${name}: Bob`, 'To: y']).next).toBe('more');
    expect(cutMail([`${name}: Bob`, 'x To: y']).next).toBe('more');
  });
});

describe('a signature', () => {
  it.each(['--', '-- '])('begins with %j', (line) => {
    expect(cutMail(['Yes', line, 'Bob'])).toEqual({ said: ['Yes'], next: 'nothing' });
    expect(spokenBlocks(`Yes\n${line}\nBob\n\nExample Ltd`)).toEqual(['Yes']);
    expect(spokenBlocks(`Yes\n\n${line}\nBob\n\nExample Ltd`)).toEqual(['Yes']);
  });
  it.each(['---', '-- Bob', '–', '-'])('does not begin with %j', (line) =>
    expect(cutMail(['Yes', line]).next).toBe('more'),
  );
  it('is told from a heading with a longer line under it', () =>
    expect(spokenBlocks('Yes\n---\nmore')).toEqual(['Yes', 'more']));
});

describe('what surely came with a mail', () => {
  it.each([
    ['On Mon, 16 Nov 2026, Bob wrote:'],
    ['On Monday at 9:00 Bob wrote:'],
    ['On 16.11. Bob wrote:'],
    ['On 16/11 Bob wrote:'],
    ['On 16-11 Bob wrote:'],
    ['From: Bob', 'To: Eve', 'Subject: x', 'Date: 2026'],
    ['', ' ', 'On 16.11. Bob wrote:'],
    ['-----Original Message-----', 'x'],
    [' -----Original Message----- '],
    ['Begin forwarded message:'],
  ])('%j', (...lines) => expect(isSurelyMail(lines)).toBe(true));
  it.each([
    [],
    [''],
    ['On Monday Bob wrote:'],
    ['On 1926 Bob wrote:'],
    ['On 12026 Bob wrote:'],
    ['On 20265 Bob wrote:'],
    ['On a:00 Bob wrote:'],
    ['On 9:a0 Bob wrote:'],
    ['On 9:0a Bob wrote:'],
    ['On 20ab Bob wrote:'],
    ['On 202a Bob wrote:'],
    ['On x.1 or 1.x Bob wrote:'],
    ['From: Bob', 'To: Eve', 'Subject: x', 'Cc: y', 'Date: 2026'],
    ['x', '-----Original Message-----'],
  ])('%j may be the own words', (...lines) => expect(isSurelyMail(lines)).toBe(false));

  it.each([
    ...['Bob', 'Ünal Öz', '12 Main Street', '(he/him)', 'he/him', '+49 30 1234', '| Example', '• Bob'],
    ...['· Bob', ', Bob', '– Bob', '— Bob', '- Bob', 'bob@example.org', 'example.org/bob', './x'],
    ...['Head of Sales', 'Sales at Example', 'Bob the Builder', 'Sent from my Phone', 'Bob and Eve'],
    ...['Team for Sales', 'Bob de Vries', 'Bob von Berg', 'Bob van Berg', 'Bob der Berg', 'Bob du Bois'],
    ...['Bob la Roche', 'Bob OF Example', '', '  Bob   Example  '],
  ])('a signature: %j', (line) => {
    expect(isSurelyMail(['--', line])).toBe(true);
    expect(isSurelyMail(['-- ', 'Bob', line])).toBe(true);
  });
  it.each([
    ...['bob', 'Bob says', 'see above', 'Bob x@', 'Bob x.', 'Bob x/', 'Bob thefrom', 'Bob $'],
    ...['No', 'Not', 'Nope', 'Never', "Don't", 'Wait', 'Stop', 'Hold', 'Unless', 'If', 'But', 'Only'],
    ...['After', 'Before', 'Until', 'When', 'Once', 'Kidding', 'Reject', 'Rejected', 'Later', 'Tomorrow'],
  ])('no signature: %j', (line) => {
    expect(isSurelyMail(['--', line])).toBe(false);
    expect(isSurelyMail(['--', 'Bob', line])).toBe(false);
    expect(isSurelyMail(['--', `Bob ${line}`])).toBe(false);
  });
  it('has words that only begin like those that take back', () =>
    expect(isSurelyMail(['--', 'Norah Waite', 'Holden Butler', 'Ono Laterza'])).toBe(true));
  it('has up to eight lines', () => {
    expect(isSurelyMail(['--', ...Array<string>(8).fill('Bob')])).toBe(true);
    expect(isSurelyMail(['--', ...Array<string>(9).fill('Bob')])).toBe(false);
  });
});

it('lines at the limit, with blanks and with other ends', () => {
  const long = (length: number): string => `On ${'x'.repeat(length - 10)} wrote:`;
  expect(cutMail([long(300)]).next).toBe('quote');
  expect(cutMail([long(301)]).next).toBe('more');
  expect(cutMail(['  On Monday,   Bob    wrote: ']).next).toBe('quote');
  expect(cutMail(['Le lundi Bob  a   écrit : ']).next).toBe('quote');
  expect(cutMail([`On Monday wrote ${'x'.repeat(79)}:`]).next).toBe('quote');
  expect(cutMail([`On Monday wrote ${'x'.repeat(80)}:`]).next).toBe('more');
  expect(cutMail(['-----Original Message-----x']).next).toBe('more');
  expect(cutMail(['  -----Original Message-----  ']).next).toBe('nothing');
  expect(cutMail(['-Original Message-']).next).toBe('more');
  expect(cutMail(['x Begin forwarded message:']).next).toBe('more');
  expect(cutMail(['x--']).next).toBe('more');
  for (const end of '.!?') expect(cutMail([`On Monday Bob wrote this${end} See:`]).next).toBe('more');
});

it.each([
  'El lunes Bob:',
  'Il giorno Bob:',
  'Op maandag Bob:',
  'Dnia 16 Bob:',
  'On Monday Bob wrote: yes. No:',
])('%s is the writer’s own', (line) => expect(cutMail([line])).toEqual({ said: [line], next: 'more' }));

it('blank lines before what was cut off say nothing', () => {
  for (const blank of ['', '  ']) {
    const blanks = Array<string>(6).fill(blank);
    expect(isSurelyMail([...blanks, 'On 16.11. Bob wrote:'])).toBe(true);
    expect(isSurelyMail([...blanks, '--', 'Bob'])).toBe(true);
    expect(isSurelyMail(['--', ...blanks, ...blanks, 'Bob'])).toBe(true);
  }
  // A date is not put together from two lines.
  expect(isSurelyMail(['From: 1', '.5 x'])).toBe(false);
  expect(isSurelyMail(['--', 'aBob'])).toBe(false);
});
