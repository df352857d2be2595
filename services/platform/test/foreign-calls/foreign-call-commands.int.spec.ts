import { readInput } from '../../src/command-line/run-commands.js';
import { FOREIGN_CALL_COMMANDS } from '../../src/foreign-calls/foreign-call-commands.js';
import { outcome } from '../../testing/outcomes.js';
import type { Behaviour } from './foreign-system.js';
import { chargeOf, type Charging, charging, idOf, MINUTE, type Service } from './charging.js';

const UNKNOWN = 'unavailable outcome-unknown';
const WHY = ['--reason', 'as the dashboard says', '--by', 'eve'];

let world: Charging;
let service: Service;

beforeEach(async () => {
  world = await charging();
  service = await world.open();
});

/** Runs a command as an operator does, and returns the lines. */
async function operate(name: string, words: readonly string[], of = service): Promise<readonly string[]> {
  const command = FOREIGN_CALL_COMMANDS[name]!;
  return command.prepare(readInput(command, words))({ get: () => of.calls as never });
}
const settle = (...words: string[]) =>
  operate('settle-foreign-call', ['charge', 'user:ana', 'order-1', ...WHY, ...words]);
const listed = async (...words: string[]) =>
  (await operate('foreign-calls', ['--json', ...words])).map((line) => JSON.parse(line) as object);

/** A call of unknown outcome. */
async function aDoubtfulCall(behaviour: Behaviour): Promise<void> {
  world.foreign.next.push(behaviour);
  expect(await outcome(service.run(idOf(), chargeOf()))).toBe(UNKNOWN);
}

it('list the calls that have not ended, without secrets, and with --all the others', async () => {
  await service.run(idOf('order-0'), chargeOf('order-0'));
  await aDoubtfulCall('failed');
  await service.enqueue(idOf('order-2', 'job:night'), chargeOf('order-2'), 'refund');
  expect(await listed()).toEqual([
    expect.objectContaining({
      ...{ kind: 'charge', caller: 'user:ana', key: 'order-1', state: 'unknown', attempts: 1 },
      lastError: 'Error: the foreign system has answered 500 to [secret] of [address]',
    }),
    expect.objectContaining({ kind: 'refund', caller: 'job:night', state: 'pending', attempts: 0 }),
  ]);
  expect(await listed('--all', '--kind', 'charge')).toMatchObject([{ state: 'done' }, { state: 'unknown' }]);
  const [head] = await operate('foreign-calls', []);
  expect(head).toMatch(/^kind +caller +key +state +attempts +lastError/);
});

it('settle a call as the foreign system has executed it, only with --apply', async () => {
  await aDoubtfulCall('charged, then failed');
  expect(await settle()).toEqual([
    expect.stringMatching(/before +then +found$/),
    expect.stringMatching(/pending +done +It was executed: {"id":"made-1"}$/),
    'Nothing is changed: repeat it with --apply.',
  ]);
  expect([await world.states(), await world.ledger()]).toEqual([['pending'], []]);
  expect(await outcome(settle('--as-refused', '--apply'))).toBe('conflict conflict');
  expect((await settle('--apply')).join()).toMatch(/now/);
  expect([await world.states(), await world.ledger()]).toEqual([['done'], ['made-1']]);
  expect(await listed('--all')).toMatchObject([
    { settledBy: 'eve', settledBecause: 'as the dashboard says' },
  ]);
  expect(await outcome(settle('--apply'))).toBe('conflict conflict');
});

it('settle a call that the foreign system cannot tell about as the operator says', async () => {
  await aDoubtfulCall('charged, then failed');
  world.foreign.blind = true;
  expect((await settle('--apply')).join()).toContain('cannot tell');
  expect(await world.states()).toEqual(['pending']);
  await settle('--as-executed', '{"id":"made-9"}');
  expect(await world.ledger()).toEqual([]);
  await settle('--as-executed', '{"id":"made-9"}', '--apply');
  expect([await world.states(), await world.ledger()]).toEqual([['done'], ['made-9']]);
  expect(await service.run(idOf(), chargeOf())).toEqual({ id: 'made-9' });
});

it('settle a call as refused, which a success replaces', async () => {
  await aDoubtfulCall('failed');
  await settle('--as-refused', '--apply');
  expect([await world.states(), await world.ledger()]).toEqual([['refused'], ['unavailable']]);
  world.foreign.effects.push({ path: '/charge', order: 'order-1', key: 'by hand' });
  await settle('--apply');
  expect([await world.states(), await world.ledger()]).toEqual([['done'], ['unavailable', 'made-1']]);
});

it('close a call of which nothing was made, once it has rested', async () => {
  await aDoubtfulCall('failed');
  expect(await outcome(settle('--apply'))).toBe('conflict conflict');
  expect(await outcome(settle('--as-executed', '{}', '--apply'))).toBe('conflict conflict');
  await world.pass(10 * MINUTE);
  await settle('--apply');
  expect([await world.states(), await world.ledger()]).toEqual([['not-executed'], []]);
  expect(await service.run(idOf(), chargeOf())).toEqual({ id: 'made-1' });
});

it('settle calls of kinds that are there no more', async () => {
  await service.enqueue(idOf(), chargeOf());
  const later = await world.open({ kinds: [] });
  const words = ['charge', 'user:ana', 'order-1', ...WHY];
  expect((await operate('settle-foreign-call', words, later)).join()).toContain('no such kind');
  await operate('settle-foreign-call', [...words, '--as-refused', '--apply'], later);
  expect([await world.states(), await world.ledger()]).toEqual([['refused'], []]);
});

it('keep what operators have settled, and refuse what is unclear', async () => {
  await aDoubtfulCall('charged, then failed');
  await settle('--apply');
  await world.pass(40 * 24 * 60 * MINUTE);
  await service.calls.purge(new AbortController().signal);
  expect(await world.states()).toEqual(['done']);
  expect(await outcome(settle('--as-executed', 'made-1'))).toContain('must be JSON');
  expect(await outcome(settle('--as-executed', '{}', '--as-refused'))).toContain('not both');
  const unknown = operate('settle-foreign-call', ['charge', 'user:ana', 'order-7', ...WHY]);
  expect(await outcome(unknown)).toBe('not-found not-found');
});
