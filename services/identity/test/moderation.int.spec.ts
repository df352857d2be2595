import { userFiguresTopic, userSuspensionTopic } from '@pulso/contracts/topics/social';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { outcome } from '@pulso/platform/testing/outcomes';
import { Identity } from './start.js';

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
afterAll(() => identity?.stop());

// Rule: PEOPLE-36
describe('moderators', () => {
  const lines = (named: string) => identity.command('show-user', named);

  it('see an account by its id and its present or former username, and no address of its owner', async () => {
    const person = await identity.signUp({ name: 'Ana "A"', username: 'ana-shown', isCoach: true });
    const { id, email } = person.user;
    await identity.update(person, {
      bio: 'One\ntwo',
      specialties: { values: ['Yoga'] },
      username: 'ana-seen',
    });
    await identity.service.tamper('UPDATE users SET profile_image_id = $1 WHERE id = $1', [id]);
    await identity.service.tell(userFiguresTopic, {
      ...{ userId: id, version: 1, followerCount: 3, ratingSum: 9, reviewCount: 2 },
    });
    const shown = await lines(id);
    expect(shown).toEqual([
      `user ${id}  @ana-seen  coach  active`,
      '  before: @ana-shown',
      '  name "Ana \\"A\\""',
      '  bio "One\\ntwo"',
      '  specialties ["Yoga"]',
      `  picture /media/${id}/avatar`,
      expect.stringMatching(/^ {2}joined \S+Z, e-mail address not verified$/),
      '  3 followers, 2 reviews',
    ]);
    for (const named of ['ana-seen', '@Ana-Seen', 'ana-shown']) expect(await lines(named)).toEqual(shown);
    const [json] = await identity.command('show-user', id, '--json');
    expect(JSON.parse(json!)).toMatchObject({ id, bio: 'One\ntwo', status: 'active' });
    expect(json).not.toContain(email);
  });

  it('see that an account is suspended, and are told of one that is not there', async () => {
    const { user } = await identity.signUp({ username: 'shown-too' });
    await identity.service.tell(userSuspensionTopic, {
      ...{ userId: user.id, version: 1, suspended: true, reason: 'spam', decidedAt: 0 },
    });
    expect((await lines('shown-too'))[0]).toBe(`user ${user.id}  @shown-too  member  suspended`);
    expect(await outcome(lines('nobody-at-all'))).toBe('not-found not-found');
    expect(await outcome(lines(newId()))).toBe('not-found not-found');
  });
});
