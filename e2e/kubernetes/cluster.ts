import { type ChildProcess, spawn } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '@pulso/platform/testing/until';
import { type Condition, type Pod, deploymentsReady, isReady, newestLast, shortState } from './pods.js';
import { type CommandOptions, type Ended, runCommand, tryCommand } from './run-command.js';
import { Skaffold } from './skaffold.js';

export const NAMESPACE = 'pulso';
/** Until everything is ready, or gone: the deadline of the Deployments themselves. */
export const ROLLOUT_MS = 900_000;
const FORWARD_MS = 30_000;
/** Requests a second, where nothing else is asked for. */
const PER_SECOND = 100;

/** Which pods: `-l` of kubectl, such as `app.kubernetes.io/name=posts`. */
export type Selector = string;

export interface ExecOptions extends CommandOptions {
  container?: string;
  namespace?: string;
}

/** Any object of Kubernetes. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}

export interface Forward {
  /** `http://127.0.0.1:<port>` */
  url: string;
  port: number;
  close(): Promise<void>;
}

/** The cluster of a context of kubectl's, with Pulso in the namespace `pulso`. Everything has a limit, and says what it waited for. */
export class Cluster {
  readonly skaffold: Skaffold;
  private readonly forwards = new Set<Forward>();

  /**
   * @param root the repository
   * @param signal ends all that runs when it is aborted
   * @param outside where something listens that is not of the cluster
   * @param perSecond requests a second of the load
   */
  constructor(
    readonly root: string,
    readonly context: string,
    readonly signal: AbortSignal,
    readonly outside?: { address: string; port: number },
    readonly perSecond = PER_SECOND,
  ) {
    // Each command under way listens.
    setMaxListeners(0, signal);
    this.skaffold = new Skaffold(root, context, signal);
  }

  /** The same cluster for what has to be tidied up after the signal. */
  afterwards(): Cluster {
    return new Cluster(this.root, this.context, new AbortController().signal);
  }

  /** Runs kubectl in the namespace, and returns what it prints. Rejects with `CommandFailed`. */
  async kubectl(args: readonly string[], options: CommandOptions = {}): Promise<string> {
    return (await runCommand('kubectl', this.argumentsOf(args), { signal: this.signal, ...options })).stdout;
  }

  /** Runs kubectl, whether it succeeds or fails. */
  tryKubectl(args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
    return tryCommand('kubectl', this.argumentsOf(args), { signal: this.signal, ...options });
  }

  /** What `kubectl get <words> -o json` shows: an object, or `{ items }`. */
  async get<T>(...words: string[]): Promise<T> {
    return JSON.parse(await this.kubectl(['get', ...words, '--output', 'json'])) as T;
  }

  /** Applies objects of Kubernetes, in the namespace that they name. */
  async apply(...objects: object[]): Promise<void> {
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
    const args = ['--context', this.context, 'apply', '--filename', '-'];
    await runCommand('kubectl', args, { signal: this.signal, input });
  }

  /** The objects of a kustomization. @param folder within the repository */
  async render(folder: string): Promise<KubernetesObject[]> {
    const input = await this.kubectl(['kustomize', join(this.root, folder)]);
    const args = ['create', '--dry-run=client', '--validate=false', '--output', 'json', '--filename', '-'];
    const printed = await this.kubectl(args, { input });
    // One object after the other.
    return printed.split(/(?<=^\})\n(?=\{)/m).map((text) => JSON.parse(text) as KubernetesObject);
  }

  /** The pods that are not about to go, oldest first. */
  async pods(selector: Selector = 'app.kubernetes.io/part-of=pulso'): Promise<Pod[]> {
    const { items } = await this.get<{ items: Pod[] }>('pods', '--selector', selector);
    return items.filter(({ metadata }) => !metadata.deletionTimestamp).toSorted(newestLast);
  }

  /** The pods that run and are not of Jobs: those of the processes and engines. */
  async running(): Promise<Pod[]> {
    const isOfJob = ({ metadata }: Pod) =>
      metadata.ownerReferences?.some(({ kind }) => kind === 'Job') ?? false;
    return (await this.pods('')).filter((pod) => pod.status.phase === 'Running' && !isOfJob(pod));
  }

  /** Runs a command in a pod, and returns what it prints. @param target a pod's name, or `deployment/<name>` */
  exec(
    target: string,
    command: readonly string[],
    { container, namespace, ...options }: ExecOptions = {},
  ): Promise<string> {
    const flags = [
      ...(container ? ['--container', container] : []),
      ...(namespace ? ['--namespace', namespace] : []),
      ...(options.input === undefined ? [] : ['--stdin']),
    ];
    return this.kubectl(['exec', ...flags, target, '--', ...command], options);
  }

  /** Runs a program of one line by the `node` of a pod. */
  node(target: string, program: string, options: ExecOptions = {}): Promise<string> {
    return this.exec(target, ['node', '--input-type=module', '--eval', program], options);
  }

  /** The log of a pod, or of `deployment/<name>`. @param flags such as `--previous`, `--container=schema` */
  logs(target: string, ...flags: string[]): Promise<string> {
    return this.kubectl(['logs', target, ...flags]);
  }

  /** Restarts a Deployment and waits until its new pods alone are there. */
  async rollout(deployment: string): Promise<void> {
    await this.kubectl(['rollout', 'restart', `deployment/${deployment}`]);
    await this.untilRolledOut(deployment);
  }

  async untilRolledOut(deployment: string, limit = ROLLOUT_MS): Promise<void> {
    const flag = `--timeout=${Math.ceil(limit / 1000)}s`;
    await this.kubectl(['rollout', 'status', `deployment/${deployment}`, flag], { limit: limit + 10_000 });
  }

  /** Resolves with the pods that the selector names when there are some and all are ready. */
  async untilReady(selector: Selector, limit = ROLLOUT_MS): Promise<Pod[]> {
    let seen: Pod[] = [];
    const areReady = async () => {
      seen = await this.pods(selector);
      return seen.length > 0 && seen.every(isReady) && seen;
    };
    const what = () => `ready pods of ${selector}; there were ${seen.map(shortState).join(', ') || 'none'}`;
    return until(() => this.slowly(areReady), { what, limit });
  }

  /** Resolves when every Deployment and StatefulSet of Pulso has all its pods, new and ready. */
  async untilAllReady(limit = ROLLOUT_MS): Promise<void> {
    let waiting: string[] = [];
    const areReady = async () => {
      const { items } = await this.get<{ items: Condition[] }>('deployments,statefulsets');
      waiting = items.filter((item) => !deploymentsReady(item)).map(({ metadata }) => metadata.name);
      return items.length > 0 && waiting.length === 0;
    };
    await until(() => this.slowly(areReady), { what: () => `ready pods of ${waiting.join(', ')}`, limit });
  }

  /**
   * Forwards a port of this machine to a Service's, or to that of `pod/<name>`; it stays with one pod. `close` of the cluster ends it,
   * too.
   */
  async forward(service: string, port: number): Promise<Forward> {
    const target = service.includes('/') ? service : `service/${service}`;
    const args = this.argumentsOf(['port-forward', target, `:${port}`]);
    const child = spawn('kubectl', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const lines: string[] = [];
    let local: number | undefined;
    const read = (line: string) => {
      lines.push(line);
      const [, found] = /^Forwarding from 127\.0\.0\.1:(\d+)/.exec(line) ?? [];
      if (found) local = Number(found);
    };
    for (const output of [child.stdout, child.stderr]) createInterface({ input: output }).on('line', read);
    const forward = { url: '', port: 0, close: () => this.end(child, forward) };
    this.forwards.add(forward);
    const what = () => `a forwarded port of ${service}:${port}, which says ${lines.join(' ')}`;
    const open = () => {
      if (child.exitCode !== null) throw new Error(`kubectl port-forward ended: ${lines.join(' ')}`);
      return local;
    };
    forward.port = await until(open, { what, limit: FORWARD_MS });
    forward.url = `http://127.0.0.1:${forward.port}`;
    return forward;
  }

  /** Ends the forwarded ports. */
  async close(): Promise<void> {
    await Promise.all([...this.forwards].map((forward) => forward.close()));
  }

  private async end(child: ChildProcess, forward: Forward): Promise<void> {
    this.forwards.delete(forward);
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Asks kubectl no more than once a second. */
  private async slowly<T>(ask: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    const answer = await ask();
    if (!answer) await new Promise((resolve) => setTimeout(resolve, 1_000));
    return answer;
  }

  private argumentsOf(args: readonly string[]): string[] {
    return ['--context', this.context, '--namespace', NAMESPACE, ...args];
  }
}
