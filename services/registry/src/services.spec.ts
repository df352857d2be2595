import { rpcContracts, SERVICE_NAMES } from '@pulso/contracts/rpc';
import { TOPICS } from '@pulso/contracts/topics/all';
import { entityOf, ownerOf } from '@pulso/contracts/topics/topic';
import { deadLetterPlan, topicPlan } from '@pulso/platform/events/kafka/topic-table';
import { groupName, renamedGroups } from '@pulso/platform/service/former-groups';
import { KAFKA_USES } from './create-all-topics.js';
import { SERVICES } from './services.js';

describe('the registry', () => {
  it('has every service under its name, with its rpc contract', () => {
    for (const name of SERVICE_NAMES) {
      expect(SERVICES[name].name).toBe(name);
      expect(SERVICES[name].rpc.name).toBe(rpcContracts[name].name);
      expect(SERVICES[name].rpc.reads).toEqual(rpcContracts[name].reads);
    }
  });

  it('has an owner for each topic of its services, and no topic twice', () => {
    const owned = Object.values(SERVICES).flatMap(({ owns }) => owns.map(({ name }) => name));
    const declared = TOPICS.filter((topic) => Object.hasOwn(SERVICES, ownerOf(topic)));
    expect(owned.toSorted()).toEqual(declared.map(({ name }) => name).toSorted());
    expect(new Set(owned).size).toBe(owned.length);
  });

  // Rule: ACCT-34
  it('has every service acknowledge erasures but identity, which waits for exactly these', () => {
    const names = SERVICE_NAMES.filter((name) => SERVICES[name].eraser !== undefined);
    expect(names).toEqual(SERVICE_NAMES.filter((name) => name !== 'identity'));
    const awaited = SERVICES.identity.consumes.filter((topic) => entityOf(topic) === 'erasure').map(ownerOf);
    expect(awaited.toSorted()).toEqual(names.toSorted());
  });

  it('lets its owner alone write a topic, and read it whoever says that it consumes it', () => {
    const published = KAFKA_USES.flatMap(({ name, publishes }) =>
      publishes.map((topic) => `${name} ${topic}`),
    );
    expect(published.toSorted()).toEqual(TOPICS.map((topic) => `${ownerOf(topic)} ${topic.name}`).toSorted());
    const names = new Set(TOPICS.map((topic) => topic.name));
    for (const { name, publishes, consumes } of KAFKA_USES) {
      expect(consumes.filter((topic) => !names.has(topic) || publishes.includes(topic))).toEqual([]);
      expect({ name, consumes: consumes.length > 0 }).toEqual({ name, consumes: true });
    }
  });

  it('has every former name of a consumer group once, and none that is still in use', () => {
    const renamed = renamedGroups(Object.values(SERVICES));
    const former = renamed.flatMap(({ group, topic, formerGroups }) =>
      formerGroups.map((name) => ({ name, topic, group })),
    );
    expect(new Set(former.map(({ name, topic, group }) => `${name} ${topic} ${group}`))).toEqual(
      new Set([
        'identity pulso.social.block.v1 identity.block',
        'identity pulso.social.user-suspension.v1 identity.user-suspension',
        'posts.blocks pulso.social.block.v1 posts.block',
        'posts.follows pulso.social.follow.v1 posts.follow',
        'posts.hidden-posts pulso.social.hidden-post.v1 posts.hidden-post',
        'posts.subscriptions pulso.billing.subscription.v1 posts.subscription',
        'posts.users pulso.identity.user.v1 posts.user',
        'social pulso.identity.user.v1 social.user',
        'social pulso.billing.subscription.v1 social.subscription',
      ]),
    );
    // A present name is that of a projection of any topic, or that of a reaction.
    const projections = SERVICE_NAMES.flatMap((name) => TOPICS.map((topic) => groupName(name, { topic })));
    const names = new Set(former.map(({ name }) => name));
    expect(projections.filter((group) => names.has(group))).toEqual([]);
    expect(renamed.filter(({ group }) => names.has(group))).toEqual([]);
  });

  it('keeps every topic for 7 days, and its dead letters longer', () => {
    for (const plan of TOPICS.map(topicPlan)) {
      expect(plan.retentionMs).toBe(7 * 86_400_000);
      expect(deadLetterPlan(plan)).toMatchObject({ name: `${plan.name}.dlq`, partitions: 1 });
      expect(deadLetterPlan(plan).retentionMs).toBeGreaterThan(plan.retentionMs);
    }
  });
});
