import { type Answer, ApiClient, type ApiPost } from './api-client.js';
import type { TestPulso } from './start-pulso.js';
import { waitFor, waitForEqual } from './wait-for.js';

/** Resolves when every service has heard of these members, who have just signed up. */
export async function untilKnown(...members: ApiClient[]): Promise<void> {
  for (const member of members) {
    const asked: [call: () => Promise<Answer>, status: number][] = [
      [() => member.get('/api/me/blocks'), 200],
      [() => member.get('/api/conversations'), 200],
      // Members are refused such posts, once posts knows that they are no coaches.
      [() => member.post('/api/posts', { content: 'x', visibility: 'subscribers' }), 403],
    ];
    for (const [call, wanted] of asked) {
      // 503 while the service has not received the caller (HTTP-30).
      const { status } = await waitFor(call, (answer) => answer.status !== 503, {
        what: 'a service that knows a new user',
      });
      if (status !== wanted) throw new Error(`A new user was answered with ${status} and not ${wanted}`);
    }
  }
}

/** A coach with a public and a subscribers-only post: a follow makes both appear in the feed. */
export async function aCoachWithPosts(
  pulso: Pick<TestPulso, 'user'>,
  username: string,
): Promise<{ coach: ApiClient; posts: ApiPost[] }> {
  const coach = await pulso.user(username, { isCoach: true });
  const posts: ApiPost[] = [];
  for (const visibility of ['public', 'subscribers']) {
    // 503 while posts has not heard of the new user, which takes longer than a request's patience on a busy machine.
    const answer = await waitFor(
      () => coach.post<ApiPost>('/api/posts', { content: `${visibility} of ${username}`, visibility }),
      ({ status }) => status !== 503,
      { what: `posts that knows ${username}` },
    );
    if (answer.status !== 201) throw new Error(`A post of ${username}: ${JSON.stringify(answer.body)}`);
    posts.push(answer.body);
  }
  return { coach, posts };
}

/** The same user on another device: the same token, no `Pulso-After`. */
export function elsewhere(client: ApiClient): ApiClient {
  const { accessToken, userId } = client;
  return Object.assign(new ApiClient(client.url), { accessToken, userId });
}

export async function feedIds(client: ApiClient): Promise<string[]> {
  return (await client.all<ApiPost>('/api/feed', 100)).map(({ id }) => id);
}

/**
 * Resolves when the feed on a device that has not written itself is the wanted one. Only that others see a write is tested
 * by this. How soon (HTTP-3) is measured by `npm run bench events`.
 */
export const untilFeedIs = (reader: ApiClient, wanted: readonly string[]) =>
  waitForEqual(() => feedIds(reader), [...wanted], { what: 'the feed on another device' });

/** The ids of a list of users. */
export async function userIds(client: ApiClient, path: string): Promise<string[]> {
  return (await client.all<{ id: string }>(path, 100)).map(({ id }) => id);
}
