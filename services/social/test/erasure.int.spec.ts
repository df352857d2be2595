import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { erasureTopic } from '@pulso/contracts/topics/identity';
import { blockTopic, followTopic, reviewTopic, socialErasureTopic } from '@pulso/contracts/topics/social';
import { EraseUsers } from '@pulso/platform/erasure/erase-users.job';
import { until } from '@pulso/platform/testing/until';
import { EraseSocial } from '../src/erasure/erase-social.js';
import { names, outcome, type Person, Social } from './start.js';

let social: Social;
beforeAll(async () => (social = await Social.start()));
afterAll(() => social?.stop());

let asked = 0;
const ask = ({ id: userId }: Person) =>
  social.tell(erasureTopic, { userId, version: (asked += 1), requestedAt: 1 });
const deleted = (person: Person) =>
  social.change(person, {
    ...{ status: UserStatus.USER_STATUS_DELETED, name: '', username: '', isCoach: false },
  });
const acknowledgement = async ({ id }: Person) => {
  await social.drainEvents();
  return social.deliveredState(socialErasureTopic, id);
};
const untilErased = (person: Person) =>
  until(async () => (await acknowledgement(person))?.erasedAt !== undefined, { what: 'the acknowledgement' });
const rowsOf = async ({ id }: Person) => {
  const counts: Record<string, number> = {};
  for (const [table, one, other] of [
    ['follows', 'follower_id', 'target_id'],
    ['blocks', 'blocker_id', 'blocked_id'],
    ['reviews', 'coach_id', 'reviewer_id'],
  ] as const)
    counts[table] = (
      await social.rows(`SELECT FROM ${table} WHERE ${one} = $1 OR ${other} = $1`, [id])
    ).length;
  return counts;
};
const NONE = { follows: 0, blocks: 0, reviews: 0 };

// Rule: ACCT-32
describe('an erased user', () => {
  it('leaves no follow, block or review, by the user or of the user, current or ended', async () => {
    const [ada, ben, coach] = [await social.coach(), await social.person(), await social.coach()];
    await social.follow(ada, ben);
    await social.follow(ben, ada);
    await social.follow(ada, coach);
    await social.unfollow(ada, coach);
    await social.review(ada, coach, 1, 'Ada says that');
    await social.review(ben, ada, 2, 'about Ada');
    await social.follow(ben, coach);
    const enemy = await social.person();
    await social.block(ada, enemy);
    const other = await social.person();
    await social.block(other, ada);
    await social.unblock(other, ada);
    const report = { subjectType: 1, subjectId: coach.id, reason: 1 };
    await social.service.tamper(
      `INSERT INTO reports (id, reporter_id, subject_type, subject_id, reason, note, created_at)
       VALUES (gen_random_uuid(), $1, 'user', $2, 'spam', 'Ada wrote this', now())`,
      [ada.id, report.subjectId],
    );
    await deleted(ada);
    await ask(ada);
    await untilErased(ada);
    expect(await rowsOf(ada)).toEqual(NONE);
    expect(await rowsOf(ben)).toEqual({ ...NONE, follows: 1 });
    expect(await social.rows('SELECT note FROM reports WHERE reporter_id = $1', [ada.id])).toEqual([
      { note: '' },
    ]);
    // Others hear of each end.
    expect(social.deliveredState(followTopic, `${ada.id}_${ben.id}`)).toMatchObject({ active: false });
    expect(social.deliveredState(followTopic, `${ben.id}_${ada.id}`)).toMatchObject({ active: false });
    expect(social.deliveredState(blockTopic, `${ada.id}_${enemy.id}`)).toMatchObject({ active: false });
    expect(social.deliveredState(reviewTopic, `${coach.id}_${ada.id}`)).toMatchObject({
      ...{ deleted: true, rating: 0 },
    });
    expect(social.deliveredState(reviewTopic, `${ada.id}_${ben.id}`)).toMatchObject({ deleted: true });
  });

  it('counts for nobody any more, and is listed nowhere', async () => {
    const [ada, ben] = [await social.person(), await social.coach()];
    const stays = await social.person();
    await social.follow(ada, ben);
    await social.follow(stays, ben);
    await social.review(ada, ben);
    await deleted(ada);
    await ask(ada);
    await untilErased(ada);
    await social.publishFigures();
    expect(await social.relation(null, ben)).toMatchObject({ followerCount: 1 });
    expect(names(await social.followers(null, ben))).toEqual([stays.name]);
    const [figures] = await social.rows(
      'SELECT follower_count, rating_sum, review_count FROM user_figures WHERE user_id = $1',
      [ben.id],
    );
    expect(figures).toEqual({ follower_count: 1, rating_sum: 0, review_count: 0 });
  });

  it('is erased in batches', async () => {
    const star = await social.person();
    await social.service.tamper(
      `INSERT INTO follows (follower_id, target_id, created_at, version)
       SELECT gen_random_uuid(), $1, now(), n FROM generate_series(1, 1201) AS n`,
      [star.id],
    );
    await deleted(star);
    await ask(star);
    await untilErased(star);
    expect(await rowsOf(star)).toEqual(NONE);
  });

  it('does not hold up another one who is erased at the same time, whatever they have of each other', async () => {
    const [ada, ben, fan] = [await social.person(), await social.person(), await social.person()];
    await social.follow(ada, ben);
    await social.follow(ben, ada);
    await social.unfollow(ben, ada);
    await social.follow(fan, ada);
    for (const one of [ada, ben]) await deleted(one);
    const eraser = social.service.get(EraseSocial);
    const holder = await social.service.pool.connect();
    try {
      // Ada's erasure comes no further than to the follow of the fan.
      await holder.query('BEGIN');
      await holder.query('SELECT FROM follows WHERE follower_id = $1 FOR UPDATE', [fan.id]);
      const ofAda = eraser.erase(ada.id, new AbortController().signal);
      const waiting = () =>
        social.rows(
          "SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND query LIKE 'DELETE FROM follows%'",
        );
      await until(async () => (await waiting()).length > 0, { what: 'the erasure to wait' });
      // Both have begun with what they follow, and both have what the other one follows before them.
      expect(await eraser.erase(ben.id, new AbortController().signal)).toBe(true);
      await holder.query('COMMIT');
      expect(await ofAda).toBe(true);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    expect([await rowsOf(ada), await rowsOf(ben)]).toEqual([NONE, NONE]);
  });

  it('is acknowledged only once the service’s own copy says that the account is deleted', async () => {
    const [ada, ben] = [await social.person(), await social.person()];
    await social.follow(ada, ben);
    await ask(ada);
    expect(await social.service.get(EraseSocial).erase(ada.id, new AbortController().signal)).toBe(false);
    expect((await acknowledgement(ada))?.erasedAt).toBeUndefined();
    await deleted(ada);
    social.service.clock.advance(60_000);
    await social.service.get(EraseUsers).execute();
    await untilErased(ada);
    expect(await rowsOf(ada)).toEqual(NONE);
  });
});

// Rule: ACCT-34
it('a late state of an erased user does not bring them back', async () => {
  const [ada, ben] = [await social.person(), await social.person()];
  await deleted(ada);
  await ask(ada);
  await untilErased(ada);
  await social.change(ada, { name: 'Ada again', status: UserStatus.USER_STATUS_ACTIVE });
  const [row] = await social.rows('SELECT status, name, username FROM known_users WHERE id = $1', [ada.id]);
  expect(row).toEqual({ status: 'deleted', name: '', username: '' });
  await social.subscription(ada, ben, { active: true, version: 5 });
  expect(await social.rows('SELECT FROM known_subscriptions WHERE user_id = $1', [ada.id])).toEqual([]);
  expect(await outcome(social.follow(ben, ada))).toBe('not-found not-found');
});
