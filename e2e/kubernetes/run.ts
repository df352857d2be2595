import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { until } from '@pulso/platform/testing/until';
import { expect } from '@playwright/test';
import { Cluster, NAMESPACE } from './cluster.js';
import { processSelector, untilEnded } from './processes.js';
import { runCommand, tryCommand } from './run-command.js';
import type { Figures, Scenario } from './scenario.js';
import { SCENARIOS } from './scenarios/index.js';
import { watchImages } from './watch-images.js';

interface Outcome {
  name: string;
  outcome: 'passed' | 'failed' | 'not run';
  seconds: number;
  figures?: Figures;
  why?: string;
}

/** Names of clusters that are made for a while on one machine. */
const DISPOSABLE = /^(kind|k3d)-|^minikube$/;
/** Limits that no request reaches, but that are counted. */
const LIMITS = { RATE_LIMIT_FACTOR: '1000' };
const GONE_MS = 300_000;
/** Until Pulso is ready again after a scenario that has failed. */
const REPAIR_MS = 300_000;
const root = join(fileURLToPath(import.meta.url), '../../../..');

// The mixes of e2e/support check their answers by Jest's global; here is no Jest.
Object.assign(globalThis, { expect });

/**
 * The proof on a cluster: `npm run kubernetes`. Deploys Pulso, runs the scenarios, prints their figures, and takes Pulso away, also after a
 * failure or a signal. @returns whether all has passed
 */
export async function runKubernetesProof(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      context: { type: 'string' },
      outside: { type: 'string' },
      keep: { type: 'boolean', default: false },
      reuse: { type: 'boolean', default: false },
      rate: { type: 'string' },
    },
  });
  const scenarios = chosen(values.only, values.reuse);
  const ending = new AbortController();
  const cluster = new Cluster(
    root,
    await contextOf(values.context),
    ending.signal,
    outsideOf(values.outside),
    rateOf(values.rate),
  );
  if (!values.reuse) await refuseWhatIsThere(cluster);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      console.log(`${name}: ends${values.keep || values.reuse ? '' : ' and takes Pulso away'}`);
      ending.abort(new Error(name));
    });
  }
  const startedAt = performance.now();
  const outcomes: Outcome[] = [];
  let left = 'everything';
  const over = new AbortController();
  const watched = watchImages(cluster, over.signal).catch((error: unknown) => ending.abort(error));
  const isDeployed = !scenarios.some(({ name }) => name === 'deploy');
  try {
    cluster.skaffold.set({ gateway: LIMITS });
    if (isDeployed)
      await limitGateway(
        cluster,
        Object.entries(LIMITS).map((pair) => pair.join('=')),
      );
    await runAll(cluster, scenarios, outcomes);
  } finally {
    over.abort();
    await watched;
    await cluster.close();
    if (isDeployed)
      await limitGateway(
        cluster.afterwards(),
        Object.keys(LIMITS).map((name) => `${name}-`),
      );
    if (!values.keep && !values.reuse) left = await takeAway(cluster);
    cluster.skaffold.close();
    const minutes = Math.round((performance.now() - startedAt) / 6_000) / 10;
    console.log(JSON.stringify({ context: cluster.context, minutes, left, scenarios: outcomes }, null, 2));
  }
  return outcomes.every(({ outcome }) => outcome === 'passed');
}

/** The scenarios of `--only`. Without `--reuse` `deploy` is among them, as the others find nothing without it. */
function chosen(only: string | undefined, reuse: boolean): readonly Scenario[] {
  if (only === undefined) return SCENARIOS;
  const names = new Set([...only.split(','), ...(reuse ? [] : ['deploy'])]);
  const known = SCENARIOS.map(({ name }) => name);
  const unknown = [...names].filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`There is no ${unknown.join(', ')}. There are: ${known.join(', ')}`);
  return SCENARIOS.filter(({ name }) => names.has(name));
}

/** Requests a second of the load. */
function rateOf(asked: string | undefined): number | undefined {
  if (asked === undefined) return undefined;
  const rate = Number(asked);
  if (!Number.isInteger(rate) || rate < 1)
    throw new Error(`--rate is a number of requests a second, not ${asked}`);
  return rate;
}

/** kubectl's present context, which has to be of a cluster that may be thrown away; or the one that is asked for, whichever it is. */
async function contextOf(asked: string | undefined): Promise<string> {
  if (asked) return asked;
  const present = (await runCommand('kubectl', ['config', 'current-context'])).stdout.trim();
  if (DISPOSABLE.test(present)) return present;
  throw new Error(
    `The proof deletes and breaks what it has deployed. --context ${present} says that this cluster may be used for it.`,
  );
}

/** `<address>:<port>` of something that listens outside of the cluster. */
function outsideOf(asked: string | undefined): { address: string; port: number } | undefined {
  if (asked === undefined) return undefined;
  const [, address, port] = /^(.+):(\d+)$/.exec(asked) ?? [];
  if (!address)
    throw new Error(`--outside is an address and a port, such as 192.0.2.1:8000, and not ${asked}`);
  return { address, port: Number(port) };
}

async function refuseWhatIsThere(cluster: Cluster): Promise<void> {
  if (!(await isThere(cluster))) return;
  throw new Error(
    `There is a namespace ${NAMESPACE} in ${cluster.context}, which the proof would delete at its end. --reuse runs the proof on it, and leaves it.`,
  );
}

async function isThere({ context }: Cluster): Promise<boolean> {
  const args = [
    '--context',
    context,
    'get',
    'namespace',
    NAMESPACE,
    '--ignore-not-found',
    '--output',
    'name',
  ];
  return (await runCommand('kubectl', args)).stdout.trim() !== '';
}

/** Sets limits of the gateway that is there, or takes them away. @param words of `kubectl set env` */
async function limitGateway(cluster: Cluster, words: readonly string[]): Promise<void> {
  await cluster.kubectl(['set', 'env', 'deployment/gateway', ...words]);
  await cluster.untilRolledOut('gateway');
  // For a while the pod before it answers, too.
  await untilEnded(cluster, processSelector('gateway'));
}

async function runAll(cluster: Cluster, scenarios: readonly Scenario[], outcomes: Outcome[]): Promise<void> {
  let broken: string | undefined;
  for (const { name, shows, run } of scenarios) {
    if (broken ?? cluster.signal.aborted) {
      const why = broken ?? (cluster.signal.reason as Error).message;
      outcomes.push({ name, outcome: 'not run', seconds: 0, why });
      continue;
    }
    console.log(`\n${name}: ${shows}`);
    const startedAt = performance.now();
    const seconds = () => Math.round((performance.now() - startedAt) / 1000);
    try {
      const figures = await run(cluster);
      outcomes.push({ name, outcome: 'passed', seconds: seconds(), figures });
      for (const [what, figure] of Object.entries(figures)) console.log(`  ${what}: ${figure}`);
      console.log(`  passed (${seconds()} s)`);
    } catch (error) {
      const why = (error as Error).message;
      outcomes.push({ name, outcome: 'failed', seconds: seconds(), why });
      console.log(`  failed: ${why}`);
      broken = await whatIsBroken(cluster, name);
    }
  }
}

/** Why the scenarios after a failed one cannot run; undefined when they can. */
async function whatIsBroken(cluster: Cluster, name: string): Promise<string | undefined> {
  try {
    await cluster.untilAllReady(REPAIR_MS);
    return undefined;
  } catch (error) {
    return `after ${name}: ${(error as Error).message}`;
  }
}

/** @returns what is left: `nothing`, or why it could not be taken away */
async function takeAway(cluster: Cluster): Promise<string> {
  console.log('\nTaking Pulso away');
  try {
    await cluster.skaffold.delete();
    const isGone = async () => !(await isThere(cluster));
    await until(isGone, { what: `the end of the namespace ${NAMESPACE}`, limit: GONE_MS });
    const volumes = await tryCommand('kubectl', [
      '--context',
      cluster.context,
      'get',
      'persistentvolumes',
      '--output',
      'json',
    ]);
    const { items } = JSON.parse(volumes.stdout) as {
      items: { spec: { claimRef?: { namespace: string } } }[];
    };
    const held = items.filter(({ spec }) => spec.claimRef?.namespace === NAMESPACE).length;
    return held === 0 ? 'nothing' : `${held} volumes that are being released`;
  } catch (error) {
    process.exitCode = 1;
    return `what skaffold delete has left: ${(error as Error).message}`;
  }
}
