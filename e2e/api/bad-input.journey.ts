import { createAccessTokenSigner, generateSigningKey } from '@pulso/platform/auth/access-token';
import { systemClock } from '@pulso/platform/time/clock';
import type { Problem } from '@pulso/gateway/errors/problem';
import { type BadInput, badInputs } from '../../gateway/test/bad-input.table.js';
import { withoutText } from '../../gateway/test/support/refusal-texts.js';
import type { ApiClient, ApiPost } from '../support/api-client.js';
import type { JourneyPulso } from '../support/test-pulso.js';

/** Requests on their way; the largest ones are of 20 MB. */
const AT_ONCE = 10;

export const badInput = (shared: () => JourneyPulso) =>
  describe('every bad input to every call, on the real services', () => {
    let pulso: JourneyPulso;
    let user: ApiClient;
    let post: ApiPost;
    let commentId: string;
    let conversationId: string;
    let tokens: Record<BadInput['token'], string | undefined>;

    beforeAll(async () => {
      pulso = shared();
      user = await pulso.user('ana-torres', { isCoach: true });
      const { userId } = await pulso.user('ben-ortiz');
      await pulso.drainEvents();
      post = (await user.post<ApiPost>('/api/posts', { content: 'As it was' })).body;
      commentId = (await user.post<{ id: string }>(`/api/posts/${post.id}/comments`, { content: 'As well' }))
        .body.id;
      conversationId = (await user.post<{ id: string }>('/api/conversations', { userId })).body.id;
      const caller = { userId: user.userId, sessionId: post.id };
      const past = { now: () => Date.now() - 3_600_000, elapsed: () => systemClock.elapsed() };
      const sign = async (keys: Parameters<typeof createAccessTokenSigner>[0]['keys'], clock = systemClock) =>
        (await createAccessTokenSigner({ keys, ttlSeconds: 600, clock }).sign(caller)).token;
      tokens = {
        none: undefined,
        valid: user.accessToken,
        forged: await sign([await generateSigningKey()]),
        expired: await sign(pulso.secrets.signingKeys, past),
      };
    });

    it('is a 4xx problem with a stable code and changes nothing', async () => {
      const before = await state();
      const ids = {
        postId: post.id,
        commentId,
        userId: user.userId,
        sessionId: post.id,
        conversationId,
        username: 'ana-torres',
      };
      const all = badInputs(ids).flatMap(({ call, inputs }) => inputs.map((input) => ({ call, input })));
      const wrong: unknown[] = [];
      const waiting = [...all];
      // Each is refused by itself, whatever else is on its way.
      const sendSome = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const { call, input } = next;
          const { status, code, errors = [] } = await send(input);
          if (status !== input.expect.status || code !== input.expect.code) {
            wrong.push({ call, name: input.name, status, code, expected: input.expect });
          }
          wrong.push(
            ...withoutText(errors, input.bodyName).map((error) => ({ call, name: input.name, error })),
          );
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
      expect(wrong).toEqual([]);
      expect(all.length).toBeGreaterThan(500);
      expect(await state()).toEqual(before);
    });

    async function send({
      method,
      path,
      headers,
      body,
      token,
    }: BadInput): Promise<Pick<Problem, 'code' | 'errors'> & { status: number }> {
      const bearer = tokens[token];
      const response = await fetch(pulso.url + path, {
        method,
        headers: { ...headers, ...(bearer && { authorization: `Bearer ${bearer}` }) },
        body,
        signal: AbortSignal.timeout(30_000),
      });
      const { code, errors } = (await response.json()) as Problem;
      return { status: response.status, code, errors };
    }

    /** All data of the user that a request could have changed. */
    async function state() {
      const paths = [
        '/api/me',
        '/api/feed?limit=100',
        `/api/posts/${post.id}/comments?limit=100`,
        '/api/conversations?limit=100',
        `/api/conversations/${conversationId}/messages?limit=100`,
        '/api/notifications?limit=100',
      ];
      const answers = await Promise.all(paths.map((path) => user.get(path)));
      expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
      return answers.map(({ body }) => body);
    }
  });
