import type { ReadinessCheck } from '../health/operations-server.js';

/** What must work for a process to be ready. Parts of a service add their own checks when they are made. */
export class Readiness {
  readonly checks: Record<string, ReadinessCheck> = {};

  /** `check` rejects or throws while what it names does not work. */
  add(name: string, check: () => Promise<void> | void): void {
    this.checks[name] = async () => check();
  }
}
