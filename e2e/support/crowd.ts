import { ApiClient, type ApiPost } from './api-client.js';
import type { TestPulso } from './start-pulso.js';

/** A coach with a public and a subscribers-only post: a follow makes both appear in the feed. */
export async function aCoachWithPosts(
  pulso: Pick<TestPulso, 'user'>,
  username: string,
): Promise<{ coach: ApiClient; posts: ApiPost[] }> {
  const coach = await pulso.user(username, { isCoach: true });
  const posts: ApiPost[] = [];
  for (const visibility of ['public', 'subscribers']) {
    const answer = await coach.post<ApiPost>('/api/posts', {
      content: `${visibility} of ${username}`,
      visibility,
    });
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

/** The ids of a list of users. */
export async function userIds(client: ApiClient, path: string): Promise<string[]> {
  return (await client.all<{ id: string }>(path, 100)).map(({ id }) => id);
}
