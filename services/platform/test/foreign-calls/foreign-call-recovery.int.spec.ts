import { jest } from '@jest/globals';
import { onTestEnd } from '../../testing/on-test-end.js';
import { outcome } from '../../testing/outcomes.js';
import { until } from '../../testing/until.js';
import { GIVE_UP_AFTER_MS } from './charges.js';
import { chargeOf, type Charging, charging, idOf, MINUTE, type Service } from './charging.js';

const UNKNOWN = 'unavailable outcome-unknown';
const HOUR = 60 * MINUTE;
const MONTH = 30 * 24 * HOUR;

let world: Charging;
let service: Service;
let logged: string[];

beforeEach(async () => {
  world = await charging();
  logged = [];
  service = await world.open({ log: (line) => logged.push(line) });
});

const run = (order = 'order-1', of = service) => of.run(idOf(order), chargeOf(order));
const enqueue = (order: string, kind?: 'refund') => service.enqueue(idOf(order), chargeOf(order), kind);
/** Lets `count` attempts pass, each after the longest pause. */
const attempts = async (count: number, of = service) => {
  for (let made = 0; made < count; made += 1) {
    await world.pass(11 * MINUTE);
    await of.calls.recover();
  }
};
const metrics = async () => {
  const lines = (await service.registry.metrics()).split('\n');
  return lines.filter((line) => line.startsWith('pulso_foreign_calls_open'));
};

it('calls again after growing pauses', async () => {
  world.foreign.next.push('silent', 'silent', 'silent');
  expect(await outcome(run())).toBe(UNKNOWN);
  const pauses = () => logged.map((line) => (JSON.parse(line) as { pauseMs?: number }).pauseMs);
  expect(pauses()).toEqual([2_000]);
  await world.pass(2_000);
  await service.calls.recover();
  expect(pauses()).toEqual([2_000, 4_000]);
  await world.pass(4_000);
  await service.calls.recover();
  expect([pauses(), world.foreign.calls]).toEqual([[2_000, 4_000, 8_000], 3]);
  // Not before the end of the pause, for which the database's clock counts.
  await world.pass(-MINUTE);
  await service.calls.recover();
  expect(world.foreign.calls).toBe(3);
  await world.pass(2 * MINUTE);
  await service.calls.recover();
  expect([world.foreign.calls, await world.states()]).toEqual([4, ['done']]);
});

it('finds what was executed where the foreign system repeats an error that it has saved', async () => {
  world.foreign.next.push('charged, then failed');
  expect(await outcome(run())).toBe(UNKNOWN);
  world.foreign.blind = true;
  await attempts(3);
  expect([await world.states(), await world.ledger()]).toEqual([['pending'], []]);
  world.foreign.blind = false;
  await attempts(1);
  expect([await world.states(), await world.ledger(), world.foreign.effects.length]).toEqual([
    ['done'],
    ['made-1'],
    1,
  ]);
});

it('uses another key where an error is repeated and nothing was made', async () => {
  await enqueue('order-1');
  world.foreign.next.push('failed');
  await service.calls.recover();
  await attempts(4);
  expect([await world.states(), new Set(world.foreign.keys).size]).toEqual([['pending'], 1]);
  await attempts(1);
  expect([await world.states(), await world.ledger(), new Set(world.foreign.keys).size]).toEqual([
    ['done'],
    ['made-1'],
    2,
  ]);
});

describe('a call that sets a state', () => {
  it('is made under another key at once where the foreign system has failed', async () => {
    const setting = await world.open({ setsState: true, kinds: ['charge'] });
    world.foreign.next.push('failed', 'failed');
    await setting.enqueue(idOf(), chargeOf());
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await setting.calls.recover();
      await world.pass(MINUTE);
    }
    expect([await world.states(), await world.ledger(), new Set(world.foreign.keys).size]).toEqual([
      ['done'],
      ['made-1'],
      3,
    ]);
  });

  it('keeps its key where an attempt before may still be under way', async () => {
    const setting = await world.open({ setsState: true, kinds: ['charge'] });
    world.foreign.next.push('silent', 'failed');
    await setting.enqueue(idOf(), chargeOf());
    await setting.calls.recover();
    await world.pass(MINUTE);
    await setting.calls.recover();
    expect([await world.states(), new Set(world.foreign.keys).size]).toEqual([['pending'], 1]);
  });

  it('is done where the foreign system has set it and failed afterwards', async () => {
    const setting = await world.open({ setsState: true, kinds: ['charge'] });
    world.foreign.next.push('charged, then failed');
    await setting.enqueue(idOf(), chargeOf());
    await setting.calls.recover();
    expect([await world.states(), await world.ledger(), world.foreign.keys.length]).toEqual([
      ['done'],
      ['made-1'],
      1,
    ]);
  });
});

it('closes a call of a caller who waited where an error is repeated and nothing was made', async () => {
  world.foreign.next.push('failed');
  expect(await outcome(run())).toBe(UNKNOWN);
  await attempts(5);
  expect([await world.states(), await world.ledger()]).toEqual([['not-executed'], []]);
  expect([await run(), await world.ledger()]).toEqual([{ id: 'made-1' }, ['made-1']]);
});

it('abandons a call that can be neither repeated nor found, but does not forget it', async () => {
  world.foreign.next.push('charged, then failed');
  expect(await outcome(run())).toBe(UNKNOWN);
  world.foreign.blind = true;
  await world.pass(GIVE_UP_AFTER_MS);
  await service.calls.recover();
  expect([await world.states(), world.foreign.calls, await outcome(run())]).toEqual([
    ['abandoned'],
    1,
    UNKNOWN,
  ]);
  expect(logged.join('\n')).toContain('a foreign call is abandoned');
  expect(logged.join('\n')).not.toMatch(/sk_test|ana@example/);
  expect(await metrics()).toEqual(['pulso_foreign_calls_open{kind="charge",state="abandoned"} 1']);
  await world.pass(59 * MINUTE);
  await service.calls.recover();
  world.foreign.blind = false;
  await world.pass(HOUR);
  await service.calls.recover();
  expect([await world.states(), await world.ledger(), world.foreign.calls]).toEqual([
    ['done'],
    ['made-1'],
    1,
  ]);
  expect(await run()).toEqual({ id: 'made-1' });
});

it('sends what another version has rendered, as that version did', async () => {
  world.foreign.next.push('charged, then silent');
  expect(await outcome(run())).toBe(UNKNOWN);
  const later = await world.open({ version: 'v2' });
  await world.pass(MINUTE);
  await later.calls.recover();
  expect(world.foreign.bodies).toEqual(
    Array.from({ length: 2 }, () => '{"renderedBy":"v1","order":"order-1","amount":5}'),
  );
  expect([await world.states(), await run('order-1', later)]).toEqual([['done'], { id: 'made-1' }]);
});

describe('a process that is slow while another one takes over', () => {
  let slow: Service;

  beforeEach(async () => {
    slow = await world.open({ deaf: true });
    world.foreign.next.push('held');
  });

  it('replaces the refusal that the other one was told by its success', async () => {
    const slowly = outcome(run('order-1', slow));
    await until(() => world.foreign.calls === 1, { what: 'the slow call' });
    await world.pass(10 * MINUTE);
    world.foreign.next.push('declined');
    await service.calls.recover();
    expect([await world.states(), await world.ledger()]).toEqual([['refused'], ['payment-required']]);
    world.foreign.release();
    expect(await slowly).toBe('resolved');
    expect([await world.states(), await world.ledger(), await run()]).toEqual([
      ['done'],
      ['payment-required', 'made-1'],
      { id: 'made-1' },
    ]);
  });

  it('does not end the attempt of the other one by its own refusal', async () => {
    const slowly = outcome(run('order-1', slow));
    await until(() => world.foreign.calls === 1, { what: 'the slow call' });
    await world.pass(10 * MINUTE);
    await service.calls.recover();
    expect([world.foreign.calls, await world.states()]).toEqual([2, ['pending']]);
    world.foreign.release('declined');
    expect([await slowly, await world.states(), await world.ledger()]).toEqual([UNKNOWN, ['pending'], []]);
    await world.pass(MINUTE);
    await service.calls.recover();
    expect([await world.states(), await world.ledger()]).toEqual([['refused'], ['payment-required']]);
  });

  it('keeps its lease whatever the other one’s clock says', async () => {
    const slowly = outcome(run('order-1', slow));
    await until(() => world.foreign.calls === 1, { what: 'the slow call' });
    const tomorrow = Date.now() + 24 * HOUR;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(tomorrow);
    onTestEnd(() => clock.mockRestore());
    await service.calls.recover();
    expect(world.foreign.calls).toBe(1);
    world.foreign.release();
    expect(await slowly).toBe('resolved');
  });
});

describe('a hung call', () => {
  it('holds back no other call, and no other kind', async () => {
    world.foreign.next.push(...Array.from({ length: 4 }, () => 'held' as const));
    for (let order = 1; order <= 3; order += 1) await enqueue(`hung-${order}`);
    service.calls.onApplicationBootstrap();
    await until(() => world.foreign.calls === 3, { what: 'the three hung calls' });
    world.foreign.next.length = 0;
    for (const order of ['order-1', 'order-2']) await enqueue(order);
    await until(async () => (await world.ledger()).length === 2, { what: 'the calls of the same kind' });
    world.foreign.next.push('held');
    await enqueue('hung-4');
    await until(() => world.foreign.calls === 6, { what: 'the fourth hung call' });
    await enqueue('order-3');
    await enqueue('order-4', 'refund');
    await until(async () => (await world.ledger()).length === 3, { what: 'the call of another kind' });
    expect(await world.states()).toEqual([
      ...['pending', 'pending', 'pending', 'pending'],
      ...['done', 'done', 'pending', 'done'],
    ]);
    world.foreign.release();
    await until(async () => (await world.states()).every((state) => state === 'done'), {
      what: 'the calls that hung, and the one that had no place',
    });
  });

  it.each([false, true])('ends with its process, deaf: %s', async (deaf) => {
    const stopped = await world.open({ deaf });
    world.foreign.next.push('held');
    const hung = outcome(run('order-1', stopped));
    await until(() => world.foreign.calls === 1, { what: 'the hung call' });
    await stopped.calls.onModuleDestroy();
    expect([await hung, await world.states()]).toEqual([UNKNOWN, ['pending']]);
    expect(await outcome(run('order-2', stopped))).toBe('unavailable unavailable');
    world.foreign.release();
    await until(() => world.foreign.effects.length === 1, { what: 'the late effect' });
    // A process that stops waits 3 s for its row to be stored: on a slow machine that may come after the minute here.
    const isDone = async () => {
      await world.pass(MINUTE);
      await service.calls.recover();
      return (await world.states())[0] === 'done';
    };
    await until(isDone, { what: 'the call that is recovered' });
    expect(world.foreign.effects).toHaveLength(1);
  });
});

it('reports calls whose kind this version does not have, and leaves them as they are', async () => {
  await enqueue('order-1', 'refund');
  const later = await world.open({ kinds: ['charge'] });
  await world.pass(HOUR);
  await later.calls.recover();
  const shown = await later.registry.metrics();
  expect(shown).toContain('pulso_foreign_calls_open{kind="refund",state="unregistered"} 1');
  expect(shown).toMatch(/pulso_foreign_calls_oldest_seconds\{kind="refund",state="unregistered"\} 36\d\d/);
  const listed = await later.calls.operator.list({ all: false, kind: null, limit: 10 });
  expect(listed.map(({ kind, state }) => [kind, state])).toEqual([['refund', 'unregistered']]);
  expect([await world.states(), world.foreign.calls]).toEqual([['pending'], 0]);
});

it('shows how many calls are pending and of unknown outcome', async () => {
  world.foreign.next.push('silent', 'silent');
  for (const order of ['order-1', 'order-2']) expect(await outcome(run(order))).toBe(UNKNOWN);
  await enqueue('order-3');
  expect(await metrics()).toEqual(
    expect.arrayContaining([
      'pulso_foreign_calls_open{kind="charge",state="pending"} 1',
      'pulso_foreign_calls_open{kind="charge",state="unknown"} 2',
    ]),
  );
  expect(await service.registry.metrics()).toContain(
    'pulso_foreign_call_attempts_total{kind="charge",result="unknown"} 2',
  );
});

it('removes calls a month after their end, and no others', async () => {
  const { signal } = new AbortController();
  world.foreign.next.push('silent');
  expect(await outcome(run('order-1'))).toBe(UNKNOWN);
  await run('order-2');
  await world.pass(MONTH - MINUTE);
  await service.calls.purge(signal);
  expect(await world.states()).toHaveLength(2);
  await world.pass(MINUTE);
  await service.calls.purge(signal);
  expect(await world.states()).toEqual(['pending']);
});
