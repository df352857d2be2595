import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import type { OutgoingMail } from './mailer.js';
import { SmtpMailer } from './smtp-mailer.js';

const MAIL: OutgoingMail = {
  ...{ id: 'welcome_1', to: 'ana@pulso.test', date: new Date(0), subject: 'Hello' },
  ...{ text: 'text', html: '<p>html</p>', unsubscribeUrl: undefined },
};

/** A mail server that answers each line as `answer` says; resolves to its port. */
async function serve(answer: (line: string, socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // The client may leave in the middle.
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      for (const line of String(data).trim().split('\r\n')) answer(line, socket);
    });
    socket.write('220 mail.test ready\r\n');
  });
  onTestEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

function mailer(url: string, requiresTls: boolean, maxMs?: number): SmtpMailer {
  const from = { name: 'Pulso', address: 'no-reply@pulso.example' };
  const made = new SmtpMailer({ url, requiresTls, from, dkim: undefined }, maxMs);
  onTestEnd(() => made.onModuleDestroy());
  return made;
}

describe('sending by SMTP', () => {
  it('gives neither password nor mail to a server that offers no TLS where it is required', async () => {
    const lines: string[] = [];
    const port = await serve((line, socket) => {
      lines.push(line);
      const answer = line.startsWith('EHLO') ? '250-mail.test\r\n250 AUTH PLAIN LOGIN' : '502 not known';
      socket.write(`${answer}\r\n`);
    });
    const sent = mailer(`smtp://me:secret@127.0.0.1:${port}`, true).send(MAIL);
    await expect(sent).rejects.toMatchObject({ name: 'MailError', code: 'ETLS', isRefused: false });
    expect(lines.filter((line) => /^(AUTH|MAIL|RCPT|DATA)/.test(line))).toEqual([]);
    expect(lines).toContain('STARTTLS');
  });

  it('gives a mail up that takes too long, with its connection, whatever the server says meanwhile', async () => {
    let isClosed = false;
    const port = await serve((line, socket) => {
      if (!line.startsWith('EHLO')) return;
      // An answer without an end, of which no pause is long enough to give up for.
      const drawing = setInterval(() => socket.write('250-more\r\n'), 10);
      socket.once('close', () => {
        clearInterval(drawing);
        isClosed = true;
      });
    });
    const sent = mailer(`smtp://127.0.0.1:${port}`, false, 200).send(MAIL);
    await expect(sent).rejects.toMatchObject({ name: 'MailError', code: 'ETIMEDOUT', isRefused: false });
    await until(() => isClosed, { what: 'the end of the connection' });
  });
});
