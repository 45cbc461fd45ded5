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
    ['-----Original Message-----', 'From: Bob', 'Sent: Monday'],
    ['On Mon, 16 Nov 2026, Bob', '<b@example.org> wrote:'],
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
    ['-----Original Message-----', 'x'],
    ['-----Original Message-----', 'From: Bob', 'x'],
    ['On 16.11. Bob wrote:', 'x'],
    ['On 16.11. Bob wrote:', 'From: Bob', 'To: Eve'],
    ['On Mon, 16 Nov 2026, Bob', '<b@example.org> wrote:', 'x'],
    ['From: Bob', 'Date: 2026', 'x', 'To: Eve'],
  ])('%j may be the own words', (...lines) => expect(isSurelyMail(lines)).toBe(false));

  it.each([
    ...['bob@example.org', '<bob@example.org>', 'BOB@EXAMPLE.ORG', 'b.o_b%c+d-1@mail.ex-ample.org', 'b@e.f'],
    ...['+49 30 1234', '123456', '030/123-456', '+1 (555) 123.4567', `1${'2'.repeat(24)}`],
    ...['Tel: +49 30 1234', 'tel. 030 1234', 'Phone: 123456', 'mobile 123456', 'FAX:123456', 'Tel123456'],
    ...['Sent from my iPhone', 'sent from my iPad.', 'Sent from my Phone', 'Sent from my Android phone'],
    ...['Sent from my mobile phone', '', '  bob@example.org  '],
  ])('a signature: %j', (line) => {
    expect(isSurelyMail(['--', line])).toBe(true);
    expect(isSurelyMail(['-- ', 'bob@example.org', line])).toBe(true);
    expect(isSurelyMail(['--', line, '+49 30 1234'])).toBe(true);
  });
  // Names, titles and addresses of sites look like any other words.
  it.each([
    ...['Bob', 'Ünal Öz', '12 Main Street', '(he/him)', 'he/him', '| Example', '• Bob', '· Bob', ', Bob'],
    ...['– Bob', '— Bob', '- Bob', 'example.org/bob', './x', 'Head of Sales', 'Sales at Example'],
    ...['Bob the Builder', 'Bob and Eve', 'Team for Sales', 'Bob de Vries', 'Bob von Berg', 'Bob van Berg'],
    ...['Bob der Berg', 'Bob du Bois', 'Bob la Roche', 'Bob OF Example', '  Bob   Example  '],
    ...['Norah Waite', 'Holden Butler', 'Ono Laterza', 'http://maybe', 'www.example.org', '👎'],
  ])('may be the own words: %j', (line) => {
    expect(isSurelyMail(['--', line])).toBe(false);
    expect(isSurelyMail(['-- ', 'bob@example.org', line])).toBe(false);
    expect(isSurelyMail(['--', line, 'bob@example.org'])).toBe(false);
  });
  it.each([
    ...['bob', 'Bob says', 'see above', 'Bob x@', 'Bob x.', 'Bob x/', 'Bob thefrom', 'Bob $'],
    ...['No', 'Not', 'Nope', 'Never', "Don't", 'Wait', 'Stop', 'Hold', 'Unless', 'If', 'But', 'Only'],
    ...['After', 'Before', 'Until', 'When', 'Once', 'Kidding', 'Reject', 'Rejected', 'Later', 'Tomorrow'],
  ])('no signature: %j', (line) => {
    expect(isSurelyMail(['--', line])).toBe(false);
    expect(isSurelyMail(['--', 'bob@example.org', line])).toBe(false);
    for (const known of ['bob@example.org', '+49 30 1234', 'Tel: 123456', 'Sent from my iPhone']) {
      expect(isSurelyMail(['--', `${known} ${line}`])).toBe(false);
      expect(isSurelyMail(['--', `${line} ${known}`])).toBe(false);
    }
  });
  it.each([
    ...[
      'bob@example',
      '@example.org',
      'bob@',
      'bob@.org',
      'bob@example.',
      'bob@example..org',
      'b ob@example.org',
    ],
    ...['bob@@example.org', '<<bob@example.org', 'bob@example.org>>', 'bøb@example.org', 'bob@exämple.org'],
    ...[
      'bob@example.örg',
      'bob@example.org/no',
      'bob,no@example.org',
      'bob@no_example.org',
      'a@b_c.d',
      'a@b.c_d',
    ],
    ...[
      '12345',
      `1${'2'.repeat(25)}`,
      '++123456',
      '+-123456',
      '-123456',
      '(030) 1234',
      '123456x',
      '12,34,56',
    ],
    ...['Tel:: 123456', 'Tel:  123456', 'Telephone 123456', 'call 123456', 'x Tel 123456', 'Tel', '١٢٣٤٥٦'],
    ...[
      'sent from my',
      'Sent from my Nokia',
      'Sent from my iPhone..',
      'Sent from my iPhone!',
      'from my iPhone',
    ],
    ...['Sent from my android', 'Sent from my mobile', 'Not sent from my iPhone', 'Sent from  my iPhone'],
  ])('only like one: %j', (line) => expect(isSurelyMail(['--', line])).toBe(false));
  it('has up to eight lines, and may have none', () => {
    expect(isSurelyMail(['--'])).toBe(true);
    expect(isSurelyMail(['--', ...Array<string>(8).fill('bob@example.org')])).toBe(true);
    expect(isSurelyMail(['--', ...Array<string>(9).fill('bob@example.org')])).toBe(false);
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
    expect(isSurelyMail([...blanks, '--', 'bob@example.org'])).toBe(true);
    expect(isSurelyMail(['--', ...blanks, ...blanks, 'bob@example.org'])).toBe(true);
    expect(isSurelyMail(['--', ...blanks, ...blanks, 'Bob'])).toBe(false);
  }
  // A date is not put together from two lines.
  expect(isSurelyMail(['From: 1', '.5 x'])).toBe(false);
});
