import { everythingHeld, sectionsThatSkip } from '@pulso/platform/testing/exported';
import { ExportedRows } from '../src/store/exported-rows.js';
import { startTestPosts, type TestPosts } from './start.js';

let posts: TestPosts;
beforeAll(async () => (posts = await startTestPosts()));
afterAll(() => posts?.close());

const heldOf = (userId: string) =>
  everythingHeld((request) => posts.as(userId, (client) => client.exportUser(request)));
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);

// Rule: ACCT-35
describe('what posts holds of a user', () => {
  it('are posts, comments and likes, the oldest first, without what was deleted', async () => {
    const [ada, ben] = [await posts.coach(), await posts.user()];
    const first = await posts.publish(ada, 'five squats');
    const second = await posts.publish(ada, 'ten squats');
    const gone = await posts.publish(ada, 'secret');
    await posts.as(ada, (client) => client.deletePost({ id: gone.id }));
    const comment = await posts.comment(ada, first.id, 'and one more');
    await posts.comment(ben, first.id, 'well done');
    await posts.as(ada, (client) => client.likePost({ postId: second.id }));
    const held = await heldOf(ada);
    expect(held['posts']).toEqual([
      expect.objectContaining({ id: first.id, content: 'five squats', images: [], createdAt: TIME }),
      expect.objectContaining({ id: second.id, content: 'ten squats' }),
    ]);
    expect(held['comments']).toEqual([
      expect.objectContaining({ id: comment.id, postId: first.id, content: 'and one more' }),
    ]);
    expect(held['likes']).toEqual([
      { targetId: second.id, postId: second.id, target: 'post', createdAt: TIME },
    ]);
    expect(Object.keys(held)).toHaveLength(3);
    expect(await sectionsThatSkip(posts.running.get(ExportedRows).sections, ada)).toEqual([]);
  });

  it('is nothing of somebody who has written nothing', async () => {
    expect(await heldOf(await posts.user())).toEqual({});
  });
});
