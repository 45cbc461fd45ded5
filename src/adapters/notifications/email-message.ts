/** A message as an e-mail. Its headers hold nothing that could begin another header: all but addresses is encoded. */
import type { NotificationMessage } from '../../domain/notifications/notification.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import { subjectOf } from './message-words.ts';
import { writePlainText } from './plain-text.ts';

const widest = 76;
/** 39 bytes are 52 characters of base64; with its frame and the name of the header, a line stays below 76. */
const wordBytes = 39;

/** Encoded words (RFC 2047), folded, each with whole characters. */
function encodeHeader(text: string): string {
  if (/^[\w.,:;()[\]/#+'! -]{1,60}$/u.test(text)) return text;
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > wordBytes) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((one) => `=?utf-8?B?${Buffer.from(one).toString('base64')}?=`).join('\r\n ');
}

/** As RFC 5322 writes it. */
function dateOf(at: string): string {
  return new Date(at).toUTCString().replace('GMT', '+0000');
}

function wrap(text: string): string {
  return (text.match(new RegExp(`.{1,${widest}}`, 'gu')) ?? []).map((line) => `${line}\r\n`).join('');
}

function titleOf({ kind, matters }: NotificationMessage): string {
  const [first] = matters;
  return kind === 'notification' && first !== undefined ? `: ${escapeForLine(first.title, 80)}` : '';
}

/** The same in every attempt, so that a server or a reader recognises a second copy. */
function messageIdOf({ id }: Pick<NotificationMessage, 'id'>, from: string): string {
  return `<gatewright.${id}@${from.split('@').at(-1)}>`;
}

/** @param from a plain address, as the settings allow them @param to the same */
export function writeEmail(message: NotificationMessage, from: string, to: string): string {
  const headers = [
    `Date: ${dateOf(message.at)}`,
    `From: Gatewright <${from}>`,
    `To: <${to}>`,
    `Subject: ${encodeHeader(`[Gatewright] ${subjectOf(message)}${titleOf(message)}`)}`,
    `Message-ID: ${messageIdOf(message, from)}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    // So that no automatic answer comes back.
    'Auto-Submitted: auto-generated',
    'X-Auto-Response-Suppress: All',
  ];
  return `${headers.join('\r\n')}\r\n\r\n${wrap(Buffer.from(writePlainText(message)).toString('base64'))}`;
}
