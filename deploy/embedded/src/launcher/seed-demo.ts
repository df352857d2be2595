import { Visibility } from '@pulso/contracts/posts/v1/posts';
import type { IdentityClient } from '@pulso/gateway/clients';
import type { RunningPulso } from '../compose-pulso.js';
import { callAs } from '../call-as.js';
import { DEMO_PASSWORD, DEMO_POSTS, DEMO_USERS } from './demo-content.js';

/** Fills a new installation by calling the services; can be repeated after a kill. */
export async function seedDemo({
  clients: { identity, posts },
  drainEvents,
}: Pick<RunningPulso, 'clients' | 'drainEvents'>): Promise<void> {
  const tokens = new Map<string, string>();
  for (const user of DEMO_USERS) tokens.set(user.username, await signIn(identity, user));
  // On a busy machine the new users may reach posts later than the half second that a call waits, and it would
  // refuse.
  await drainEvents();
  const as = <T>(username: string, call: () => Promise<T>) => callAs(tokens.get(username)!, call);

  for (const [index, post] of DEMO_POSTS.entries()) {
    const seed = (part: string) => ({ key: `demo-${index}-${part}`, scope: 'seed', bodyHash: part });
    const { id } = await as(post.author, () =>
      posts.publishPost({
        content: post.content,
        visibility:
          post.visibility === 'public' ? Visibility.VISIBILITY_PUBLIC : Visibility.VISIBILITY_SUBSCRIBERS,
        idempotency: seed('post'),
      }),
    );
    for (const username of post.likedBy) await as(username, () => posts.likePost({ postId: id }));
    for (const [number, { author, content }] of post.comments.entries()) {
      await as(author, () =>
        posts.addComment({ postId: id, content, idempotency: seed(`comment-${number}`) }),
      );
    }
  }
}

async function signIn(identity: IdentityClient, user: (typeof DEMO_USERS)[number]): Promise<string> {
  const device = { userAgent: 'Pulso demo', address: '127.0.0.1' };
  const request = { ...user, password: DEMO_PASSWORD, device };
  try {
    return (await callAs(undefined, () => identity.signUp(request))).accessToken;
  } catch (error) {
    if ((error as { code?: string }).code !== 'email-already-in-use') throw error;
    return (await callAs(undefined, () => identity.logIn(request))).accessToken;
  }
}
