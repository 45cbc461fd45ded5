/**
 * A certificate authority of our own, made for one test, and the certificates that it gives to servers. Node signs and makes
 * keys; the form of a certificate (X.509 in DER) is written here.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

type Part = Buffer;

const tags = {
  ...{ boolean: 0x01, integer: 0x02, bits: 0x03, octets: 0x04, object: 0x06, text: 0x0c, time: 0x17 },
  ...{ sequence: 0x30, set: 0x31 },
} as const;

function der(tag: number, ...parts: readonly Part[]): Part {
  const body = Buffer.concat(parts);
  const size = body.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...parts: readonly Part[]): Part => der(tags.sequence, ...parts);
const bits = (content: Part): Part => der(tags.bits, Buffer.from([0]), content);

/** The names of algorithms, attributes and extensions; every part of these is below 128 or given in two bytes. */
const objects = {
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
  commonName: [0x55, 0x04, 0x03],
  subjectKey: [0x55, 0x1d, 0x0e],
  keyUsage: [0x55, 0x1d, 0x0f],
  subjectNames: [0x55, 0x1d, 0x11],
  basicConstraints: [0x55, 0x1d, 0x13],
  authorityKey: [0x55, 0x1d, 0x23],
  extendedKeyUsage: [0x55, 0x1d, 0x25],
  serverAuthentication: [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01],
} as const;

const object = (name: keyof typeof objects): Part => der(tags.object, Buffer.from(objects[name]));
const nameOf = (text: string): Part =>
  sequence(der(tags.set, sequence(object('commonName'), der(tags.text, Buffer.from(text)))));

function timeIn(days: number): Part {
  const at = new Date(Date.now() + days * 86_400_000).toISOString();
  return der(tags.time, Buffer.from(`${at.slice(2, 19).replaceAll(/[-T:]/gu, '')}Z`));
}

function extension(name: keyof typeof objects, value: Part, isCritical = false): Part {
  const critical = isCritical ? [der(tags.boolean, Buffer.from([0xff]))] : [];
  return sequence(object(name), ...critical, der(tags.octets, value));
}

const keyIdOf = (key: KeyObject): Part =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20);

function toPem(content: Part, label: string): string {
  const lines = content.toString('base64').match(/.{1,64}/gu) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

interface Wanted {
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Part[];
}

const authorityName = 'Example Company Test Authority';

export class CertificateAuthority {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  /** The certificate that people are given. */
  readonly pem: string;

  constructor() {
    this.pem = this.#sign({
      subject: authorityName,
      publicKey: this.#keys.publicKey,
      extensions: [
        extension('basicConstraints', sequence(der(tags.boolean, Buffer.from([0xff]))), true),
        // To sign certificates and lists of those that are withdrawn.
        extension('keyUsage', der(tags.bits, Buffer.from([0x01, 0x06])), true),
        extension('subjectKey', der(tags.octets, keyIdOf(this.#keys.publicKey))),
      ],
    });
  }

  /** For a server that has one of these names. */
  issue(...names: readonly string[]): Certificate {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const dnsNames = names.map((name) => der(0x82, Buffer.from(name)));
    const cert = this.#sign({
      subject: names[0] ?? '',
      publicKey,
      extensions: [
        extension('basicConstraints', sequence(), true),
        extension('keyUsage', der(tags.bits, Buffer.from([0x07, 0x80])), true),
        extension('extendedKeyUsage', sequence(object('serverAuthentication'))),
        extension('subjectNames', sequence(...dnsNames)),
        extension('authorityKey', sequence(der(0x80, keyIdOf(this.#keys.publicKey)))),
      ],
    });
    return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
  }

  #sign({ subject, publicKey, extensions }: Wanted): string {
    const algorithm = sequence(object('ecdsaWithSha256'));
    const content = sequence(
      der(0xa0, der(tags.integer, Buffer.from([2]))),
      der(tags.integer, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
      algorithm,
      nameOf(authorityName),
      sequence(timeIn(-1), timeIn(30)),
      nameOf(subject),
      publicKey.export({ type: 'spki', format: 'der' }),
      der(0xa3, sequence(...extensions)),
    );
    const signature = sign('sha256', content, this.#keys.privateKey);
    return toPem(sequence(content, algorithm, bits(signature)), 'CERTIFICATE');
  }
}
