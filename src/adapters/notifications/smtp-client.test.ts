/** A mail server that is strange or hostile gets no password in the clear, and never holds anything up. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { MailServer, type MailSettings } from '../../../test/support/mail-server.ts';
import { rejectedCode } from '../../../test/support/thrown-code.ts';
import { CertificateAuthority } from '../../../test/world/certificates.ts';
import { explainChannel } from './channel-errors.ts';
import { type SmtpServer, stuffDots, withSmtp } from './smtp-client.ts';

const authority = new CertificateAuthority();
const certificate = authority.issue('localhost');
setDefaultCACertificates([...getCACertificates('default'), authority.pem]);
const login = { user: 'gatewright', password: 'a password for mail' };

let server: MailServer;
afterEach(() => server.close());

async function send(
  settings: MailSettings,
  more: Partial<SmtpServer> = {},
  milliseconds = 5_000,
): Promise<string> {
  server = await MailServer.open(settings);
  const wanted = {
    host: 'localhost',
    port: server.port,
    tls: settings.tls,
    login: settings.login ?? null,
    ...more,
  };
  const mail = {
    from: 'a@example.com',
    to: 'b@example.com',
    data: 'Subject: x\r\n\r\n.\r\n..two\r\nend\r\n',
  };
  return withSmtp(wanted, { channel: 'mail', milliseconds }, (session) => session.send(mail)).catch(
    (error) => {
      throw explainChannel('mail', error);
    },
  );
}

const refusal = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`;
  }
  return 'nothing was refused';
};

describe('a mail server', () => {
  it('gets lines of dots as they were', async () => {
    await send({ tls: 'none' });
    expect(server.mails).toMatchObject([{ data: 'Subject: x\r\n\r\n.\r\n..two\r\nend\r\n' }]);
    expect(stuffDots('.\r\na.b\r\n..\r\n')).toBe('..\r\na.b\r\n...\r\n');
  });

  it('that offers no TLS gets no login and no mail', async () => {
    const settings = { tls: 'none', login } as const;
    expect(await refusal(send(settings, { tls: 'starttls' }))).toContain('offers no STARTTLS');
    expect(server.inTheClear.filter((line) => !/^EHLO|^QUIT/u.test(line))).toEqual([]);
  });

  it('is not believed what came before TLS', async () => {
    const settings = {
      tls: 'starttls',
      certificate,
      login,
      injected: '250-evil\r\n250 AUTH LOGIN\r\n',
    } as const;
    expect(await refusal(send(settings))).toMatch(/^notification-failed: .*(?:before TLS|TLS|connection)/u);
    expect(server.mails).toEqual([]);
  });

  it.each(['implicit', 'starttls'] as const)(
    'with the certificate of another gets nothing (%s)',
    async (tls) => {
      const other = authority.issue('other.example.com');
      expect(await refusal(send({ tls, certificate: other, login }))).toContain(
        'certificate is for another name',
      );
      expect(server.mails).toEqual([]);
    },
  );

  it.each(['implicit', 'starttls'] as const)('of an unknown authority gets nothing (%s)', async (tls) => {
    const stranger = new CertificateAuthority().issue('localhost');
    expect(await refusal(send({ tls, certificate: stranger, login }))).toMatch(/signed|trust/u);
    expect(server.mails).toEqual([]);
  });

  it('is not told the password in a way that is not known', async () => {
    const settings = { tls: 'implicit', certificate, login, offers: ['CRAM-MD5', 'XOAUTH2'] } as const;
    expect(await refusal(send(settings))).toContain('neither AUTH PLAIN nor AUTH LOGIN');
  });

  it('that repeats the password is not repeated', async () => {
    const settings = { tls: 'implicit', certificate, login } as const;
    const said = await refusal(send(settings, { login: { user: 'x', password: 'another password' } }));
    expect(said).toBe(
      'notification-refused: The channel "mail" refuses it: the login was not taken (SMTP 535 5.7.8).',
    );
  });

  it.each([
    ['refuses the recipient', { RCPT: '550 5.1.1 no such user' }, 'notification-refused'],
    ['is busy', { MAIL: '451 4.3.2 later' }, 'notification-failed'],
    ['does not want the message', { END: '554 5.7.1 spam' }, 'notification-refused'],
    ['speaks something else', { CONNECT: 'SSH-2.0-OpenSSH_9\r\n' }, 'notification-failed'],
    ['greets without end', { CONNECT: `220-${'x'.repeat(20_000)}` }, 'notification-failed'],
    [
      'sends lines without end',
      { EHLO: Array.from({ length: 200 }, () => '250-more').join('\r\n') },
      'notification-failed',
    ],
  ])('that %s is told of by its code alone', async (_, answers, code) => {
    expect(await rejectedCode(send({ tls: 'none', answers }))).toBe(code);
    expect(server.mails).toEqual([]);
  });

  it.each([
    ['greets never', { CONNECT: null }],
    ['falls silent', { DATA: null }],
  ])('that %s holds nothing up', async (_, answers) => {
    expect(await refusal(send({ tls: 'none', answers }, {}, 300))).toContain('it took too long');
  });
});
