import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { get } from 'node:http';
import type { Socket } from 'node:net';
import type { DevMail, DevMailbox } from '../src/dev-mail/dev-mailbox.js';
import { startGatewayForThisTest, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

const mail = (id: string, fields: Partial<DevMail> = {}): DevMail => ({
  id,
  to: 'ana@example.test',
  subject: 'Welcome to Pulso',
  text: 'Hello Ana',
  html: '<html lang="en"><head><title>Welcome</title></head><body><a href="/feed">Hello Ana</a></body></html>',
  sentAt: new Date('2026-11-20T10:00:00.000Z'),
  ...fields,
});
const MAILS = [mail('welcome_2', { to: 'ben@example.test', subject: 'Hi <b>Ben</b>' }), mail('welcome_1')];
const MAILBOX: DevMailbox = {
  list: async ({ to }) => MAILS.filter((one) => to === undefined || one.to === to),
  find: async (id) => MAILS.find((one) => one.id === id),
};

const PUBLIC_URL = 'http://localhost:8080';

/** `fetch` sends no `Host` of ours. */
const statusOf = (url: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
    request.once('error', reject);
  });

// Rule: MAIL-7
describe('/dev/mail', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway({ devMail: MAILBOX, PUBLIC_URL });
  });
  afterAll(() => gateway?.close());

  const json = async (path: string) => {
    const answer = await gateway.call('GET', path, { token: null, headers: { accept: 'application/json' } });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };

  it('lists the mails as JSON, newest first, and those to one address', async () => {
    const all = MAILS.map((one) => ({ ...one, sentAt: one.sentAt.toISOString() }));
    expect(await json('/dev/mail')).toEqual({ status: 200, body: all });
    expect(await json('/dev/mail?to=Ana%40example.test')).toEqual({ status: 200, body: [all[1]] });
    expect(await json('/dev/mail?to=nobody')).toEqual({ status: 200, body: [] });
  });

  it('is a page for a browser, in which texts of mails are no markup', async () => {
    const answer = await gateway.call('GET', '/dev/mail', {
      token: null,
      headers: { accept: 'text/html,*/*' },
    });
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    // It shows frames of this site, and runs nothing.
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-src 'self'");
    const page = await answer.text();
    expect(page).toContain('Hi &lt;b&gt;Ben&lt;/b&gt;');
    expect(page).toContain('src="/dev/mail/welcome_1"');
    expect(page).not.toContain('<b>');
  });

  it('shows a mail in a frame of this page alone, without scripts, whose links leave it', async () => {
    const answer = await gateway.call('GET', '/dev/mail/welcome_1', { token: null });
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    expect(answer.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(await answer.text()).toContain('<head><base target="_top" /><title>');
  });

  it('answers 404 for a mail that is not there', async () => {
    expect(await json('/dev/mail/nobody')).toMatchObject({ status: 404, body: { code: 'not-found' } });
  });
});

// Rule: MAIL-7
describe('/dev/mail is for this machine alone:', () => {
  let gateway: TestGateway;
  let from: string;
  const accepted = (message: unknown) =>
    void Object.defineProperty((message as { socket: Socket }).socket, 'remoteAddress', { get: () => from });

  beforeAll(async () => {
    subscribe('net.server.socket', accepted);
    gateway = await startTestGateway({ devMail: MAILBOX, TRUSTED_PROXIES: 1, PUBLIC_URL });
  });
  afterAll(async () => {
    unsubscribe('net.server.socket', accepted);
    await gateway?.close();
  });

  /** The statuses of both pages for a connection from `address`, whatever a header says. */
  async function statuses(address: string, headers: Record<string, string> = {}) {
    from = address;
    const paths = ['/dev/mail', '/dev/mail/welcome_1'];
    return Promise.all(paths.map((path) => statusOf(gateway.url + path, headers)));
  }

  it.each(['127.0.0.1', '127.0.1.1', '::1', '::ffff:127.0.0.1'])('%s sees it', async (address) => {
    expect(await statuses(address)).toEqual([200, 200]);
  });

  it.each(['192.168.0.7', '172.17.0.1', '::ffff:192.168.0.7', 'fe80::1%eth0', '2001:db8::127.0.0.1'])(
    '%j does not',
    async (address) => {
      expect(await statuses(address)).toEqual([404, 404]);
      expect(await statuses(address, { 'x-forwarded-for': '127.0.0.1' })).toEqual([404, 404]);
    },
  );

  it.each(['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'])(
    'nobody sees it by a proxy, which sends %s',
    async (name) => {
      expect(await statuses('127.0.0.1', { [name]: '127.0.0.1' })).toEqual([404, 404]);
    },
  );

  it.each(['localhost', 'LOCALHOST:8080', '127.0.0.1:4711', '[::1]', '[::1]:8080'])(
    'it is seen as %s',
    async (host) => {
      expect(await statuses('127.0.0.1', { host })).toEqual([200, 200]);
    },
  );

  it.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example@localhost',
    '192.168.0.7:8080',
    '[2001:db8::1]:8080',
  ])('a page of %s does not see it, wherever that name leads', async (host) => {
    expect(await statuses('127.0.0.1', { host })).toEqual([404, 404]);
  });
});

// Rule: MAIL-7
it.each(['https://pulso.example', 'http://192.168.0.7:8080', 'http://localhost.evil.example'])(
  'is shown to nobody where users know Pulso as %s',
  async (publicUrl) => {
    const gateway = await startGatewayForThisTest({ devMail: MAILBOX, PUBLIC_URL: publicUrl });
    for (const path of ['/dev/mail', '/dev/mail/welcome_1'])
      expect((await gateway.call('GET', path, { token: null })).status).toBe(404);
  },
);

it('is not there without a development mailbox', async () => {
  const gateway = await startGatewayForThisTest();
  expect((await gateway.call('GET', '/dev/mail', { token: null })).status).toBe(404);
});
