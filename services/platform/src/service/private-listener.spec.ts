import type { IncomingMessage, ServerResponse } from 'node:http';
import { requireCaller } from '../context/request-context.js';
import { tokenExpired, unavailable } from '../errors/domain-error.js';
import { createLogger } from '../logging/logger.js';
import { until } from '../../testing/until.js';
import { type PrivateListener, startPrivateListener } from './private-listener.js';

describe('a private listener', () => {
  const caller = { userId: 'ana', sessionId: 's', expiresAt: 1, issuedAt: 0 };
  let listener: PrivateListener;
  let answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  beforeEach(async () => {
    listener = await startPrivateListener({
      listener: { handle: (request, response) => answer(request, response) },
      verifier: {
        verify(authorization) {
          if (authorization === 'Bearer good') return caller;
          throw tokenExpired();
        },
      },
      ...{ port: 0, host: '127.0.0.1', logger: createLogger({ service: 'test', level: 'silent' }) },
    });
  });
  afterEach(() => listener.drain());
  const get = async (authorization?: string) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const response = await fetch(`http://127.0.0.1:${listener.port}/`, { headers });
    return [response.status, await response.text()];
  };

  it('verifies the token, and answers errors as the gateway reads them', async () => {
    answer = async (_request, response) => void response.end(requireCaller().userId);
    expect(await get('Bearer good')).toEqual([200, 'ana']);
    expect(await get('Bearer bad')).toEqual([401, expect.stringContaining('user-token-expired')]);
    expect(await get()).toEqual([401, expect.stringContaining('not-authenticated')]);
    answer = () => Promise.reject(unavailable());
    expect(await get()).toEqual([503, expect.stringMatching(/"code":"unavailable".*"retryAfter":1/)]);
    answer = () => Promise.reject(new Error('secret'));
    expect(await get()).toEqual([500, expect.not.stringContaining('secret')]);
  });

  it('finishes running requests when it is drained, and takes no new ones', async () => {
    let finish: (() => void) | undefined;
    answer = (_request, response) =>
      new Promise((resolve) => (finish = () => resolve(void response.end('late'))));
    const running = get();
    const end = await until(() => finish, { what: 'the request in its handler' });
    const drained = listener.drain();
    end();
    expect(await running).toEqual([200, 'late']);
    await drained;
    await expect(get()).rejects.toThrow('fetch failed');
  });
});
