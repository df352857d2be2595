import { describe, expect, it } from '@jest/globals';
import { aMe } from '../../../test/a-post.js';
import { SessionOverError } from '../http/api-error.js';
import type { SessionState } from '../session/session-store.js';
import { sendAgain } from './send-again.js';

const unavailable = (retryAfter?: string) =>
  new Response(null, { status: 503, headers: retryAfter ? { 'Retry-After': retryAfter } : {} });

function aClient(answers: Response[]) {
  const bodies: string[] = [];
  const waits: number[] = [];
  let state: SessionState = { status: 'signed-out', reason: 'none' };
  const become = (id: string) => (state = { status: 'signed-in', user: aMe({ id }) });
  let onWait = () => undefined as unknown;
  const send = sendAgain(
    async (request, checkCaller) => {
      checkCaller?.();
      bodies.push(await request.text());
      return answers.shift() ?? new Response(null, { status: 204 });
    },
    { getState: () => state },
    async (milliseconds) => {
      waits.push(milliseconds);
      onWait();
    },
  );
  const status = async (method: string, body?: string) =>
    (await send(new Request('http://pulso.test/api/posts', { method, body }))).status;
  const waiting = (run: () => unknown) => (onWait = run);
  return { status, bodies, waits, become, waiting };
}

// Rule: UI-37
describe('a call that is answered 503', () => {
  it('is sent again, with its body, when it is a write', async () => {
    const { status, bodies, waits } = aClient([unavailable('1'), unavailable('1')]);
    expect(await status('POST', '{"content":"hi"}')).toBe(204);
    expect(bodies).toEqual(Array.from({ length: 3 }, () => '{"content":"hi"}'));
    expect(waits[0]).toBeGreaterThanOrEqual(1000);
    expect(waits[1]).toBeGreaterThanOrEqual(2000);
    expect(waits[1]).toBeLessThan(3000);
  });

  it('is given up after two retries', async () => {
    const { status, bodies } = aClient([unavailable('1'), unavailable('1'), unavailable('1')]);
    expect(await status('PUT')).toBe(503);
    expect(bodies).toHaveLength(3);
  });

  it.each([undefined, '6', 'soon'])('is not sent again when Retry-After is %s', async (retryAfter) => {
    const { status, bodies } = aClient([unavailable(retryAfter)]);
    expect(await status('POST', '{}')).toBe(503);
    expect(bodies).toHaveLength(1);
  });

  it('is left to its query when it is a read', async () => {
    const { status, bodies } = aClient([unavailable('1')]);
    expect(await status('GET')).toBe(503);
    expect(bodies).toHaveLength(1);
  });
});

// Rule: HTTP-3
it('a read that lacks the viewer’s own writes is sent again, twice at most', async () => {
  const stale = () => new Response('old', { headers: { 'Pulso-Stale': '1' } });
  const late = aClient([stale(), new Response('new')]);
  expect(await late.status('GET')).toBe(200);
  expect(late.waits).toHaveLength(1);
  const never = aClient([stale(), stale(), stale(), stale()]);
  expect(await never.status('GET')).toBe(200);
  expect(never.bodies).toHaveLength(3);
});

it.each([
  ['another user', 'ana'],
  ['a user, where a visitor began it', undefined],
])('a call is not sent again as %s', async (_, caller) => {
  const { status, bodies, become, waiting } = aClient([unavailable('1')]);
  if (caller) become(caller);
  waiting(() => become('ben'));
  await expect(status('POST', '{}')).rejects.toThrow(SessionOverError);
  expect(bodies).toHaveLength(1);
});
