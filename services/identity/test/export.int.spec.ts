import { everythingHeld, sectionsThatSkip, tablesLeftOut } from '@pulso/platform/testing/exported';
import { EXPORTED, ExportedRows } from '../src/store/exported-rows.js';
import { Identity, type SignedIn } from './start.js';

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
afterAll(() => identity?.stop());

const heldOf = (person: SignedIn) =>
  everythingHeld((request) => identity.service.as(person.user.id, (client) => client.exportUser(request)));

// Rule: ACCT-35
describe('what identity holds of a user', () => {
  it('is the account with its settings, sessions and devices', async () => {
    const ada = await identity.signUp();
    const held = await heldOf(ada);
    expect(held['account']).toEqual([
      expect.objectContaining({
        ...{ id: ada.user.id, email: ada.user.email, name: ada.user.name, username: ada.user.username },
        ...{ emailVerified: false, hasPassword: true, status: 'active', specialties: ada.user.specialties },
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      }),
    ]);
    expect(held['sessions']).toEqual([expect.objectContaining({ endedAt: null })]);
  });

  it('has no secret and no hash of one', async () => {
    const ada = await identity.signUp();
    const text = JSON.stringify(await heldOf(ada));
    const [row] = await identity.rows<{ hash: string; token: string }>(
      'SELECT password_hash AS hash, unsubscribe_token AS token FROM users WHERE id = $1',
      [ada.user.id],
    );
    for (const secret of [row!.hash, row!.token, '$argon2id', 'sealed']) expect(text).not.toContain(secret);
  });

  it('is that of the caller alone, each row once', async () => {
    const [ada, ben] = [await identity.signUp(), await identity.signUp()];
    expect(JSON.stringify(await heldOf(ada))).not.toContain(ben.user.id);
    expect(await sectionsThatSkip(identity.get(ExportedRows).sections, ada.user.id)).toEqual([]);
  });
});

// Whoever adds a table with rows of users exports them, or says here why not.
it('no table of users is forgotten', async () => {
  expect(await tablesLeftOut(EXPORTED, (query, parameters) => identity.rows(query, parameters))).toEqual([
    // Figures by which the directory is sorted; the reviews themselves are social's.
    'coach_merits',
    // Of accounts that are gone.
    'erasure_acknowledgements',
    'erasures',
    'former_merits',
    // Times that `usernames` has, too.
    'renames',
    // What the account's specialties are found by.
    'user_specialties',
  ]);
});
