import { describe, expect, it, jest } from '@jest/globals';
import { aMe } from '../../../test/a-post.js';
import { SessionOverError } from '../http/api-error.js';
import type { SessionState } from '../session/session-store.js';
import { authorizedFetch } from './authorized-fetch.js';
import { clearReadAfter, setReadAfter } from '../http/read-after.js';

const VISITOR: SessionState = { status: 'signed-out', reason: 'none' };
const signedIn = (id: string): SessionState => ({ status: 'signed-in', user: aMe({ id }) });

const problem = (status: number, code: string) =>
  new Response(JSON.stringify({ status, code }), {
    status,
    headers: { 'Content-Type': 'application/problem+json' },
  });

function aClient(answers: Response[], token: string | undefined = 't1') {
  const sent: Request[] = [];
  const tokens = {
    getState: jest.fn((): SessionState => signedIn('ana')),
    accessToken: jest.fn(async (): Promise<string | undefined> => token),
    replace: jest.fn(async (): Promise<string | undefined> => 't2'),
    forceSignOut: jest.fn(),
  };
  let onArrival = () => undefined as unknown;
  const call = authorizedFetch(tokens, async (request) => {
    sent.push(request);
    onArrival();
    return answers.shift() ?? new Response(null, { status: 204 });
  });
  const send = (method = 'GET', body?: string) =>
    call(new Request('http://pulso.test/api/posts', { method, body }));
  /** What happens while an answer is on its way. */
  const arriving = (run: () => unknown) => (onArrival = run);
  return { send, sent, tokens, arriving };
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

  // Rule: HTTP-33
  it('sends that of the latest event beside its own, for a minute', async () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(0);
    const { send, sent } = aClient([new Response(null, { status: 204, headers: { 'Pulso-After': 'own' } })]);
    setReadAfter('told');
    await send('POST', '{}');
    await send();
    now.mockReturnValue(59_999);
    setReadAfter('newer');
    await send();
    now.mockReturnValue(119_999);
    await send();
    setReadAfter('last');
    clearReadAfter();
    await send();
    expect(sent.map((request) => request.headers.get('Pulso-After'))).toEqual([
      'told',
      'own, told',
      'own, newer',
      'own',
      'own',
    ]);
    now.mockRestore();
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

describe('a call whose caller is no longer the viewer', () => {
  const become = (tokens: ReturnType<typeof aClient>['tokens'], state: SessionState, token?: string) => {
    tokens.getState.mockReturnValue(state);
    return token;
  };

  it.each([
    ['another user', signedIn('ana'), signedIn('ben')],
    ['a user, where a visitor began it', VISITOR, signedIn('ben')],
    ['a visitor, where a user began it', signedIn('ana'), VISITOR],
  ])('is not sent as %s after it has waited for a token', async (_, before, after) => {
    const { send, sent, tokens } = aClient([]);
    tokens.getState.mockReturnValue(before);
    tokens.accessToken.mockImplementation(async () => become(tokens, after, 't9'));
    await expect(send('POST', '{}')).rejects.toThrow(SessionOverError);
    expect(sent).toEqual([]);
  });

  it('is not repeated with another user’s token', async () => {
    const { send, sent, tokens } = aClient([problem(401, 'user-token-expired')]);
    tokens.replace.mockImplementation(async () => become(tokens, signedIn('ben'), 't9'));
    await expect(send('POST', '{}')).rejects.toThrow(SessionOverError);
    expect(sent).toHaveLength(1);
  });

  it('does not end the session of the next user', async () => {
    const { send, tokens, arriving } = aClient([problem(403, 'user-disabled')]);
    arriving(() => become(tokens, signedIn('ben')));
    await expect(send()).rejects.toThrow(SessionOverError);
    expect(tokens.forceSignOut).not.toHaveBeenCalled();
  });

  // Rule: ACCT-25
  it('is sent by whoever the session turns out to be, while the page starts', async () => {
    const { send, sent, tokens } = aClient([problem(401, 'user-token-expired')]);
    tokens.getState.mockReturnValue({ status: 'booting' });
    tokens.accessToken.mockImplementation(async () => become(tokens, signedIn('ana'), 't1'));
    tokens.replace.mockImplementation(async () => become(tokens, signedIn('ben'), 't9'));
    await expect(send()).rejects.toThrow(SessionOverError);
    expect(sent.map(({ headers }) => headers.get('Authorization'))).toEqual(['Bearer t1']);
  });
});
