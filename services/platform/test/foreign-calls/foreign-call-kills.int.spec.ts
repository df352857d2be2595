import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../../testing/until.js';
import { killWhenItSays } from '../process/kill-when-it-says.js';
import { chargeOf, type Charging, charging, idOf, MINUTE, type Service } from './charging.js';
import type { Deed, KilledAt } from './killed-charge.js';

const program = join(dirname(fileURLToPath(import.meta.url)), 'killed-charge.ts');

let world: Charging;
let service: Service;

beforeEach(async () => {
  world = await charging();
  service = await world.open();
});

/** Lets a separate process charge, or recover charges, until the step, and kills it there. */
const killAt = (deed: Deed, step: KilledAt) =>
  killWhenItSays(step, { file: program, args: [world.database.url, world.foreign.url, deed, step] });

const effects = () => world.foreign.effects.map(({ order }) => order);

/** The end of a killed process's transactions is noticed by the server a moment later. */
const recoverUntilDone = () =>
  until(
    async () => {
      await Promise.all([service.calls.recover(), service.calls.recover()]);
      return (await world.states()).every((state) => state === 'done');
    },
    { what: 'the call to be done' },
  );

it.each<[Deed, KilledAt, effects: number]>([
  ['run', 'begun', 0],
  ['run', 'called', 1],
  ['run', 'settling', 1],
  ['enqueue', 'committed', 0],
])('has one effect and one end when a process that would %s is killed when %s', async (...killed) => {
  const [deed, step, before] = killed;
  await killAt(deed, step);
  expect([await world.states(), effects().length, await world.ledger()]).toEqual([['pending'], before, []]);
  const callsBefore = world.foreign.calls;
  await service.calls.recover();
  // While the process might be alive, no other one makes what it has begun.
  expect(world.foreign.calls).toBe(deed === 'run' ? callsBefore : 1);
  await world.pass(10 * MINUTE);
  await recoverUntilDone();
  expect([effects(), await world.ledger()]).toEqual([['order-1'], ['made-1']]);
  expect(await service.run(idOf(), chargeOf())).toEqual({ id: 'made-1' });
  expect(new Set(world.foreign.keys).size).toBe(1);
});

it('repeats nothing when a process is killed after the end is stored', async () => {
  await killAt('run', 'answered');
  await world.pass(10 * MINUTE);
  await service.calls.recover();
  expect(await service.run(idOf(), chargeOf())).toEqual({ id: 'made-1' });
  expect([world.foreign.calls, await world.ledger()]).toEqual([1, ['made-1']]);
});

it('leaves nothing when a process is killed before it commits what it has enqueued', async () => {
  await killAt('enqueue', 'enqueued');
  expect([await world.states(), effects()]).toEqual([[], []]);
  expect(await service.run(idOf(), chargeOf())).toEqual({ id: 'made-1' });
});

it.each<KilledAt>(['begun', 'called', 'settling'])(
  'has one effect and one end when the process that recovers it is killed when %s',
  async (step) => {
    await service.enqueue(idOf(), chargeOf());
    await killAt('recover', step);
    expect([await world.states(), await world.ledger()]).toEqual([['pending'], []]);
    await world.pass(10 * MINUTE);
    await recoverUntilDone();
    expect([effects(), await world.ledger()]).toEqual([['order-1'], ['made-1']]);
  },
);
