import { everythingHeld, sectionsThatSkip, tablesLeftOut } from '@pulso/platform/testing/exported';
import { EXPORTED, ExportedRows } from '../src/store/exported-rows.js';
import { type Person, Social } from './start.js';

let social: Social;
beforeAll(async () => (social = await Social.start()));
afterAll(() => social?.stop());

const heldOf = (person: Person) =>
  everythingHeld((request) => social.as(person, (client) => client.exportUser(request)));
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);

// Rule: ACCT-35
describe('what social holds of a user', () => {
  it('is what they have made and what they may know of, without what has ended', async () => {
    const [ada, coach, ben] = [await social.coach(), await social.coach(), await social.person()];
    await social.follow(ada, coach);
    await social.follow(ada, ben);
    await social.unfollow(ada, ben);
    await social.follow(ben, ada);
    await social.review(ada, coach, 4, 'Strong');
    await social.review(ben, ada, 2, 'Too loud');
    const enemy = await social.person();
    await social.block(ada, enemy);
    expect(await heldOf(ada)).toEqual({
      following: [{ userId: coach.id, createdAt: TIME }],
      followers: [{ userId: ben.id, createdAt: TIME }],
      blocked: [{ userId: enemy.id, createdAt: TIME }],
      reviews: [expect.objectContaining({ coachId: coach.id, rating: 4, comment: 'Strong' })],
      reviewsReceived: [expect.objectContaining({ reviewerId: ben.id, rating: 2, comment: 'Too loud' })],
    });
  });

  it('does not tell who has blocked or reported them', async () => {
    const [ada, ben] = [await social.person(), await social.person()];
    await social.block(ben, ada);
    await social.service.tamper(
      `INSERT INTO reports (id, reporter_id, subject_type, subject_id, reason, note, created_at)
       VALUES (gen_random_uuid(), $1, 'user', $2, 'spam', 'Ben wrote this', now())`,
      [ben.id, ada.id],
    );
    expect(await heldOf(ada)).toEqual({});
    expect(await heldOf(ben)).toEqual({
      blocked: [{ userId: ada.id, createdAt: TIME }],
      reports: [expect.objectContaining({ subjectId: ada.id, reason: 'spam', note: 'Ben wrote this' })],
    });
  });

  it('leaves out the reviews of those whom the list of reviews leaves out', async () => {
    const [ada, ben, eve] = [await social.coach(), await social.person(), await social.person()];
    await social.review(ben, ada, 2, 'Too loud');
    await social.review(eve, ada, 4, 'Strong');
    expect((await heldOf(ada))['reviewsReceived']).toHaveLength(2);
    await social.block(ben, ada);
    const { items } = await social.reviews(ada, ada);
    expect(items.map(({ comment }) => comment)).toEqual(['Strong']);
    expect((await heldOf(ada))['reviewsReceived']).toEqual([
      expect.objectContaining({ reviewerId: eve.id, comment: 'Strong' }),
    ]);
  });

  it('comes in pages, each row once', async () => {
    const star = await social.person();
    await social.service.tamper(
      `INSERT INTO follows (follower_id, target_id, created_at, version)
       SELECT gen_random_uuid(), $1, now(), n FROM generate_series(1, 450) AS n`,
      [star.id],
    );
    const { followers = [] } = await heldOf(star);
    expect(new Set(followers.map(({ userId }) => userId)).size).toBe(450);
    expect(followers).toHaveLength(450);
    expect(await sectionsThatSkip(social.service.get(ExportedRows).sections, star.id)).toEqual([]);
  });
});

// Whoever adds a table with rows of users exports them, or says here why not.
it('no table of users is forgotten', async () => {
  expect(
    await tablesLeftOut(EXPORTED, (query, parameters) => social.service.rows(query, parameters)),
  ).toEqual([
    // Copied figures, without names.
    'figure_changes',
    'user_figures',
  ]);
});
