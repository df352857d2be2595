import { aPicture } from './a-picture.js';
import type { Answer, ApiClient } from './api-client.js';
import type { PulsoByApi } from './test-pulso.js';
import { waitFor } from './wait-for.js';

/** What somebody has left in all services, and by which texts each part of it is found. */
export interface Life {
  ada: ApiClient;
  email: string;
  /** Must be gone once ada is erased. */
  gone: string[];
  /** Stay in texts that others have answered, by the place where they may be. */
  kept: { needle: string; where: string }[];
}

const done = (answer: Answer<unknown>): void => {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
};

/** A coach who does what one can do, with texts that nobody else has. `mark` is a lower-case word of its own. */
export async function aLife(pulso: PulsoByApi, mark: string): Promise<Life> {
  const ben = await pulso.user(`ben-${mark}`, { isCoach: true });
  const ada = await pulso.user(`ada-${mark}`, {
    isCoach: true,
    name: `Ada ${mark}name`,
    bio: `${mark}bio`,
    specialties: [`${mark}skill`],
  });
  await pulso.drainEvents();
  const image = async (purpose: string) => {
    const form = new FormData();
    form.append('purpose', purpose);
    form.append('originalName', `${mark}file.png`);
    form.append(
      'file',
      new Blob([new Uint8Array(aPicture(320, 240))], { type: 'image/png' }),
      `${mark}file.png`,
    );
    const answer = await ada.post<{ id: string }>('/api/media/images', form);
    done(answer);
    return answer.body.id;
  };
  const [picture, avatar] = [await image('post'), await image('avatar')];
  done(await ada.patch('/api/me', { profileImageId: avatar }));
  // As pages do: an answer that is kept for a repetition must not keep the name.
  let keys = 0;
  const withKey = () => ({ 'idempotency-key': `${mark}-${(keys += 1)}` });
  done(
    await ada.post(
      '/api/posts',
      {
        content: `${mark}post`,
        images: [{ id: picture, alt: `${mark}alt`, caption: `${mark}caption` }],
      },
      withKey(),
    ),
  );
  const post = await ben.post<{ id: string }>('/api/posts', { content: 'five squats' });
  done(post);
  await pulso.drainEvents();
  done(await ada.post(`/api/posts/${post.body.id}/comments`, { content: `${mark}comment` }, withKey()));
  done(await ada.put(`/api/posts/${post.body.id}/like`));
  done(await ada.put(`/api/users/${ben.userId}/follow`));
  done(await ben.put(`/api/users/${ada.userId}/follow`));
  done(
    await ada.call(
      'PUT',
      `/api/coaches/${ben.userId}/reviews/mine`,
      { rating: 4, comment: `${mark}review` },
      withKey(),
    ),
  );
  done(
    await ben.call(
      'PUT',
      `/api/coaches/${ada.userId}/reviews/mine`,
      { rating: 5, comment: `${mark}praise` },
      withKey(),
    ),
  );
  done(await ada.call('PUT', `/api/subscriptions/${ben.userId}`, undefined, withKey()));
  done(await ben.call('PUT', `/api/subscriptions/${ada.userId}`, undefined, withKey()));
  done(
    await ada.post(
      '/api/reports',
      { subjectType: 'user', subjectId: ben.userId, reason: 'spam', note: `${mark}note` },
      withKey(),
    ),
  );
  done(await ada.post('/api/messages', { receiverId: ben.userId, content: `${mark}message` }, withKey()));
  await pulso.drainEvents();
  done(await ada.post('/api/me/archive'));
  const archive = await waitFor(
    async () => (await ada.get<{ url: string | null }>('/api/me/archive')).body.url,
    (url) => url !== null,
    { what: 'the archive' },
  );
  const archiveId = archive!.split('/')[2]!;
  const email = `ada-${mark}@example.test`;
  return {
    ada,
    email,
    gone: [
      ...[email, `${mark}name`, `${mark}bio`, `${mark}skill`, `${mark}file`, picture, avatar, archiveId],
      ...[`${mark}post`, `${mark}alt`, `${mark}caption`, `${mark}review`, `${mark}praise`, `${mark}note`],
    ],
    kept: [
      { needle: `${mark}comment`, where: 'posts.comments' },
      { needle: `${mark}message`, where: 'messaging.messages' },
      { needle: `${mark}message`, where: 'messaging.conversations' },
      { needle: `ada-${mark}`, where: 'identity.usernames' },
    ],
  };
}
