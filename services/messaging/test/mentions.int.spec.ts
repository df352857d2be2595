import { NotificationType } from '@pulso/contracts/messaging/v1/messaging';
import { NotifyOfMentions } from '../src/notification/notify-of-mentions.reaction.js';
import { type Person, TestMessaging } from './start.js';
import { Acts } from './support/acts.js';

const { NOTIFICATION_TYPE_MENTION: MENTION, NOTIFICATION_TYPE_COMMENT: COMMENT } = NotificationType;
const HIDING = { reason: 'spam', decidedAt: 1 };

// Rule: NOTIF-2, NOTIF-3
describe('mentions', () => {
  let messaging: TestMessaging;
  let acts: Acts;
  let [ada, ben, eve]: Person[] = [];
  beforeAll(async () => {
    messaging = await TestMessaging.start();
    acts = new Acts(messaging);
  });
  afterAll(() => messaging?.stop());
  beforeEach(async () => {
    [ada, ben, eve] = [await messaging.person(), await messaging.person(), await messaging.person()];
  });

  const list = async (user: Person) =>
    (await messaging.as(user, (client) => client.listNotifications({ limit: 100, cursor: '' }))).items;
  const counts = (...users: Person[]) => Promise.all(users.map((user) => messaging.unread(user)));

  it('in a post are told to each of them, once, and never to the author', async () => {
    const post = await acts.post(ada!, [ada!, ben!, eve!]);
    await messaging.service.get(NotifyOfMentions).handle(post);
    expect(await list(ben!)).toMatchObject([{ type: MENTION, postId: post.id, commentId: '' }]);
    expect((await list(ben!))[0]!.actor).toMatchObject({ id: ada!.id });
    expect(await counts(ada!, ben!, eve!)).toEqual([0, 1, 1]);
  });

  it('in a comment name it, and the post’s author is told of the comment alone', async () => {
    const mentionedIds = [eve!.id, ada!.id];
    const { id, postId } = await acts.comment(ben!, ada!, { mentionedIds });
    expect(await list(eve!)).toMatchObject([{ type: MENTION, postId, commentId: id }]);
    expect(await list(ada!)).toMatchObject([{ type: COMMENT }]);
  });

  it('that an edit adds are told to the new ones alone, and those that it removes are taken back', async () => {
    const post = await acts.post(ada!, [ben!]);
    await messaging.as(ben!, (client) => client.markNotificationsRead({ upTo: undefined }));
    messaging.clock.advance(60_000);
    const edit = (...mentioned: Person[]) =>
      acts.post(ada!, mentioned, { id: post.id, createdAt: post.createdAt });
    await edit(ben!, eve!);
    expect(await counts(ben!, eve!)).toEqual([0, 1]);
    await edit(eve!);
    expect(await list(ben!)).toEqual([]);
    await edit(ben!, eve!);
    expect(await counts(ben!, eve!)).toEqual([0, 1]);
    expect(await list(ben!)).toHaveLength(1);
  });

  it('are taken back with the text, and while a moderator hides it', async () => {
    const post = await acts.post(ada!, [ben!]);
    const change = (fields: object) =>
      acts.post(ada!, [ben!], { ...post, version: acts.version(), ...fields });
    await change({ hidden: HIDING });
    expect(await counts(ben!)).toEqual([0]);
    await change({});
    expect(await counts(ben!)).toEqual([1]);
    await change({ deleted: true, mentionedIds: [] });
    expect(await list(ben!)).toEqual([]);
  });

  // Rule: NOTIF-6
  it('of an older state that arrives late change nothing', async () => {
    const { handle } = {
      handle: (state: object) => messaging.service.get(NotifyOfMentions).handle(state as never),
    };
    const first = acts.postState(ada!, [ben!, eve!]);
    messaging.clock.advance(60_000);
    const edited = acts.postState(ada!, [ben!], {
      ...first,
      version: acts.version(),
      mentionedIds: [ben!.id],
    });
    await handle(edited);
    await handle(first);
    expect(await counts(ben!, eve!)).toEqual([1, 0]);
    const gone = acts.postState(ada!, [ben!]);
    messaging.clock.advance(60_000);
    await handle({ ...gone, version: acts.version(), deleted: true, mentionedIds: [] });
    await handle(gone);
    expect(await counts(ben!)).toEqual([1]);
  });
});
