import type { ErasedUserState } from '@pulso/contracts/common/v1/events';
import { erasureTopic, userTopic } from '@pulso/contracts/topics/identity';
import { outcome } from '@pulso/platform/testing/outcomes';
import { Acknowledgements } from '../src/projections/known-acknowledgements.js';
import { ErasureRepository } from '../src/store/erasure.repository.js';
import { Identity } from './start.js';
import { ACKNOWLEDGED_BY, erasuresIn } from './support/erasures.js';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
afterAll(() => identity?.stop());

const { erase, logIn, signUp, acknowledge, acknowledgeAll, shown } = erasuresIn(() => identity);
/** What is recorded about an account, newest first. */
const audit = async (userId: string) =>
  (await identity.command('audit', '--subject', userId, '--json')).map((line) => JSON.parse(line) as object);

describe('a store that was restored from before an erasure', () => {
  /** What the consumer does with an acknowledgement of social: one that it refuses becomes a dead letter. */
  const take = (state: Omit<ErasedUserState, 'asked'>) =>
    identity.get(Acknowledgements).take('social', { asked: 1, ...state });
  const EVERYBODY = ['billing', 'media', 'messaging', 'posts', 'social'];

  it('erases the account again when it hears of an acknowledgement while an operator allows it, and awaits a new one of each', async () => {
    const [person, other] = [await identity.signUp(), await identity.signUp()];
    const { id: userId } = person.user;
    const former = { userId, version: 7, erasedAt: 1 };
    await expect(take(former)).rejects.toThrow(
      `social has erased user ${userId}, whose erasure is unknown here`,
    );
    expect(await outcome(logIn(person.user))).toBe('resolved');

    const until = new Date(identity.clock.now() + 2 * 60 * MINUTE).toISOString();
    expect(await identity.command('take-erasures', '--hours', '2', '--by', 'mo')).toEqual([
      `Erasures of others are taken until ${until}.`,
    ]);
    const [entry] = await identity.command('audit', '--limit', '1', '--json');
    expect(JSON.parse(entry!)).toMatchObject({
      by: 'mo',
      command: 'take-erasures',
      outcome: `open until ${until}`,
    });
    for (const topic of ACKNOWLEDGED_BY) await acknowledge(topic, { ...former, asked: 1 });
    expect(await outcome(logIn(person.user))).toBe('unauthenticated invalid-credential');
    expect(await shown(person)).toMatchObject({ completedAt: null, missing: EVERYBODY });
    await acknowledgeAll(person, 8);
    expect((await shown(person))!.completedAt).not.toBeNull();

    expect(await identity.command('take-erasures', '--hours', '0')).toEqual([
      'No erasures of others are taken.',
    ]);
    const late = { userId: other.user.id, version: 7, erasedAt: 1 };
    await expect(take(late)).rejects.toThrow('take-erasures');
    await identity.command('take-erasures');
    identity.clock.advance(60 * MINUTE);
    await expect(take(late)).rejects.toThrow('take-erasures');
    expect(await identity.stored(other)).toMatchObject({ status: 'active' });
    for (const hours of ['-1', '73', 'x', '1.5'])
      await expect(identity.command('take-erasures', `--hours=${hours}`)).rejects.toThrow('--hours must be');
  });
});

describe('operators', () => {
  it('see whose acknowledgement is missing, and ask again', async () => {
    const person = await identity.signUp();
    const { id } = person.user;
    await erase(person);
    await identity.service.drainEvents();
    const [before, user] = [
      identity.service.deliveredState(erasureTopic, id)!,
      identity.service.deliveredState(userTopic, id)!,
    ];
    expect(await identity.command('erasures', id)).toEqual([
      expect.stringMatching(
        new RegExp(`^${id}  requested .+  missing: billing, media, messaging, posts, social$`),
      ),
    ]);
    expect((await identity.command('erasures')).some((line) => line.startsWith(id))).toBe(true);
    expect(await identity.command('ask-erasure', id)).toEqual([`${id}: all services are asked again.`]);
    await identity.service.drainEvents();
    expect(identity.service.deliveredState(erasureTopic, id)!.version).toBeGreaterThan(before.version);
    expect(identity.service.deliveredState(userTopic, id)!.version).toBeGreaterThan(user.version);

    await acknowledgeAll(person);
    expect(await identity.command('erasures', id)).toEqual([
      expect.stringMatching(new RegExp(`^${id}  requested .+  complete .+Z$`)),
    ]);
    expect((await identity.command('erasures')).some((line) => line.startsWith(id))).toBe(false);
  });

  it('see one open again that was complete and is asked for again, until all services have acknowledged that', async () => {
    const person = await identity.signUp();
    const { id: userId, email } = person.user;
    await erase(person);
    await acknowledgeAll(person);
    await identity.service.drainEvents();
    const former = identity.service.deliveredState(erasureTopic, userId)!.version;
    identity.clock.advance(DAY);
    await identity.command('ask-erasure', userId);
    const everybody = ['billing', 'media', 'messaging', 'posts', 'social'];
    expect(await shown(person)).toMatchObject({ completedAt: null, missing: everybody });
    const waiting = async () =>
      (await identity.get(ErasureRepository).waiting()).find(({ service }) => service === 'media');
    identity.clock.advance(MINUTE);
    // Counted from the second time.
    expect((await waiting())!.oldestMs).toBeGreaterThanOrEqual(MINUTE);
    for (const topic of ACKNOWLEDGED_BY)
      await acknowledge(topic, { userId, version: 2, erasedAt: 1, asked: former });
    expect(await shown(person)).toMatchObject({ completedAt: null, missing: everybody });
    await acknowledgeAll(person, 3);
    expect(await shown(person)).toMatchObject({ missing: [] });
    expect((await shown(person))!.completedAt).not.toBeNull();
    expect(await outcome(signUp({ email }))).toBe('resolved');
  });

  it('cannot ask for an account that is not erased', async () => {
    const { user } = await identity.signUp();
    expect(await outcome(identity.command('ask-erasure', user.id))).toBe('not-found not-found');
    await expect(identity.command('ask-erasure', 'somebody')).rejects.toThrow('Not an id');
    expect(await audit(user.id)).toEqual([]);
  });

  // Rule: ACCT-44
  it('ask only with a record of it, which is there only if they have asked', async () => {
    const person = await identity.signUp();
    const { id } = person.user;
    await erase(person);
    const versions = () =>
      identity.rows(
        'SELECT users.version AS user, erasures.version AS erasure FROM users JOIN erasures ON user_id = users.id WHERE users.id = $1',
        [id],
      );
    const before = await versions();
    expect(before).toHaveLength(1);
    for (const table of ['audit_entries', 'erasures']) {
      await identity.rows(`ALTER TABLE ${table} ADD CONSTRAINT refused CHECK (false) NOT VALID`);
      try {
        await expect(identity.command('ask-erasure', id)).rejects.toThrow('violates check constraint');
      } finally {
        await identity.rows(`ALTER TABLE ${table} DROP CONSTRAINT refused`);
      }
    }
    expect(await versions()).toEqual(before);
    expect(await audit(id)).toEqual([]);
    await identity.command('ask-erasure', id, '--by', 'mo', '--reason', ' overdue ');
    expect(await audit(id)).toEqual([
      expect.objectContaining({ by: 'mo', command: 'ask-erasure', reason: 'overdue', outcome: 'asked' }),
    ]);
  });

  it('are told how long a service has been missing', async () => {
    const person = await identity.signUp();
    await erase(person);
    identity.clock.advance(2 * 60 * MINUTE);
    const waiting = await identity.get(ErasureRepository).waiting();
    expect(waiting.map(({ service }) => service).toSorted()).toEqual([
      ...['billing', 'media', 'messaging', 'posts', 'social'],
    ]);
    for (const { oldestMs } of waiting) expect(oldestMs).toBeGreaterThanOrEqual(2 * 60 * MINUTE);
  });
});
