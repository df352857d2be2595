import { userInfo } from 'node:os';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { Billing, outcome } from './start.js';

let billing: Billing;
beforeAll(async () => (billing = await Billing.start()));
afterAll(() => billing?.stop());

const json = async (name: string, ...words: string[]) =>
  (await billing.command(name, ...words, '--json')).map(
    (line) => JSON.parse(line) as Record<string, unknown>,
  );
const couple = async () => {
  const [ana, coach] = [await billing.person(), await billing.coach()];
  await billing.subscribe(ana, coach);
  return { ana, coach };
};

it('show tells of a user by id or username, as table or JSON', async () => {
  const { ana, coach } = await couple();
  await billing.intent(coach, 1, 40_000);
  expect(await json('show', coach.username)).toEqual([
    {
      ...{ id: coach.id, username: coach.username, status: 'active', isCoach: true },
      ...{ price: '400.00 MXN', subscribers: 1, everSubscribed: 1, endingsWaiting: '' },
    },
  ]);
  const [, own] = await json('show', ana.id);
  expect(own).toMatchObject({ user: ana.username, coach: coach.username, status: 'active', price: null });
  const lines = await billing.command('show', ana.id);
  expect(lines[0]).toMatch(/^id +username +status/);
  expect(lines.at(-1)).toContain(coach.username);
  expect((await billing.command('show', coach.id)).at(-1)).toBe('Subscribes to nobody.');
  expect(await outcome(billing.command('show', 'nobody-here'))).toBe('not-found not-found');
});

// Rule: SUBS-9
it('list tells of a coach’s subscriptions by status, in either spelling', async () => {
  const { ana, coach } = await couple();
  const ben = await billing.person();
  await billing.subscribe(ben, coach);
  await billing.cancel(ben, coach);
  const users = async (...words: string[]) =>
    (await json('list', '--coach', coach.username, ...words)).map(({ user }) => user);
  expect(await users()).toEqual([ben.username, ana.username]);
  expect(await users('--limit', '1')).toHaveLength(1);
  expect(await users('--status', 'active')).toEqual([ana.username]);
  expect(await users('--status', ' Canceled ')).toEqual([ben.username]);
  expect(await billing.command('list', '--coach', ben.id)).toEqual(['No subscriptions.']);
  await expect(billing.command('list', '--status', 'paused')).rejects.toThrow('--status must be one of');
  await expect(billing.command('list', '--limit', '0')).rejects.toThrow('--limit must be from 1 to 1000');
});

it('revoke only says what it would do, ends the subscription with --apply, and is recorded with its reason', async () => {
  const { ana, coach } = await couple();
  const words = ['revoke', ana.username, coach.id, '--reason', 'charged back'] as const;
  const dry = await billing.command(...words);
  expect(dry.at(-1)).toBe('Nothing is changed: repeat it with --apply.');
  expect((await billing.get(ana, coach)).givesAccess).toBe(true);
  expect(await billing.command('audit')).toEqual(['No entries.']);

  const [before, now] = (await json(...words, '--apply', '--by', 'mo')) as [object, object];
  expect([before, now]).toMatchObject([
    { when: 'before', status: 'active' },
    { when: 'now', status: 'cancelled' },
  ]);
  await billing.service.drainEvents();
  expect(billing.published(ana, coach)!.active).toBe(false);
  await billing.command(...words, '--apply');
  const entries = await json('audit');
  expect(entries).toMatchObject([
    { by: userInfo().username, outcome: 'cancelled to cancelled' },
    {
      ...{ by: 'mo', command: 'revoke', reason: 'charged back', outcome: 'active to cancelled' },
      subject: `${ana.id} ${coach.id}`,
    },
  ]);
  expect(await json('audit', '--limit', '1')).toEqual(entries.slice(0, 1));
  expect(await json('audit', '--subject', coach.id)).toEqual(entries);
  expect(await billing.command('audit', '--subject', newId())).toEqual(['No entries.']);
  await expect(billing.command('revoke', ana.id, coach.id)).rejects.toThrow('Missing option: --reason');
  const other = await billing.coach();
  expect(await outcome(billing.command('revoke', ana.id, other.id, '--reason', 'x'))).toBe(
    'not-found not-found',
  );
});

// Rule: SUBS-11
it('recount names the counts that are wrong, corrects them with --apply, and records that', async () => {
  const { coach } = await couple();
  await billing.rows('UPDATE coach_counts SET live_count = 7, ever_count = 0 WHERE coach_id = $1', [
    coach.id,
  ]);
  const wrong = { coach: coach.id, live: 7, counted: 1, ever: 0, everCounted: 1 };
  expect(await json('recount')).toEqual([wrong]);
  expect(await json('recount', '--apply', '--by', 'mo')).toEqual([wrong]);
  expect(await billing.standing(null, coach)).toEqual([1, false]);
  expect((await billing.command('recount'))[0]).toBe('All counts are right.');
  expect((await json('audit'))[0]).toMatchObject({
    ...{ by: 'mo', command: 'recount', subject: coach.id, outcome: 'live 7 to 1, ever 0 to 1' },
  });
});
