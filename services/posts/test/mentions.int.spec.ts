import { commentTopic, postTopic } from '@pulso/contracts/topics/posts';
import { Visibility } from '@pulso/contracts/posts/v1/posts';
import { UserStatus } from '@pulso/contracts/identity/v1/events';
import type { Topic } from '@pulso/contracts/topics/topic';
import { startTestPosts, type TestPosts } from './start.js';

const { VISIBILITY_SUBSCRIBERS: SUBSCRIBERS, VISIBILITY_PUBLIC: PUBLIC } = Visibility;

// Rule: NOTIF-2
describe('whom a text mentions', () => {
  let house: TestPosts;
  let author: string;
  beforeAll(async () => void (house = await startTestPosts()));
  afterAll(() => house?.close());
  beforeEach(async () => void (author = await house.coach()));

  const named = (username: string, fields: object = {}) => house.user({ username, ...fields });
  const ofPost = async (id: string) => {
    const document = await house.raw.posts.findOne({ _id: id });
    return document!.mentionedIds;
  };
  const published = <T>({ name, codec }: Topic<T>, key: string): T => {
    const events = house.bus.published.filter((event) => event.topic === name && event.key === key);
    return codec.decode(events.at(-1)!.payload);
  };
  const ofComment = async (id: string) => (await house.raw.comments.findOne({ _id: id }))!.mentionedIds;

  it('are active users by their present names, without the author, at most 20', async () => {
    const [ana, ben] = [await named('ana'), await named('ben-2')];
    await named('carla', { status: UserStatus.USER_STATUS_SUSPENDED });
    const self = await named('dora');
    const text = '@Ana, @ben-2, @ana, @carla, @nobody-here, me@ana.example and @dora!';
    expect(await ofPost((await house.publish(self, text)).id)).toEqual([ana, ben]);
    const many = Array.from({ length: 25 }, (_, index) => `many-${index}`);
    await Promise.all(many.map((name) => named(name)));
    const { id } = await house.publish(author, many.map((name) => `@${name}`).join(' '));
    expect(await ofPost(id)).toHaveLength(20);
  });

  it('may read the post in full: not the blocked, and of a post for subscribers only those', async () => {
    const [eva, fay, gus] = [await named('eva'), await named('fay'), await named('gus')];
    await house.block(author, eva);
    await house.subscribe(fay, author);
    const text = '@eva @fay @gus';
    expect(await ofPost((await house.publish(author, text)).id)).toEqual([fay, gus]);
    const { id } = await house.publish(author, text, SUBSCRIBERS);
    expect(await ofPost(id)).toEqual([fay]);
    const comment = await house.comment(fay, id, '@eva @gus @fay');
    expect(await ofComment(comment.id)).toEqual([]);
    await house.subscribe(gus, author);
    expect(await ofComment((await house.comment(fay, id, '@gus')).id)).toEqual([gus]);
    await house.block(gus, fay);
    expect(await ofComment((await house.comment(fay, id, '@gus')).id)).toEqual([]);
  });

  // Rule: PEOPLE-9
  it('are those to whom a name leads that was given up, as long as it does, and whoever has it now', async () => {
    const [now, hour] = [Date.now(), 3_600_000];
    const formerUsernames = [
      { username: 'jo-old', until: now + hour },
      { username: 'jo-older', until: now - hour },
    ];
    const jo = await named('jo-new', { formerUsernames });
    const text = 'Thanks @Jo-Old, @jo-older';
    const { id } = await house.publish(author, text);
    expect(await ofPost(id)).toEqual([jo]);
    expect(await ofComment((await house.comment(author, id, text)).id)).toEqual([jo]);
    expect(await ofPost((await house.publish(author, '@jo-new @jo-old')).id)).toEqual([jo]);
    expect(await ofPost((await house.publish(jo, text)).id)).toEqual([]);
    const kim = await named('jo-older');
    expect(await ofPost((await house.publish(author, text)).id)).toEqual([kim, jo]);
    await named('gone', {
      formerUsernames: [{ username: 'gone-old', until: now + hour }],
      status: UserStatus.USER_STATUS_SUSPENDED,
    });
    expect(await ofPost((await house.publish(author, '@gone-old')).id)).toEqual([]);
  });

  it('are found again by an edit of the text or of who may read it, and are published', async () => {
    const [hal, ian] = [await named('hal'), await named('ian')];
    await house.subscribe(ian, author);
    const { id } = await house.publish(author, '@hal');
    const edit = async (fields: { content?: string; visibility?: Visibility }) => {
      await house.as(author, (posts) => posts.editPost({ id, ...fields }));
      return ofPost(id);
    };
    expect(await edit({ content: '@hal and @ian' })).toEqual([hal, ian]);
    expect(await edit({ visibility: SUBSCRIBERS })).toEqual([ian]);
    expect(await edit({ visibility: PUBLIC })).toEqual([hal, ian]);
    const comment = await house.comment(author, id, 'See @hal');
    await house.running.relay.drain();
    expect(published(postTopic, id)).toMatchObject({ mentionedIds: [hal, ian] });
    expect(published(commentTopic, comment.id)).toMatchObject({ mentionedIds: [hal] });
  });
});
