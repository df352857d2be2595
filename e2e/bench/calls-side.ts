import { basename, resolve } from 'node:path';
import autocannon, { type Client } from 'autocannon';
import { cpuOfTree, memoryOfTree, type Shares } from '../support/tree-usage.js';
import { type Profile, startCheckout } from './bench-checkout.js';
import { type Call, seedCalls } from './calls-seed.js';

export const CONNECTIONS = 10;

/** Other work on the machine must not make Pulso refuse calls. */
const SETTINGS = { MAX_EVENT_LOOP_DELAY_MS: '10000' };

/** What one side did under one load. Times in ms. */
export interface Load {
  requests: number;
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** Errors, and answers of 400 and above. */
  failed: number;
}

/** What is measured, a Pulso or a yardstick, with the calls that it has. */
export interface Side {
  name: string;
  loads: Map<string, (seconds: number) => Promise<Load>>;
  /** CPU-ms until now. */
  cpu(): Shares;
  stop(): Promise<void>;
}

export interface PulsoSide extends Side {
  /** Fills it and finds out which calls it has. Resolves to what it answers to the first one. */
  seed(): Promise<string>;
  /** MiB now. */
  memory(): ReturnType<typeof memoryOfTree>;
}

/** An empty Pulso of a checkout, without calls until it is seeded. */
export async function startPulsoSide(root: string, port: number, profile: Profile): Promise<PulsoSide> {
  const { url, pid, directory, stop } = await startCheckout(resolve(root), port, {
    profile,
    settings: SETTINGS,
  });
  const name = basename(resolve(root));
  const loads: Side['loads'] = new Map();
  return {
    name,
    loads,
    async seed() {
      const calls = await seedCalls(url);
      for (const call of calls) {
        if (await isKnown(url, call)) loads.set(call.name, (seconds) => loadOf(url, call, seconds));
        else console.log(`${name} has no ${call.name}`);
      }
      const [first] = calls as [Call];
      return (await fetch(`${url}${first.requests[0]!.path}`, toFetch(first))).text();
    },
    cpu: () => cpuOfTree(pid, directory),
    memory: () => memoryOfTree(pid, directory),
    stop,
  };
}

/** Older checkouts may lack a call. */
async function isKnown(url: string, call: Call): Promise<boolean> {
  const answer = await fetch(`${url}${call.requests[0]!.path}`, toFetch(call));
  await answer.arrayBuffer();
  return answer.status < 400;
}

function toFetch({ requests }: Call): RequestInit {
  const { method, headers, body } = requests[0]!;
  return { method: method!, headers: headers as Record<string, string>, body: body as string | undefined };
}

/** Each connection begins at another of the requests, else all would send the same one at once. */
export async function loadOf(url: string, call: Call, seconds: number): Promise<Load> {
  const { requests, connections } = call;
  let started = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests,
    setupClient(client: Client) {
      const first = Math.floor((requests.length / connections) * started) & ~1;
      started += 1;
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
    },
  });
  return {
    requests: result.requests.total,
    requestsPerSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.errors + result['4xx'] + result['5xx'],
  };
}

export const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
