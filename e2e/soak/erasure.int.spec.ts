import { setTimeout as pause } from 'node:timers/promises';
import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { type NativeEngines, startNativeEngines } from '../../tools/engines/native.mjs';
import { aLife } from '../support/a-life.js';
import { type ClusterUnderTest, startClusterPulso } from '../support/cluster-pulso.js';
import {
  type Erased,
  erase,
  expectNothingOutsideStores,
  untilErased,
  untilNothingInStores,
} from '../support/erasures.js';
import { withClients } from '../support/test-pulso.js';

const SET_UP_MS = 300_000;
/** How long each is away. */
const AWAY_MS = 10_000;
/** What a relay had read before the erasure is published within this time. */
const LATE_MS = 5_000;
const ENGINE_NAMES = ['kafka', 'redis', 'postgres', 'objects'] as const;

// Rule: ACCT-34
describe('erasures while services and engines are away in turn', () => {
  let engines: NativeEngines;
  let pulso: ClusterUnderTest;
  const lives: Erased[] = [];
  const lines: string[] = [];
  beforeAll(async () => {
    engines = await startNativeEngines();
    pulso = await startClusterPulso({ engines, logLevel: 'info', onLine: (line) => lines.push(line) });
  }, SET_UP_MS);
  afterAll(async () => {
    await pulso?.close();
    await engines?.stop();
  }, SET_UP_MS);

  /** Erases somebody, then brings about that something is away, and waits until the erasure is complete. */
  const eraseWhile = async (mark: string, away: () => Promise<() => Promise<void>>) => {
    const life = await aLife(withClients(pulso), mark);
    await pulso.drainEvents();
    const erased = await erase(life, LATE_MS);
    const back = await away();
    try {
      await pause(AWAY_MS);
    } finally {
      await back();
    }
    await untilErased(pulso, erased);
    // The next one signs up.
    const members = Object.values(pulso.processes).flat();
    await Promise.all(members.map((member) => member.untilReady()));
    lives.push(erased);
  };

  it.each(SERVICE_NAMES)(
    'end complete after %s was away',
    (name) =>
      eraseWhile(`svc${name}`, async () => {
        const members = pulso.processes[name];
        await Promise.all(members.map((member) => member.stop()));
        return async () => void (await Promise.all(members.map((member) => member.start())));
      }),
    SET_UP_MS,
  );

  it.each(ENGINE_NAMES)(
    'end complete after %s was away',
    (name) =>
      eraseWhile(`eng${name}`, async () => {
        const engine = engines.engines[name];
        await engine.kill();
        return async () => void (await engine.start());
      }),
    SET_UP_MS,
  );

  it(
    'end complete after the document store was killed',
    () =>
      eraseWhile('engdocuments', async () => {
        process.kill(engines.engines.documents.pid, 'SIGKILL');
        return () => Promise.resolve();
      }),
    SET_UP_MS,
  );

  it(
    'leave nothing of anybody',
    async () => {
      expect(lives).toHaveLength(SERVICE_NAMES.length + ENGINE_NAMES.length + 1);
      await untilNothingInStores(lives, pulso);
    },
    SET_UP_MS,
  );

  // Events that were published before are kept for 7 days, with the names of then.
  it(
    'leave no event of later with a name, no job, and no line in a log, where all that is planted is found',
    () => expectNothingOutsideStores(lives, pulso, lines),
    SET_UP_MS,
  );
});
