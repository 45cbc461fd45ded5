/** Where in a mail the writer's own words end. */
import { describe, expect, it } from 'vitest';
import { cutMail } from './spoken-mail.ts';
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
