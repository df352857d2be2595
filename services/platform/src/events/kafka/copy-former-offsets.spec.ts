import { copyOffsets } from './copy-former-offsets.js';

type Offsets = Record<string, Record<number, string>>;

/** Brokers with committed offsets by group and partition of one topic. */
function brokersWith(committed: Offsets, running: readonly string[] = []) {
  const admin: Parameters<typeof copyOffsets>[0] = {
    fetchOffsets: async ({ groupId, topics = [] }) =>
      topics.map((topic) => {
        const partitions = [0, 1].map((partition) => {
          return { partition, offset: committed[groupId]?.[partition] ?? '-1', metadata: null };
        });
        return { topic, partitions };
      }),
    async setOffsets({ groupId, partitions }) {
      committed[groupId] = Object.fromEntries(partitions.map(({ partition, offset }) => [partition, offset]));
    },
    describeGroups: async (groups) => {
      const described = groups.map((groupId) => {
        const members = running.includes(groupId) ? [{ memberId: 'one' }] : [];
        return { groupId, members };
      });
      return { groups: described } as unknown as Awaited<
        ReturnType<Parameters<typeof copyOffsets>[0]['describeGroups']>
      >;
    },
  };
  return admin;
}

const RENAMED = { group: 'posts.user', topic: 'users', formerGroups: ['posts.users', 'posts'] };

describe('the position of a renamed group', () => {
  it('is that of its latest former group that has one, once', async () => {
    const committed: Offsets = {
      'test.posts.users': { 0: '7', 1: '0' },
      'test.posts': { 0: '3', 1: '3' },
    };
    const admin = brokersWith(committed);
    expect(await copyOffsets(admin, RENAMED, 'test.')).toEqual([
      'test.posts.user begins on test.users where test.posts.users stands',
    ]);
    expect(committed['test.posts.user']).toEqual({ 0: '7', 1: '0' });
    // The replicas of the version before go on under the former name.
    committed['test.posts.users'] = { 0: '9', 1: '2' };
    expect(await copyOffsets(admin, RENAMED, 'test.')).toEqual([]);
    expect(committed['test.posts.user']).toEqual({ 0: '7', 1: '0' });
  });

  it('names only the partitions on which the former group has committed', async () => {
    const committed: Offsets = { posts: { 1: '5' } };
    await copyOffsets(brokersWith(committed), RENAMED, '');
    expect(committed['posts.user']).toEqual({ 1: '5' });
  });

  it('is its own as soon as it has any', async () => {
    const committed: Offsets = { 'posts.user': { 1: '1' }, 'posts.users': { 0: '7', 1: '7' } };
    expect(await copyOffsets(brokersWith(committed), RENAMED, '')).toEqual([]);
    expect(committed['posts.user']).toEqual({ 1: '1' });
  });

  it('is left to the group itself while it runs', async () => {
    const committed: Offsets = { posts: { 0: '7' } };
    expect(await copyOffsets(brokersWith(committed, ['posts.user']), RENAMED, '')).toEqual([
      'posts.user is running: it begins on users where posts stood at its start',
    ]);
    expect(committed).not.toHaveProperty('posts.user');
  });

  it('stays none for a group whose former names the brokers do not know', async () => {
    const committed: Offsets = {};
    expect(await copyOffsets(brokersWith(committed), RENAMED, '')).toEqual([]);
    expect(committed).toEqual({});
  });
});
