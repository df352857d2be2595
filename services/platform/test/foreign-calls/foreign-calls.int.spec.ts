import { jest } from '@jest/globals';
import { PollingLoop } from '../../src/jobs/polling-loop.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { outcome } from '../../testing/outcomes.js';
import { until } from '../../testing/until.js';
import { chargeOf, type Charging, charging, idOf, MINUTE, type Service } from './charging.js';

const DECLINED = 'payment-required payment-required';
const UNAVAILABLE = 'unavailable unavailable';
const UNKNOWN = 'unavailable outcome-unknown';

let world: Charging;
let service: Service;

beforeEach(async () => {
  world = await charging();
  service = await world.open();
});

const run = (order = 'order-1', amount = 5) => service.run(idOf(order), chargeOf(order, amount));

describe('run', () => {
  it('makes a call once, and answers a repetition with its outcome', async () => {
    expect([await run(), await run()]).toEqual([{ id: 'made-1' }, { id: 'made-1' }]);
    expect(await outcome(run('order-1', 6))).toBe('unprocessable idempotency-key-reused');
    expect([world.foreign.calls, await world.states(), await world.ledger()]).toEqual([
      1,
      ['done'],
      ['made-1'],
    ]);
  });

  it('answers those who ask meanwhile like the first', async () => {
    world.foreign.next.push('held');
    const asked = Array.from({ length: 5 }, () => run());
    await until(() => world.foreign.calls === 1, { what: 'the call' });
    world.foreign.release();
    expect(new Set((await Promise.all(asked)).map(({ id }) => id))).toEqual(new Set(['made-1']));
    expect([world.foreign.calls, await world.ledger()]).toEqual([1, ['made-1']]);
  });

  it('keeps a refusal', async () => {
    world.foreign.next.push('declined');
    expect([await outcome(run()), await outcome(run())]).toEqual([DECLINED, DECLINED]);
    await world.pass(10 * MINUTE);
    await service.calls.recover();
    expect([world.foreign.calls, await world.states(), await world.ledger()]).toEqual([
      1,
      ['refused'],
      ['payment-required'],
    ]);
  });

  it('closes a call that was certainly not executed, and makes it anew when it is asked again', async () => {
    world.foreign.next.push('busy');
    expect(await outcome(run())).toBe(UNAVAILABLE);
    await world.pass(10 * MINUTE);
    await service.calls.recover();
    expect([world.foreign.calls, await world.states(), await world.ledger()]).toEqual([
      1,
      ['not-executed'],
      [],
    ]);
    expect(await run()).toEqual({ id: 'made-1' });
    expect([new Set(world.foreign.keys).size, await world.ledger()]).toEqual([1, ['made-1']]);
  });

  it('takes another request for what was certainly not executed, under another key', async () => {
    world.foreign.next.push('busy');
    expect(await outcome(run())).toBe(UNAVAILABLE);
    expect(await run('order-1', 6)).toEqual({ id: 'made-1' });
    expect([new Set(world.foreign.keys).size, world.foreign.bodies[1]]).toEqual([
      2,
      '{"renderedBy":"v1","order":"order-1","amount":6}',
    ]);
  });

  it('says that nothing was executed where nobody answers at the address', async () => {
    const gone = world.foreign.url;
    world.foreign.close();
    const lonely = await world.open({}, gone);
    expect(await outcome(lonely.run(idOf(), chargeOf()))).toBe(UNAVAILABLE);
    expect(await world.states()).toEqual(['not-executed']);
  });

  it.each(['silent', 'charged, then silent', 'charged, then failed'] as const)(
    'says that nobody knows when the foreign system is %s, and the recovery finds out',
    async (behaviour) => {
      world.foreign.next.push(behaviour);
      expect([await outcome(run()), await outcome(run())]).toEqual([UNKNOWN, UNKNOWN]);
      expect([world.foreign.calls, await world.states(), await world.ledger()]).toEqual([1, ['pending'], []]);
      await world.pass(2_000);
      await service.calls.recover();
      expect([world.foreign.effects.length, await world.states(), await world.ledger()]).toEqual([
        1,
        ['done'],
        ['made-1'],
      ]);
      expect(await run()).toEqual({ id: 'made-1' });
    },
  );

  it('does not take an attempt that was not executed for the end of one that may have been', async () => {
    world.foreign.next.push('silent', 'busy');
    expect(await outcome(run())).toBe(UNKNOWN);
    await world.pass(2_000);
    await service.calls.recover();
    expect([world.foreign.calls, await world.states(), await outcome(run())]).toEqual([
      2,
      ['pending'],
      UNKNOWN,
    ]);
    await world.pass(4_000);
    await service.calls.recover();
    expect([world.foreign.calls, await world.states()]).toEqual([3, ['done']]);
  });

  it('says that nobody knows when the limit is reached, and stores what comes later', async () => {
    const deaf = await world.open({ limitMs: 500, deaf: true });
    world.foreign.next.push('held');
    expect(await outcome(deaf.run(idOf(), chargeOf()))).toBe(UNKNOWN);
    expect(await world.states()).toEqual(['pending']);
    world.foreign.release();
    await until(async () => (await world.states())[0] === 'done', { what: 'the late success' });
    expect([world.foreign.calls, await world.ledger()]).toEqual([1, ['made-1']]);
  });

  it('says that nobody knows when what follows cannot be written, which is then written later', async () => {
    let failures = 1;
    const reached = (step: string) => {
      if (step === 'settling' && failures-- > 0) throw new Error('the disk is full');
    };
    const failing = await world.open({ reached });
    expect(await outcome(failing.run(idOf(), chargeOf()))).toBe(UNKNOWN);
    expect([await world.states(), await world.ledger()]).toEqual([['pending'], []]);
    await world.pass(2_000);
    await failing.calls.recover();
    expect([world.foreign.effects.length, await world.ledger()]).toEqual([1, ['made-1']]);
  });

  it('sends keys of 64 characters, which those of other kinds and callers never are', async () => {
    await service.run(idOf('order-1', 'user:ana'), chargeOf());
    await service.run(idOf('order-1', 'user:ben'), chargeOf('order-1', 7));
    await service.run(idOf('order-1', 'user:ana'), chargeOf(), 'refund');
    expect(world.foreign.keys.every((key) => /^[0-9a-f]{64}$/.test(key))).toBe(true);
    expect([new Set(world.foreign.keys).size, await world.ledger()]).toEqual([
      3,
      ['made-1', 'made-2', 'made-3'],
    ]);
  });
});

describe('enqueue', () => {
  it('is committed with the writes of its caller, or not at all, and makes the call after the commit', async () => {
    const failed = service.writes.run(async (transaction) => {
      await service.kindNamed('charge').enqueue(transaction, idOf(), chargeOf());
      throw new Error('rolled back');
    });
    expect(await outcome(failed)).toBe('rolled back');
    expect(await world.states()).toEqual([]);
    const nudge = jest.spyOn(PollingLoop.prototype, 'nudge');
    onTestEnd(() => nudge.mockRestore());
    await service.writes.run(async (transaction) => {
      await service.kindNamed('charge').enqueue(transaction, idOf(), chargeOf());
      expect(nudge).not.toHaveBeenCalled();
    });
    expect(nudge).toHaveBeenCalled();
    expect([await world.states(), world.foreign.calls]).toEqual([['pending'], 0]);
    service.calls.onApplicationBootstrap();
    await until(async () => (await world.states())[0] === 'done', { what: 'the call to be made' });
    expect(await world.ledger()).toEqual(['made-1']);
  });

  it('leaves one that is stored as it is, and refuses another request for it', async () => {
    await service.enqueue(idOf(), chargeOf());
    await service.enqueue(idOf(), chargeOf());
    await service.calls.recover();
    await service.enqueue(idOf(), chargeOf());
    await service.calls.recover();
    expect([world.foreign.calls, await world.ledger()]).toEqual([1, ['made-1']]);
    expect(await outcome(service.enqueue(idOf(), chargeOf('order-1', 6)))).toBe(
      'unprocessable idempotency-key-reused',
    );
    expect(await run()).toEqual({ id: 'made-1' });
  });

  it('goes on until it is executed, however often it is not', async () => {
    await service.enqueue(idOf(), chargeOf());
    world.foreign.next.push('busy', 'busy', 'busy');
    for (let attempts = 1; attempts <= 3; attempts += 1) {
      await service.calls.recover();
      expect([world.foreign.calls, await world.states()]).toEqual([attempts, ['pending']]);
      await world.pass(10 * MINUTE);
    }
    await service.calls.recover();
    expect([await world.states(), await world.ledger()]).toEqual([['done'], ['made-1']]);
  });

  it('tells a caller who runs it while it is not executed that it will be', async () => {
    await service.enqueue(idOf(), chargeOf());
    world.foreign.next.push('busy');
    expect([await outcome(run()), await world.states()]).toEqual([UNKNOWN, ['pending']]);
  });

  it('makes what a caller was told was not executed', async () => {
    world.foreign.next.push('busy');
    expect(await outcome(run())).toBe(UNAVAILABLE);
    await service.enqueue(idOf(), chargeOf('order-1', 8));
    await service.calls.recover();
    expect([await world.states(), world.foreign.effects.length]).toEqual([['done'], 1]);
  });

  it('shows a transaction which calls of a caller are pending', async () => {
    await service.enqueue(idOf('order-1'), chargeOf('order-1'), 'refund');
    await service.enqueue(idOf('order-2'), chargeOf('order-2'));
    await service.enqueue(idOf('order-3', 'user:ben'), chargeOf('order-3'));
    const pending = () =>
      service.writes.run((transaction) => service.calls.pendingOf(transaction, 'user:ana'));
    expect(await pending()).toEqual(['charge', 'refund']);
    await service.calls.recover();
    expect(await pending()).toEqual([]);
  });
});
