import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type CommandOptions, runCommand } from './run-command.js';

/** By process: settings in place of those of kind. */
export type Settings = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Deployed {
  buildSeconds: number;
  /** From the end of the builds until all pods are ready. */
  rolloutSeconds: number;
}

/** Of skaffold.yaml: what the kind overlay is. Without a module Skaffold takes those, too, that nobody has asked for. */
const WHOLE = ['pulso'];
const KIND = 'kind';
const OVERLAYS = 'deploy/kubernetes/overlays/kind';
const RUN_MS = 1_500_000;
const DELETE_MS = 300_000;
/** What Skaffold says when all is built. */
const BUILT = /^Starting (pre-)?deploy/i;

/** What is deployed only when somebody asks for it is a module of its own with a profile of its name. */
const ON_ITS_OWN = ['backup', 'payments'];

/** These two are deployed by it as well. */
const PAYING = { module: 'payments', processes: ['billing', 'gateway'] };

/** The modules of skaffold.yaml that deploy a process; a worker is in that of its service. */
function modulesOf(process: string): string[] {
  const own = process.replace(/-(mail|video)$/, '');
  return PAYING.processes.includes(process) ? [own, PAYING.module] : [own];
}

/**
 * Skaffold with the skaffold.yaml of the tree. Other settings come by a copy of that file and by kustomizations over those of the tree,
 * which lie in a folder of their own: no file of the tree is changed.
 */
export class Skaffold {
  private made: string | undefined;
  private settings: Settings = {};

  /** @param root the repository */
  constructor(
    private readonly root: string,
    private readonly context: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Sets settings for all later calls of `run`; those of other processes stay. */
  set(settings: Settings): void {
    this.settings = { ...this.settings, ...settings };
  }

  /** Builds and deploys all of Pulso, or these modules, of which `backup` and `payments` come alone; resolves when their pods are ready. */
  async run({
    modules = WHOLE,
    onLine,
  }: { modules?: readonly string[]; onLine?: (line: string) => void } = {}) {
    const startedAt = performance.now();
    let builtAt: number | undefined;
    const read = (line: string) => {
      if (BUILT.test(line)) builtAt ??= performance.now();
      onLine?.(line);
    };
    const profile = modules.find((module) => ON_ITS_OWN.includes(module)) ?? KIND;
    await this.skaffold(['run', '--module', modules.join(','), '--profile', profile], {
      limit: RUN_MS,
      onLine: read,
    });
    if (builtAt === undefined) throw new Error('skaffold run has not said when it began to deploy');
    const seconds = (from: number, to: number) => Math.round((to - from) / 100) / 10;
    return {
      buildSeconds: seconds(startedAt, builtAt),
      rolloutSeconds: seconds(builtAt, performance.now()),
    } satisfies Deployed;
  }

  /** Takes everything away that `run` has deployed, with the namespace. Also after the signal. */
  async delete(): Promise<void> {
    await this.skaffold(['delete', '--profile', KIND], { limit: DELETE_MS, signal: undefined });
  }

  close(): void {
    if (this.made) rmSync(this.made, { recursive: true, force: true });
  }

  private get folder(): string {
    return (this.made ??= realpathSync(mkdtempSync(join(tmpdir(), 'pulso-kubernetes-'))));
  }

  private async skaffold(args: readonly string[], options: CommandOptions): Promise<void> {
    const flags = ['--filename', this.configuration(), '--kube-context', this.context];
    await runCommand('skaffold', [...args, ...flags], { cwd: this.root, signal: this.signal, ...options });
  }

  /** The path of a skaffold.yaml whose modules have the settings. */
  private configuration(): string {
    let text = readFileSync(join(this.root, 'skaffold.yaml'), 'utf8');
    for (const module of new Set(Object.keys(this.settings).flatMap(modulesOf))) {
      const path = new RegExp(`(paths: \\[[^\\]]*)${OVERLAYS}/${module}(?=[,\\]])`);
      if (!path.test(text)) throw new Error(`skaffold.yaml has no ${OVERLAYS}/${module}`);
      text = text.replace(path, (_, before: string) => before + this.overlay(module));
    }
    const file = join(this.folder, 'skaffold.yaml');
    writeFileSync(file, text);
    return file;
  }

  /** A kustomization over that of a module, with the settings. */
  private overlay(module: string): string {
    const folder = join(this.folder, module);
    mkdirSync(folder, { recursive: true });
    const own = Object.entries(this.settings).filter(([process]) => modulesOf(process).includes(module));
    const kustomization = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      namespace: 'pulso',
      resources: [relative(folder, realpathSync(join(this.root, OVERLAYS, module)))],
      configMapGenerator: own.map(([name, settings]) => ({
        name,
        behavior: 'merge',
        literals: Object.entries(settings).map(([key, value]) => `${key}=${value}`),
      })),
    };
    // JSON is YAML, too.
    writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization, null, 2));
    return folder;
  }
}
