import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { documentStoreUrl } from './wire/document-store-url.js';

export interface DocumentStoreOptions {
  /** The data directory; created when missing. */
  directory: string;
  /** The password of the only user; it is part of the URL. */
  password: string;
  /** 0 or missing: any free port; restarts keep it. */
  port?: number;
  /** Called after every unexpected end of the child, before it is restarted. */
  onExit?: (description: string) => void;
  /** Called when somebody else told the child to end by SIGTERM, SIGINT or SIGHUP. After SIGTERM it has ended. */
  onTold?: () => void;
}

export interface DocumentStore {
  readonly url: string;
  /** The process id of the current child. */
  readonly pid: number;
  /** Ends the child cleanly; after five seconds with SIGKILL. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 5_000;
const RESTART_DELAYS_MS = [0, 100, 300, 1_000, 3_000];

/**
 * Runs the document store (server.ts) in a child process and restarts it on the same port whenever it ends
 * unexpectedly. The child is the built `document-store/main.js`: run the package's build first.
 * @throws when the first start fails, e.g. a taken port or an unreadable directory
 */
export async function startDocumentStore(options: DocumentStoreOptions): Promise<DocumentStore> {
  const supervisor = new Supervisor(options);
  await supervisor.start(options.port ?? 0);
  return supervisor;
}

class Supervisor implements DocumentStore {
  private child: ChildProcess | undefined;
  private port = 0;
  private stopping = false;
  private failures = 0;
  private restart: NodeJS.Timeout | undefined;

  constructor(private readonly options: DocumentStoreOptions) {}

  get url(): string {
    return documentStoreUrl(this.port, this.options.password);
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  async start(port: number): Promise<void> {
    const { directory, password } = this.options;
    const child = fork(mainFile(), [directory, String(port)], {
      env: { ...process.env, DOCUMENT_STORE_PASSWORD: password },
      execArgv: ['--enable-source-maps', '--max-old-space-size=512', '--max-semi-space-size=2'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.child = child;
    this.port = await readyPort(child);
    const startedAt = Date.now();
    child.once('exit', (code, signal) => this.onExit(code, signal, startedAt));
    child.on('message', ({ told }: { told?: string }) => {
      if (told && !this.stopping) this.options.onTold?.();
    });
    if (child.exitCode !== null || child.signalCode !== null)
      this.onExit(child.exitCode, child.signalCode, startedAt);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.restart);
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(force);
  }

  private onExit(code: number | null, signal: NodeJS.Signals | null, startedAt: number): void {
    if (this.stopping) return;
    if (code === 0 && this.options.onTold) {
      this.options.onTold();
      return;
    }
    this.options.onExit?.(`the document store ended unexpectedly (${signal ?? `code ${code}`})`);
    // A child that ran for a while failed for a new reason, so it is restarted at once.
    this.failures = Date.now() - startedAt > 10_000 ? 0 : this.failures + 1;
    this.startAgain();
  }

  private startAgain(): void {
    const delay = RESTART_DELAYS_MS[Math.min(this.failures, RESTART_DELAYS_MS.length - 1)]!;
    this.restart = setTimeout(() => {
      this.start(this.port).catch((error: unknown) => {
        if (this.stopping) return;
        this.failures++;
        this.options.onExit?.(`the document store could not be restarted: ${String(error)}`);
        this.startAgain();
      });
    }, delay);
  }
}

/** Of the folder that this runs from, `bundle` or `dist`; of `dist` when it runs from the sources. */
function mainFile(): string {
  const beside = fileURLToPath(new URL('../document-store/main.js', import.meta.url));
  if (existsSync(beside)) return beside;
  const built = fileURLToPath(new URL('../../dist/document-store/main.js', import.meta.url));
  if (existsSync(built)) return built;
  throw new Error(`${built} is missing: build the package @pulso/embedded first`);
}

type Outcome = { ready: number } | { failed: string };

async function readyPort(child: ChildProcess): Promise<number> {
  const delivered = new AbortController();
  const { signal } = delivered;
  const timeout = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  const ended = once(child, 'exit', { signal }).then(([code, by]: unknown[]) => ({
    failed: `it ended with ${String(by ?? `code ${String(code)}`)}`,
  }));
  const told = once(child, 'message', { signal }).then(([message]) => message as Outcome);
  try {
    const outcome = await Promise.race([told, ended]);
    if ('ready' in outcome) return outcome.ready;
    throw new Error(`the document store did not start: ${outcome.failed}`);
  } finally {
    clearTimeout(timeout);
    delivered.abort();
  }
}
