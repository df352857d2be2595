import { ApiClient, type ApiPost, type Page } from '../support/api-client.js';
import type { JourneyPulso } from '../support/test-pulso.js';
import { waitFor } from '../support/wait-for.js';

interface Notification {
  type: string;
  actor: { id: string };
  postId: string | null;
  commentId: string | null;
}

interface Me {
  name: string;
  specialties: string[];
}

const COMPOSED = 'Halterofília';
const DECOMPOSED = COMPOSED.normalize('NFD');

export const sameLetters = (shared: () => JourneyPulso) =>
  describe('the same letters, typed on two systems', () => {
    let pulso: JourneyPulso;
    beforeAll(() => void (pulso = shared()));

    // Rule: PEOPLE-11, PEOPLE-13, PEOPLE-14
    it('are one specialty, and find the same coaches and people', async () => {
      const coaches = [
        await pulso.user('letters-a', { isCoach: true, specialties: [COMPOSED], name: 'Guðrún Lettersøn' }),
        await pulso.user('letters-b', { isCoach: true, specialties: [DECOMPOSED] }),
        await pulso.user('letters-c', { isCoach: true, specialties: [DECOMPOSED, COMPOSED] }),
      ];
      const [{ body: me }, { body: all }] = [
        await coaches[2]!.get<Me>('/api/me'),
        await coaches[0]!.get<Page<string>>('/api/specialties'),
      ];
      expect(me.specialties).toEqual([COMPOSED]);
      expect(all.items.filter((one) => one.normalize('NFC') === COMPOSED)).toEqual([COMPOSED]);
      const ids = async (path: string, by = pulso.visitor()) =>
        (await by.get<Page<{ id: string }>>(path)).body.items.map(({ id }) => id).toSorted();
      const wanted = coaches.map(({ userId }) => userId).toSorted();
      for (const typed of [COMPOSED, DECOMPOSED, COMPOSED.toUpperCase()]) {
        expect(await ids(`/api/coaches?specialty=${encodeURIComponent(typed)}`)).toEqual(wanted);
        expect(await ids(`/api/coaches?q=${encodeURIComponent(typed)}`)).toEqual(wanted);
      }
      for (const typed of ['guðrún letterson', 'GUDRUN LETTERSØN', 'Gu\u00f0ru\u0301n']) {
        const found = await ids(`/api/people?q=${encodeURIComponent(typed)}`, coaches[1]);
        expect(found).toEqual([coaches[0]!.userId]);
      }
    });

    // Rule: ACCT-8
    it('are the same password, of the same length', async () => {
      const password = 'ñ'.repeat(70);
      await pulso.user('letters-d', { password });
      const visitor = new ApiClient(pulso.url);
      const logIn = (typed: string) =>
        visitor.post('/api/auth/login', { email: 'letters-d@example.test', password: typed });
      for (const form of ['NFC', 'NFD']) expect((await logIn(password.normalize(form))).status).toBe(200);
      for (const form of ['NFC', 'NFD']) {
        const short = { ...account('letters-e'), password: 'ñéü'.normalize(form) };
        expect(await visitor.post('/api/auth/signup', short)).toMatchObject({
          status: 400,
          body: { errors: [{ path: 'password', message: 'Password must be at least 6 characters' }] },
        });
      }
    });

    // Rule: PEOPLE-4
    it('are a name without a run of blanks', async () => {
      const name = `Cora  Lind\u2003\u3000@cora-lind${'\u00a0'.repeat(30)}.`;
      const cora = await pulso.user('letters-f', { name });
      expect((await cora.get<Me>('/api/me')).body.name).toBe('Cora Lind @cora-lind .');
      const hidden = await cora.patch('/api/me', { name: `Cora ${'\u3164'.repeat(30)}.` });
      expect(hidden).toMatchObject({
        status: 400,
        body: {
          errors: [{ path: 'name', code: 'format-character', message: 'Contains invisible characters' }],
        },
      });
    });

    // Rule: NOTIF-2, PEOPLE-9
    it('of a former username mention whoever it leads to', async () => {
      const old = await pulso.user('letters-old');
      const writer = await pulso.user('letters-writer');
      expect((await old.patch('/api/me', { username: 'letters-new' })).status).toBe(200);
      await pulso.drainEvents();
      const link = await writer.get<{ id: string }>('/api/users/by-username/letters-old');
      expect(link.body.id).toBe(old.userId);
      const content = 'Thanks @letters-old';
      const { body: post } = await writer.post<ApiPost>('/api/posts', { content });
      const { body: comment } = await writer.post<{ id: string }>(`/api/posts/${post.id}/comments`, {
        content,
      });
      const told = await waitFor(
        async () =>
          (await old.all<Notification>('/api/notifications')).filter(({ type }) => type === 'mention'),
        (mentions) => mentions.length === 2,
        { what: 'both mentions' },
      );
      expect(told.map(({ actor, postId, commentId }) => [actor.id, postId, commentId])).toEqual(
        expect.arrayContaining([
          [writer.userId, post.id, null],
          [writer.userId, post.id, comment.id],
        ]),
      );
    });
  });

const account = (username: string) => ({ email: `${username}@example.test`, name: 'Lea', username });
