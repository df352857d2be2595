import { jest } from '@jest/globals';
import { UserState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { userTopic } from '@pulso/contracts/topics/identity';
import {
  blockTopic,
  followTopic,
  hiddenCommentTopic,
  hiddenPostTopic,
  reviewTopic,
  socialErasureTopic,
  userFiguresTopic,
  userSuspensionTopic,
} from '@pulso/contracts/topics/social';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { readStoreTarget } from '@pulso/platform/service/service-settings';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { Dice } from '@pulso/platform/testing/seeded';
import { social as definition } from '../src/service.js';
import { Social, names } from './start.js';

let social: Social;
beforeAll(async () => (social = await Social.start()));
afterAll(() => social?.stop());

const OWN = [
  ...[followTopic, blockTopic, reviewTopic],
  ...[hiddenPostTopic, hiddenCommentTopic, userSuspensionTopic, userFiguresTopic],
  socialErasureTopic,
];
const NOUNS = [
  'follow',
  'block',
  'review',
  'hidden-post',
  'hidden-comment',
  'user-suspension',
  'user-figures',
  'erasure',
];

it('rebuilds other services’ projections by republication, including ended states', async () => {
  const [ana, ben, coach] = [await social.person(), await social.person(), await social.coach()];
  await social.follow(ana, ben);
  await social.follow(ana, coach);
  await social.follow(ben, ana);
  await social.unfollow(ana, coach);
  await social.review(ana, coach);
  await social.review(ben, coach);
  await social.as(ben, (client) => client.deleteReview({ coachId: coach.id }));
  await social.block(ben, coach);
  await social.unblock(ben, coach);
  await social.block(coach, ben);
  await social.command('hide-post', newIdAt(social.clock.now()), '--by', 'mod');
  await social.command('hide-comment', newIdAt(social.clock.now()), '--by', 'mod');
  await social.command('suspend-user', ben.id, '--by', 'mod');
  await social.publishFigures();
  const before = new Map(OWN.map(({ name }) => [name, new Map(social.service.delivered.get(name))]));
  expect([...before.values()].map(({ size }) => size)).toEqual([3, 2, 2, 1, 1, 1, 3, 0]);

  for (const states of social.service.delivered.values()) states.clear();
  for (const noun of NOUNS) await social.service.running.republish(noun);
  await social.drainEvents();
  for (const { name } of OWN) expect(social.service.delivered.get(name)).toEqual(before.get(name));
  await expect(social.service.running.republish('user')).rejects.toThrow(
    `social owns ${NOUNS.join(', ')}, and no user`,
  );
});

it('republishes more states than fit in one batch', async () => {
  const star = await social.person();
  await social.service.tamper(
    `INSERT INTO follows (follower_id, target_id, created_at, version)
     SELECT gen_random_uuid(), $1, now(), n FROM generate_series(1, 1201) AS n`,
    [star.id],
  );
  const followers = () =>
    [...social.service.delivered.get(followTopic.name)!.keys()].filter((key) => key.endsWith(star.id));
  expect(followers()).toHaveLength(0);
  await social.service.running.republish('follow');
  await social.drainEvents();
  expect(followers()).toHaveLength(1201);
});

it('keeps the newest state of a user, for repeated events in any order', async () => {
  const star = await social.person();
  const fan = await social.person();
  await social.follow(fan, star);
  const states = Array.from({ length: 20 }, (_, index) =>
    UserState.fromPartial({
      id: fan.id,
      version: 100 + index,
      status: UserStatus.USER_STATUS_ACTIVE,
      name: `Name ${index}`,
      username: 'fan',
    }),
  );
  const shuffled = new Dice(9).shuffled([...states, ...states]);
  await Promise.all(shuffled.map((state) => social.tell(userTopic, state)));
  expect(names(await social.followers(null, star))).toEqual(['Name 19']);
});

it('delivers events committed while no relay was running', async () => {
  const [ana, ben] = [await social.person(), await social.person()];
  const { bus, running } = social.service;
  // The writes' answers would wait for a delivery that nothing makes.
  const delivered = jest.spyOn(bus, 'delivered').mockResolvedValue(false);
  onTestEnd(
    () => running.relay.start(),
    () => delivered.mockRestore(),
  );
  await running.relay.stop();
  const key = `${ana.id}_${ben.id}`;
  await social.follow(ana, ben);
  await social.unfollow(ana, ben);
  await social.follow(ana, ben);
  expect(social.service.deliveredState(followTopic, key)).toBeUndefined();
  running.relay.start();
  await social.drainEvents();
  expect(social.service.deliveredState(followTopic, key)).toMatchObject({ active: true });
});

it('migrates a migrated database without change, and passes its health check', async () => {
  await definition.store.migrate(readStoreTarget(definition, social.service.env));
  await expect(social.service.running.checks['store']!()).resolves.toBeUndefined();
});
