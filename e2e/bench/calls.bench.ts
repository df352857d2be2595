import { setTimeout as delay } from 'node:timers/promises';
import type { Shares } from '../support/tree-usage.js';
import type { Profile } from './bench-checkout.js';
import { type PulsoSide, quantile, type Side, startPulsoSide } from './calls-side.js';
import { startBareFeed, startSelects } from './calls-yardsticks.js';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const IDLE_SECONDS = Number(process.env.BENCH_IDLE_SECONDS ?? 15);
/** V8 compiles what is called often: the first ten seconds of a write cost twice what it costs later. */
const WARM_UP_SECONDS = 3;
const MAX_WARM_UP_ROUNDS = 6;
/** Names of calls, separated by commas; all unless given. */
const CALLS = process.env.BENCH_CALLS?.split(',');
/** How long relays and projections may work on after writes. */
const REST_TIMEOUT_MS = 20_000;
const REST_STEP_MS = 500;

/** Times of answers in ms. */
interface Round {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  failed: number;
  /** CPU-ms of all processes a request. */
  cpuMs: number;
  /** CPU-ms a request less what is used at rest in the same time. */
  netCpuMs: Shares;
}

/**
 * What calls of the API cost in CPU-ms a request over the whole process tree of `npm start` or of `npm run start:cluster`, its
 * engines included: of one checkout or of several in alternating rounds, and of yardsticks in the same rounds. Work that goes on
 * behind the answer counts. Each figure is the least, the median and the most of the rounds. Also what a Pulso uses at rest, and
 * the MiB that it has before the seed, after it and after all rounds.
 *
 * @param checkouts folders
 */
export async function runCallsBench(
  checkouts: readonly string[],
  ports: readonly number[],
  profile: Profile,
): Promise<object> {
  const sides: Side[] = [];
  try {
    const pulsos: PulsoSide[] = [];
    for (const [index, root] of checkouts.entries()) {
      const pulso = await startPulsoSide(root, ports[index]!, profile);
      sides.push(pulso);
      pulsos.push(pulso);
    }
    const memory = { empty: await memoryOf(pulsos), seeded: {}, afterRounds: {} };
    const samples: string[] = [];
    for (const pulso of pulsos) samples.push(await pulso.seed());
    sides.push(await startBareFeed(samples[0]!), await startSelects());
    const idle = await measureIdle(sides);
    const idleCpuMsPerSecond = Object.fromEntries(
      [...idle].map(([{ name }, shares]) => [name, mapped(shares, rounded)]),
    );
    memory.seeded = await memoryOf(pulsos);
    console.log('idle', JSON.stringify(idleCpuMsPerSecond));
    const calls = await measure(sides, idle);
    memory.afterRounds = await memoryOf(pulsos);
    console.log('memory', JSON.stringify(memory));
    return { profile, seconds: SECONDS, idleCpuMsPerSecond, memoryMib: memory, calls };
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
  }
}

/** MiB at rest, by the side's name. */
async function memoryOf(pulsos: readonly PulsoSide[]): Promise<object> {
  for (const pulso of pulsos) await untilAtRest(pulso);
  return Object.fromEntries(
    pulsos.map((pulso) => {
      const { pss, rss } = pulso.memory();
      return [pulso.name, { pss: mapped(pss, Math.round), rss: mapped(rss, Math.round) }];
    }),
  );
}

/** CPU-ms a second at rest. */
async function measureIdle(sides: readonly Side[]): Promise<Map<Side, Shares>> {
  for (const side of sides) await untilAtRest(side);
  const before = sides.map((side) => side.cpu());
  await delay(IDLE_SECONDS * 1_000);
  return new Map(
    sides.map((side, index) => [side, mapped(spent(before[index]!, side.cpu()), (ms) => ms / IDLE_SECONDS)]),
  );
}

async function measure(sides: readonly Side[], idle: ReadonlyMap<Side, Shares>): Promise<object> {
  const names = [...new Set(sides.flatMap(({ loads }) => [...loads.keys()]))].filter(
    (name) => CALLS?.includes(name) ?? true,
  );
  const report: Record<string, Record<string, object>> = {};
  for (const name of names) {
    const having = sides.filter(({ loads }) => loads.has(name));
    const rounds = new Map<Side, Round[]>(having.map((side) => [side, []]));
    for (const side of having) await warmUp(side, name);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const side of having) rounds.get(side)!.push(await measureRound(side, name, idle.get(side)!));
    }
    report[name] = Object.fromEntries(having.map((side) => [side.name, summary(rounds.get(side)!)]));
    console.log(name, JSON.stringify(report[name]));
  }
  return report;
}

/** Until a round is no more than a twentieth cheaper than the one before it. */
async function warmUp(side: Side, call: string): Promise<void> {
  for (let [round, last] = [0, Infinity]; round < MAX_WARM_UP_ROUNDS; round += 1) {
    const before = side.cpu().all;
    const { requests } = await side.loads.get(call)!(WARM_UP_SECONDS);
    const cost = (side.cpu().all - before) / requests;
    if (cost > last * 0.95) return;
    last = cost;
  }
}

async function measureRound(side: Side, call: string, idle: Shares): Promise<Round> {
  await untilAtRest(side, idle.all);
  const [before, began] = [side.cpu(), performance.now()];
  const { requests, ...load } = await side.loads.get(call)!(SECONDS);
  await untilAtRest(side, idle.all);
  const used = spent(before, side.cpu());
  const elapsedS = (performance.now() - began) / 1_000;
  return {
    ...load,
    cpuMs: used.all / requests,
    netCpuMs: mapped(used, (ms, name) => (ms - (idle[name] ?? 0) * elapsedS) / requests),
  };
}

/**
 * Until a step of time takes no more CPU than the one before it, and little more than at rest. Goes on after a limit: some side
 * may never rest.
 *
 * @param idleMsPerS CPU-ms a second at rest, where they are known
 */
async function untilAtRest({ cpu }: Side, idleMsPerS = 0): Promise<void> {
  const end = performance.now() + REST_TIMEOUT_MS;
  const enough = REST_STEP_MS / 4 + (idleMsPerS * REST_STEP_MS) / 1_000;
  for (let [at, last] = [cpu().all, Infinity]; performance.now() < end;) {
    await delay(REST_STEP_MS);
    const now = cpu().all;
    const step = now - at;
    if (step <= last * 1.1 && step < enough) return;
    [at, last] = [now, step];
  }
}

const rounded = (figure: number) => Number(figure.toPrecision(3));

const mapped = (shares: Shares, map: (figure: number, name: string) => number): Shares =>
  Object.fromEntries(
    Object.entries(shares).map(([name, figure]) => [name, map(figure, name)]),
  ) as unknown as Shares;

/** A process that `before` does not know has begun since. */
const spent = (before: Shares, after: Shares): Shares =>
  mapped(after, (ms, name) => ms - (before[name] ?? 0));

/** `[least, median, most]` of each figure. Shares of less than a hundredth of the cost are left out. */
function summary(rounds: readonly Round[]): object {
  const spread = (figureOf: (round: Round) => number) => {
    const sorted = rounds.map(figureOf).sort((a, b) => a - b);
    return [0, 0.5, 1].map((share) => rounded(quantile(sorted, share)));
  };
  const [, cost] = spread(({ netCpuMs }) => netCpuMs.all);
  const shares = Object.keys(rounds.at(-1)!.netCpuMs)
    .map((name) => [name, spread(({ netCpuMs }) => netCpuMs[name] ?? 0)] as const)
    .filter(([, [, median]]) => Math.abs(median!) >= cost! / 100);
  return {
    requestsPerSecond: spread((round) => round.requestsPerSecond),
    p50: spread((round) => round.p50),
    p99: spread((round) => round.p99),
    cpuMs: spread((round) => round.cpuMs),
    netCpuMs: Object.fromEntries(shares),
    failed: spread((round) => round.failed),
  };
}
