import { unavailable } from '@pulso/platform/errors/domain-error';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { until } from '@pulso/platform/testing/until';
import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { SESSION_ID, TIME, USER_ID } from './support/fake-clients.js';
import { documentOf } from './support/openapi-document.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;
beforeEach(async () => (gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 1 })));
afterEach(() => gateway?.close());

const get = (token: string | null = gateway.token) => gateway.call('GET', '/api/me/export', { token });
const row = (section: string, value: object) => ({ section, json: JSON.stringify(value) });
const asked = () =>
  gateway.calls
    .filter(({ method }) => method === 'exportUser')
    .map(({ service, request }) => `${service} ${(request as { cursor: string }).cursor}`);

// Rule: ACCT-35
describe('the export', () => {
  it('is one document of the pages of all services', async () => {
    gateway.posts.exportUser = ({ cursor }) =>
      Promise.resolve(
        cursor === ''
          ? { rows: [row('posts', { id: 'p1' }), row('posts', { id: 'p2' })], nextCursor: 'two' }
          : { rows: [row('posts', { id: 'p3' }), row('likes', { targetId: 'p9' })], nextCursor: '' },
      );
    gateway.identity.exportUser = () =>
      Promise.resolve({ rows: [row('account', { name: '"Ana" \u2028' })], nextCursor: '' });
    const response = await get();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="pulso-export.json"');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const document = (await response.json()) as { services: Record<string, unknown> };
    expect(document).toEqual({
      ...{ format: 'pulso-export', version: 1, userId: USER_ID, complete: true },
      exportedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      services: {
        ...Object.fromEntries(SERVICE_NAMES.map((name) => [name, {}])),
        posts: { posts: [{ id: 'p1' }, { id: 'p2' }, { id: 'p3' }], likes: [{ targetId: 'p9' }] },
        identity: { account: [{ name: '"Ana" \u2028' }] },
      },
    });
    // The first pages of all come before any other.
    expect(asked().slice(0, SERVICE_NAMES.length).toSorted()).toEqual(
      SERVICE_NAMES.map((name) => `${name} `).toSorted(),
    );
    expect(asked().slice(SERVICE_NAMES.length)).toEqual(['posts two']);
  });

  it('ends with the last field of its schema, by which clients know a cut one', async () => {
    const { schemas } = (await documentOf(gateway)).components;
    const [name, last] = Object.entries(schemas.Export!.properties!).at(-1)!;
    const text = await (await get()).text();
    expect(text.trimEnd().endsWith(`${JSON.stringify(name)}:${JSON.stringify(last.const)}}`)).toBe(true);
  });

  it.each(SERVICE_NAMES)('is refused as a whole while %s does not answer', async (name) => {
    gateway[name].exportUser = () => Promise.reject(unavailable());
    const response = await get();
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({
        code: 'unavailable',
        detail: expect.stringContaining('Your data cannot be put together now'),
      }),
    ]);
    expect(response.headers.get('content-disposition')).toBeNull();
  });

  it('ends with an aborted connection if a later page fails', async () => {
    gateway.social.exportUser = ({ cursor }) =>
      cursor === ''
        ? Promise.resolve({ rows: [row('following', { userId: 'u' })], nextCursor: 'two' })
        : Promise.reject(unavailable());
    await expect(get().then((response) => response.text())).rejects.toThrow(/terminated|fetch failed/);
    // It has given its place back.
    gateway.social.exportUser = () => Promise.resolve({ rows: [], nextCursor: '' });
    expect(await (await get()).json()).toMatchObject({ complete: true });
  });

  it('may take longer than other calls', async () => {
    const before = gateway.clock.now();
    gateway.media.exportUser = ({ cursor }) => {
      gateway.clock.advance(cursor === '' ? 0 : 10_000);
      return Promise.resolve({ rows: [], nextCursor: cursor === '' ? 'two' : '' });
    };
    expect(await (await get()).json()).toMatchObject({ complete: true });
    const deadlines = gateway.calls
      .filter(({ method }) => method === 'exportUser')
      .map(({ context }) => context?.deadline);
    expect(new Set(deadlines).size).toBe(1);
    expect(deadlines[0]).toBeGreaterThan(before + 60_000);
  });

  it('is one at a time for an account', async () => {
    const begun = new Promise<() => void>((begin) => {
      gateway.billing.exportUser = () =>
        new Promise((resolve) => begin(() => resolve({ rows: [], nextCursor: '' })));
    });
    const first = get();
    const goOn = await begun;
    expect((await get()).status).toBe(429);
    goOn();
    expect((await first).status).toBe(200);
  });

  it('ends with its session', async () => {
    gateway.social.exportUser = async ({ cursor }) => {
      if (cursor === '') return { rows: [row('following', { userId: 'u' })], nextCursor: 'two' };
      gateway.identity.listEndedSessions = () =>
        Promise.resolve({ sessions: [{ id: SESSION_ID, endedAt: TIME }], more: false });
      await gateway.call('DELETE', `/api/auth/sessions/${SESSION_ID}`);
      return { rows: [], nextCursor: 'three' };
    };
    await expect(get().then((response) => response.text())).rejects.toThrow(/terminated|fetch failed/);
    expect(asked()).toContain('social two');
    expect(asked()).not.toContain('social three');
  });

  it('has four places at one network address, and more for others', async () => {
    await gateway.close();
    gateway = await startTestGateway({ TRUSTED_PROXIES: 1 });
    const goOn: (() => void)[] = [];
    gateway.billing.exportUser = () =>
      new Promise((resolve) => goOn.push(() => resolve({ rows: [], nextCursor: '' })));
    const from = async (address: string) =>
      gateway.call('GET', '/api/me/export', {
        token: await gateway.tokenFor(newId()),
        headers: { 'x-forwarded-for': address },
      });
    const held = await Promise.all([1, 2, 3, 4].map(async () => ({ answer: from('203.0.113.9') })));
    await until(() => goOn.length === 4, { what: () => `${goOn.length} of 4 exports` });
    expect((await from('203.0.113.9')).status).toBe(429);
    const other = from('203.0.113.77');
    await until(() => goOn.length === 5, { what: () => 'the export of another address' });
    for (const go of goOn) go();
    expect((await other).status).toBe(200);
    for (const { answer } of held) expect((await answer).status).toBe(200);
  });

  it('answers HEAD without reading on', async () => {
    gateway.posts.exportUser = () => Promise.resolve({ rows: [row('posts', {})], nextCursor: 'two' });
    const response = await gateway.call('HEAD', '/api/me/export');
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(asked()).not.toContain('posts two');
  });

  it('needs a session', async () => {
    expect((await get(null)).status).toBe(401);
    expect(asked()).toEqual([]);
  });

  it('is made ten times an hour at most', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1) {
      const response = await get();
      await response.text();
      statuses.push(response.status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });
});
