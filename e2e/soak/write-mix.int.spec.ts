import { setInterval } from 'node:timers/promises';
import { type NativeEngines, startNativeEngines } from '../../tools/engines/native.mjs';
import { ApiClient } from '../support/api-client.js';
import { type ClusterUnderTest, startClusterPulso } from '../support/cluster-pulso.js';
import { withSeed } from '../support/dice.js';
import { handledEvents, lagP99 } from '../support/event-lag.js';
import { expectIntact } from '../support/expect-intact.js';
import { type MemorySample, memoryOf, trendOf } from '../support/memory.js';
import { metricOf, samplesOf } from '../support/operations.js';
import { runPacedMix } from '../support/paced-mix.js';
import { newLedger } from '../support/write-mix.js';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 60);
const RATE = Number(process.env.SOAK_RATE ?? 200);
/** Caches fill and code is compiled in this time. */
const WARM_UP_MINUTES = Math.min(10, MINUTES / 3);
const SAMPLE_MS = Math.min(10_000, MINUTES * 1_000);
const SET_UP_MS = 300_000;

describe(withSeed('a cluster under a steady mix of writes'), () => {
  const names = Array.from({ length: 40 }, (_, index) => `writer-${index}`);
  const ledger = newLedger();
  let engines: NativeEngines;
  let pulso: ClusterUnderTest;

  beforeAll(async () => {
    engines = await startNativeEngines();
    pulso = await startClusterPulso({ engines });
    for (const name of names) await new ApiClient(pulso.url).signUp(name);
    await pulso.drainEvents();
  }, SET_UP_MS);
  afterAll(async () => {
    await pulso?.close();
    await engines?.stop();
  }, SET_UP_MS);

  it(
    `keeps every event, and no memory, for ${MINUTES} minutes at ${RATE} writes a second`,
    async () => {
      const members = Object.values(pulso.processes).flat();
      const pids = members.map(({ pid }) => pid);
      const memory = new Map<string, MemorySample[]>();
      const note = (name: string, minute: number, mib: number) =>
        memory.set(name, [...(memory.get(name) ?? []), { minute, mib }]);
      let over = false;
      let warm: Awaited<ReturnType<typeof handledEvents>> | undefined;
      const startedAt = performance.now();
      const sampling = (async () => {
        for await (const _tick of setInterval(SAMPLE_MS)) {
          if (over) return;
          const minute = (performance.now() - startedAt) / 60_000;
          if (minute < WARM_UP_MINUTES) continue;
          warm ??= await handledEvents(pulso.operationsUrls);
          for (const { name, pid, operationsUrl } of members) {
            note(`${name} PSS`, minute, memoryOf(pid).pss);
            const [heap] = await samplesOf(operationsUrl, 'nodejs_heap_size_used_bytes');
            note(`${name} heap`, minute, heap!.value / 2 ** 20);
          }
          note('document store PSS', minute, memoryOf(engines.engines.documents.pid).pss);
        }
      })();
      const mix = await runPacedMix(
        { url: pulso.url, names, ledger, rate: RATE, posts: 2_000 },
        MINUTES * 60,
      ).finally(() => (over = true));
      await sampling;
      await pulso.drainEvents();
      const lags = lagP99(warm!, await handledEvents(pulso.operationsUrls));
      const deadLetters = await metricOf(pulso.operationsUrls, 'pulso_events_dead_lettered_total');
      const trends = [...memory].map(([process, samples]) => ({ process, ...trendOf(samples) }));
      report({ mix, deadLetters, lags, trends });

      expect(deadLetters).toBe(0);
      // A process that ended and came back would hide what it had leaked.
      expect(members.map(({ pid }) => pid)).toEqual(pids);
      expect(mix.unanswered).toEqual([]);
      expect(mix.writes).toBe(Math.ceil(RATE * MINUTES * 60));
      await expectIntact(pulso.url, names, ledger);
      // Growth beyond the process's own noise is a leak on any machine.
      expect(trends.filter(({ flat }) => !flat)).toEqual([]);
    },
    MINUTES * 60_000 * 2 + SET_UP_MS,
  );
});

function report({
  mix,
  deadLetters,
  lags,
  trends,
}: {
  mix: Awaited<ReturnType<typeof runPacedMix>>;
  deadLetters: number;
  lags: ReturnType<typeof lagP99>;
  trends: ({ process: string } & ReturnType<typeof trendOf>)[];
}): void {
  const lines = [
    `${mix.writes} writes acknowledged, ${mix.rate.toFixed(1)} a second, ${mix.unanswered.length} unanswered`,
    `${deadLetters} dead letters`,
    ...[...lags].map(([group, { count, p99 }]) => `${group}: p99 within ${p99 * 1000} ms (${count} events)`),
    `Memory after the first ${WARM_UP_MINUTES.toFixed(1)} minutes:`,
    ...trends.map(
      ({ process: name, mib, mibPerHour, growthMib, noiseMib, flat }) =>
        `${name.padEnd(20)} ${mib.toFixed(1)} MiB, ${mibPerHour.toFixed(2)} MiB/h, grew ${growthMib.toFixed(2)}, noise ${noiseMib.toFixed(2)}${flat ? '' : '  NOT FLAT'}`,
    ),
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
}
