import { describe, expect, it, jest } from '@jest/globals';
import { authorizedFetch } from './authorized-fetch.js';

const problem = (status: number, code: string) =>
  new Response(JSON.stringify({ status, code }), {
    status,
    headers: { 'Content-Type': 'application/problem+json' },
  });

function aClient(answers: Response[], token: string | undefined = 't1') {
  const sent: Request[] = [];
  const tokens = {
    accessToken: jest.fn(async (): Promise<string | undefined> => token),
    replace: jest.fn(async (): Promise<string | undefined> => 't2'),
    forceSignOut: jest.fn(),
  };
  const call = authorizedFetch(tokens, async (request) => {
    sent.push(request);
    return answers.shift() ?? new Response(null, { status: 204 });
  });
  const send = (method = 'GET', body?: string) =>
    call(new Request('http://pulso.test/api/posts', { method, body }));
  return { send, sent, tokens };
}

describe('authorizedFetch', () => {
  it('sends the access token, and none for visitors', async () => {
    const member = aClient([]);
    await member.send();
    expect(member.sent[0]?.headers.get('Authorization')).toBe('Bearer t1');
    const visitor = aClient([]);
    visitor.tokens.accessToken.mockResolvedValue(undefined);
    await visitor.send();
    expect(visitor.sent[0]?.headers.has('Authorization')).toBe(false);
  });

  // Rule: HTTP-22
  it('begins a trace of its own with each request', async () => {
    const { send, sent } = aClient([]);
    await send();
    await send();
    const traces = sent.map((request) => request.headers.get('traceparent') ?? '');
    expect(traces).toEqual([0, 1].map(() => expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)));
    expect(traces[0]).not.toBe(traces[1]);
  });

  it('sends back the last Pulso-After it was given', async () => {
    const { send, sent } = aClient([
      new Response(null, { status: 204, headers: { 'Pulso-After': 'a1' } }),
      new Response(null, { status: 200 }),
      new Response(null, { status: 204, headers: { 'Pulso-After': 'a2' } }),
    ]);
    await send('POST', '{}');
    await send();
    await send('POST', '{}');
    await send();
    expect(sent.map((request) => request.headers.get('Pulso-After'))).toEqual([null, 'a1', 'a1', 'a2']);
  });

  it('repeats a request, body and all, with a fresh token when its own had expired', async () => {
    const { send, sent } = aClient([problem(401, 'user-token-expired'), new Response('ok')]);
    const response = await send('POST', '{"content":"hi"}');
    expect(await response.text()).toBe('ok');
    expect(sent[1]?.headers.get('Authorization')).toBe('Bearer t2');
    expect(await sent[1]?.text()).toBe('{"content":"hi"}');
  });

  it('ends the session when the fresh token is refused too', async () => {
    const { send, tokens } = aClient([
      problem(401, 'user-token-expired'),
      problem(401, 'user-token-expired'),
    ]);
    expect((await send()).status).toBe(401);
    expect(tokens.forceSignOut).toHaveBeenCalledTimes(1);
  });

  // Rule: ACCT-23
  it('ends the session of a disabled user', async () => {
    const { send, tokens } = aClient([problem(403, 'user-disabled')]);
    await send();
    expect(tokens.forceSignOut).toHaveBeenCalledTimes(1);
  });

  it('hands a visitor’s 401 through', async () => {
    const { send, tokens } = aClient([problem(401, 'invalid-credential')]);
    tokens.accessToken.mockResolvedValue(undefined);
    expect((await send('POST', '{}')).status).toBe(401);
    expect(tokens.replace).not.toHaveBeenCalled();
  });
});
