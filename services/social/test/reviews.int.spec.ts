import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { reviewTopic } from '@pulso/contracts/topics/social';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { type Person, Social, comments, outcome, summaryOf } from './start.js';

let social: Social;
beforeAll(async () => (social = await Social.start()));
afterAll(() => social?.stop());

const INVALID = 'invalid-argument validation-failed';
const deleteReview = (user: Person, coach: Person) =>
  social.as(user, (client) => client.deleteReview({ coachId: coach.id }));
async function delivered(user: Person, coach: Person) {
  await social.drainEvents();
  return social.deliveredState(reviewTopic, `${coach.id}_${user.id}`);
}

// Rule: PEOPLE-28
describe('reviewing', () => {
  it('creates once, then updates the same review', async () => {
    const [ana, coach] = [await social.person(), await social.coach()];
    const created = await social.review(ana, coach, 4, '  Good\nwork ');
    const now = social.clock.now();
    expect(created).toEqual({
      created: true,
      review: {
        id: expect.any(String) as string,
        coachId: coach.id,
        reviewer: expect.objectContaining({ id: ana.id, name: ana.name }) as object,
        verifiedSubscriber: false,
        rating: 4,
        comment: 'Good\nwork',
        createdAt: now,
        updatedAt: now,
      },
    });
    expect(await delivered(ana, coach)).toEqual({
      ...{ id: created.review!.id, coachId: coach.id, reviewerId: ana.id, rating: 4, deleted: false },
      ...{ version: now * 1000, createdAt: now, updatedAt: now },
    });

    social.clock.advance(1000);
    const updated = await social.review(ana, coach, 2, 'Less so');
    expect(updated).toEqual({
      created: false,
      review: { ...created.review, rating: 2, comment: 'Less so', updatedAt: now + 1000 },
    });
    const page = await social.reviews(ana, coach);
    expect(page.items).toEqual([updated.review]);
    expect(page.mine).toEqual(updated.review);
    expect(summaryOf(page)).toEqual({ averageRating: 2, totalReviews: 1 });
    expect(await social.relation(ana, coach)).toMatchObject({
      reviewed: true,
      rating: { averageRating: 2, totalReviews: 1 },
    });
    expect((await social.reviews(null, coach)).mine).toBeUndefined();
  });

  it('deletes idempotently, publishes the state and removes the text; a later review is new', async () => {
    const [ana, coach] = [await social.person(), await social.coach()];
    const first = await social.review(ana, coach, 5, 'A secret');
    await deleteReview(ana, coach);
    await deleteReview(ana, coach);
    expect(await delivered(ana, coach)).toMatchObject({ deleted: true, rating: 0 });
    const [row] = await social.rows<{ comment: string }>(
      'SELECT comment FROM reviews WHERE coach_id = $1 AND reviewer_id = $2',
      [coach.id, ana.id],
    );
    expect(row!.comment).toBe('');
    expect(await social.reviews(ana, coach)).toMatchObject({
      items: [],
      mine: undefined,
      summary: { averageRating: 0, totalReviews: 0 },
    });
    const again = await social.review(ana, coach, 3, 'Anew');
    expect(again.created).toBe(true);
    expect(again.review!.id).not.toBe(first.review!.id);
    expect(await delivered(ana, coach)).toMatchObject({ deleted: false, id: again.review!.id });
  });

  it('accepts the deletion of a review that was never written', async () => {
    const [ana, coach] = [await social.person(), await social.coach()];
    expect(await outcome(deleteReview(ana, coach))).toBe('resolved');
    expect(await delivered(ana, coach)).toBeUndefined();
  });

  it('checks fields before the coach, existence before rules', async () => {
    const [ana, coach, member] = [await social.person(), await social.coach(), await social.person()];
    const nobody = { id: 'nonsense', name: '' };
    expect(await outcome(social.review(ana, nobody, 0))).toBe(INVALID);
    expect(await outcome(social.review(ana, coach, 4.5))).toBe(INVALID);
    expect(await outcome(social.review(ana, coach, 5, '  '))).toBe(INVALID);
    expect(await outcome(social.review(ana, nobody))).toBe('not-found not-found');
    expect(await outcome(social.review(ana, member))).toBe('unprocessable not-a-coach');
    expect(await outcome(social.review(coach, coach))).toBe('unprocessable cannot-review-self');
  });

  it('uses the coach flag last published by identity; existing reviews stay', async () => {
    const [ana, ben, coach] = [await social.person(), await social.person(), await social.person()];
    expect(await outcome(social.review(ana, coach))).toBe('unprocessable not-a-coach');
    await social.change(coach, { isCoach: true });
    await social.review(ana, coach);
    await social.change(coach, { isCoach: false });
    expect(await outcome(social.review(ben, coach))).toBe('unprocessable not-a-coach');
    expect((await social.reviews(ben, coach)).items).toHaveLength(1);
    expect(await outcome(deleteReview(ana, coach))).toBe('resolved');
  });
});

describe('the list of reviews', () => {
  // Rule: PEOPLE-31
  it('pages newest first with a summary of all', async () => {
    const coach = await social.coach();
    const ratings = [5, 4, 4, 5, 3];
    for (const rating of ratings) {
      social.clock.advance(1);
      await social.review(await social.person(), coach, rating, `${rating} stars`);
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await social.reviews(null, coach, { limit: 2, cursor });
      expect(summaryOf(page)).toEqual({ averageRating: 4.2, totalReviews: 5 });
      seen.push(...comments(page));
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect(seen).toEqual(ratings.reverse().map((rating) => `${rating} stars`));
  });

  // Rule: PEOPLE-30, PEOPLE-38
  it('leaves suspended reviewers out of list and summary', async () => {
    const [ana, ben, coach] = [await social.person(), await social.person(), await social.coach()];
    await social.review(ana, coach, 5, 'Kept');
    await social.review(ben, coach, 1, 'Spam');
    await social.change(ben, { status: UserStatus.USER_STATUS_SUSPENDED });
    const page = await social.reviews(null, coach);
    expect(comments(page)).toEqual(['Kept']);
    expect(summaryOf(page)).toEqual({ averageRating: 5, totalReviews: 1 });
  });

  it('is empty for a member and not found for an unknown user', async () => {
    expect(await social.reviews(null, await social.person())).toMatchObject({ items: [], nextCursor: '' });
    expect(await outcome(social.reviews(null, { id: 'nonsense', name: '' }))).toBe('not-found not-found');
  });
});

// Rule: PEOPLE-32
describe('the verified-subscriber badge', () => {
  const verified = async (coach: Person) =>
    (await social.reviews(null, coach)).items.map(({ verifiedSubscriber }) => verifiedSubscriber);

  it('is shown for current and past subscribers, in any order of events', async () => {
    const [ana, coach] = [await social.person(), await social.coach()];
    await social.review(ana, coach);
    expect(await verified(coach)).toEqual([false]);
    await social.subscription(ana, coach, { version: 2, active: false });
    expect(await verified(coach)).toEqual([false]);
    await social.subscription(ana, coach, { version: 1, active: true });
    expect(await verified(coach)).toEqual([true]);
    await social.subscription(ana, coach, { version: 3, active: false });
    expect(await verified(coach)).toEqual([true]);
  });

  it('is shown after a single state of a subscription that has ended', async () => {
    const [ana, coach] = [await social.person(), await social.coach()];
    await social.review(ana, coach);
    await social.subscription(ana, coach, { active: false, everActive: true });
    expect(await verified(coach)).toEqual([true]);
  });

  it('is not shown for subscribers of another coach', async () => {
    const [ana, coach, other] = [await social.person(), await social.coach(), await social.coach()];
    await social.review(ana, coach);
    await social.subscription(ana, other, { active: true });
    expect(await verified(coach)).toEqual([false]);
  });
});

// Rule: HTTP-13
describe('a review under an Idempotency-Key', () => {
  it('returns the first response again, also after the review has changed', async () => {
    const [ana, coach] = [await social.person(), await social.coach()];
    const first = await social.review(ana, coach, 4, 'First', 'k1');
    await social.review(ana, coach, 2, 'Second', 'k2');
    expect(await social.review(ana, coach, 4, 'First', 'k1')).toEqual(first);
    expect(first.created).toBe(true);
    expect((await social.reviews(ana, coach)).mine?.comment).toBe('Second');
  });

  it('returns the consistency token again with the first response', async () => {
    const [ana, coach] = [await social.person(), await social.coach()];
    const [first, second]: ConsistencyToken[][] = [[], []];
    await social.review(ana, coach, 4, 'First', 'k1', 'hash', first);
    await social.review(ana, coach, 4, 'First', 'k1', 'hash', second);
    expect(first).toHaveLength(1);
    expect(second).toEqual(first);
  });

  it('refuses the key for another body, and deletes it after 24 h', async () => {
    const [ana, coach] = [await social.person(), await social.coach()];
    await social.review(ana, coach, 4, 'First', 'k1');
    const other = () => social.review(ana, coach, 5, 'Other', 'k1', 'another hash');
    expect(await outcome(other())).toBe('unprocessable idempotency-key-reused');
    social.clock.advance(24 * 3_600_000);
    expect((await other()).review!.comment).toBe('Other');
  });

  it('stores no copy of its text', async () => {
    const [ana, coach] = [await social.person(), await social.coach()];
    await social.review(ana, coach, 4, 'Nowhere else', 'k1');
    const kept = await social.rows<{ answer: Buffer }>('SELECT answer FROM idempotency_keys');
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.some(({ answer }) => answer.includes('Nowhere else'))).toBe(false);
  });

  it('keeps the keys of different users apart', async () => {
    const [ana, ben, coach] = [await social.person(), await social.person(), await social.coach()];
    await social.review(ana, coach, 4, 'Same', 'k1');
    expect((await social.review(ben, coach, 4, 'Same', 'k1')).created).toBe(true);
  });
});
