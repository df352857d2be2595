import { setTimeout as pause } from 'node:timers/promises';
import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { type NativeEngines, startNativeEngines } from '../../tools/engines/native.mjs';
import { aLife, type Life } from '../support/a-life.js';
import { type ClusterUnderTest, startClusterPulso } from '../support/cluster-pulso.js';
import { tracesInRedis, tracesInTopics } from '../support/cluster-traces.js';
import { tracesOf } from '../support/personal-traces.js';
import { withClients } from '../support/test-pulso.js';
import { waitFor } from '../support/wait-for.js';

const SET_UP_MS = 300_000;
/** How long each is away. */
const AWAY_MS = 10_000;
const ERASED_MS = 180_000;
/** What a relay had read before the erasure is published within this time. */
const LATE_MS = 5_000;
const ENGINE_NAMES = ['kafka', 'redis', 'postgres', 'objects'] as const;
const IDS_OF_MEDIA = new Set(['posts.posts', 'posts.videos', 'media.videos', 'media.known_posts']);

// Rule: ACCT-34
describe('erasures while services and engines are away in turn', () => {
  let engines: NativeEngines;
  let pulso: ClusterUnderTest;
  /** Each with the time when the erasure was answered. */
  const lives: (Life & { erasedAt: number })[] = [];
  beforeAll(async () => {
    engines = await startNativeEngines();
    pulso = await startClusterPulso({ engines });
  }, SET_UP_MS);
  afterAll(async () => {
    await pulso?.close();
    await engines?.stop();
  }, SET_UP_MS);

  const erasureOf = ({ ada }: Life) => pulso.operate('identity', 'erasures', ada.userId);
  /** Erases somebody while `away` brings about that something is away, and waits until it is complete. */
  const eraseWhile = async (mark: string, away: () => Promise<() => Promise<void>>) => {
    const life = await aLife(withClients(pulso), mark);
    const answer = await life.ada.call('DELETE', '/api/me', { password: 'correct horse' });
    expect(answer.status).toBe(202);
    const erasedAt = Date.now();
    const back = await away();
    try {
      await pause(AWAY_MS);
    } finally {
      await back();
    }
    const untilComplete = () => erasureOf(life).catch((error: unknown) => String(error));
    await waitFor(untilComplete, (line) => line.includes('complete'), {
      what: `the end of the erasure of ${mark}`,
      limit: ERASED_MS,
    });
    lives.push({ ...life, erasedAt });
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
      const kept = lives.flatMap((life) => life.kept.map(({ needle, where }) => `${needle} in ${where}`));
      const needles = lives.flatMap(({ gone, kept: some }) => [...gone, ...some.map(({ needle }) => needle)]);
      const isId = (needle: string) => /^[0-9a-f-]{36}$/.test(needle);
      const wrong = async () =>
        (await tracesOf(needles, pulso)).filter(
          ({ needle, where }) =>
            !where.startsWith('bus.') &&
            !kept.includes(`${needle} in ${where}`) &&
            !(isId(needle) && IDS_OF_MEDIA.has(where)),
        );
      await waitFor(wrong, (found) => found.length === 0, {
        what: 'nothing of the erased',
        limit: ERASED_MS,
      });
    },
    SET_UP_MS,
  );

  // Events that were published before are kept for 7 days, with the names of then.
  it(
    'leave no event of later with a name, no job, and no line in a log',
    async () => {
      const needles = lives.flatMap(({ gone }) => gone);
      const events = await tracesInTopics(needles, pulso.kafka);
      // It is able to find: the states of before are there.
      expect(events.length).toBeGreaterThan(0);
      const late = events.filter(({ needle, at }) => {
        const { erasedAt } = lives.find(({ gone }) => gone.some((one) => one.toLowerCase() === needle))!;
        return at > erasedAt + LATE_MS;
      });
      expect(late).toEqual([]);
      expect(await tracesInRedis(needles, pulso.redisUrl)).toEqual([]);
      const lines = Object.values(pulso.processes)
        .flat()
        .map(({ output }) => output.toLowerCase());
      expect(needles.filter((needle) => lines.some((line) => line.includes(needle.toLowerCase())))).toEqual(
        [],
      );
    },
    SET_UP_MS,
  );
});
