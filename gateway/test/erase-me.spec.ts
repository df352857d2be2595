import { DomainError } from '@pulso/platform/errors/domain-error';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { SESSION_ID } from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;
beforeEach(async () => (gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 1 })));
afterEach(() => gateway?.close());

const erase = (json: unknown, token: string | null = gateway.token) =>
  gateway.call('DELETE', '/api/me', { json, token });
const asked = () => gateway.calls.filter(({ method }) => method === 'eraseMe').map(({ request }) => request);

// Rule: ACCT-32, HTTP-44
it('an account is erased by its password, or without one where it has none', async () => {
  const response = await erase({ password: 'a long sentence' });
  expect([response.status, await response.text()]).toEqual([202, '']);
  // The browser forgets the session with it.
  const cookies = response.headers.getSetCookie().join('\n');
  expect(cookies).toMatch(/pulso_refresh=;/);
  expect(cookies).toMatch(/pulso_member=;/);
  expect((await erase({})).status).toBe(202);
  expect(asked()).toEqual([{ password: 'a long sentence' }, { password: '' }]);
});

it('a wrong password erases nothing, and leaves the cookie', async () => {
  gateway.identity.eraseMe = () => Promise.reject(new DomainError('wrong-password', 'No'));
  const response = await erase({ password: 'something else' });
  expect([response.status, await response.json()]).toEqual([
    403,
    expect.objectContaining({ code: 'wrong-password' }),
  ]);
  expect(response.headers.getSetCookie()).toEqual([]);
});

it('needs a session', async () => {
  expect((await erase({ password: 'a long sentence' }, null)).status).toBe(401);
  expect(asked()).toEqual([]);
});

// Rule: ACCT-14
it('wrong passwords are counted, and beyond ten in five minutes refused', async () => {
  gateway.identity.eraseMe = () => Promise.reject(new DomainError('wrong-password', 'No'));
  const statuses: number[] = [];
  for (let index = 0; index < 11; index += 1)
    statuses.push((await erase({ password: `guess ${index}` })).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429]);
});

// Rule: LIMIT-4
it('accounts at one network address can be erased 20 times an hour; a wrong password and a visitor do not count', async () => {
  gateway.identity.eraseMe = () => Promise.reject(new DomainError('wrong-password', 'No'));
  expect((await erase({ password: 'something else' })).status).toBe(403);
  expect((await erase({}, null)).status).toBe(401);
  gateway.identity.eraseMe = () => Promise.resolve({});
  const statuses: number[] = [];
  for (let index = 0; index < 21; index += 1)
    statuses.push((await erase({ password: 'a long sentence' }, await gateway.tokenFor(newId()))).status);
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 202), 429]);
});

// Rule: ACCT-21
it('the session is over at once', async () => {
  gateway.identity.listEndedSessions = () =>
    Promise.resolve({ sessions: [{ id: SESSION_ID, endedAt: gateway.clock.now() }], more: false });
  expect((await erase({ password: 'a long sentence' })).status).toBe(202);
  expect((await gateway.call('GET', '/api/me')).status).toBe(401);
});
