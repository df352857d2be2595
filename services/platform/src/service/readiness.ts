import type { ReadinessCheck } from '../health/operations-server.js';

/** The readiness checks of a process. Providers add their checks in their constructors. */
export class Readiness {
  readonly checks: Record<string, ReadinessCheck> = {};

  /** `check` rejects or throws while `name` does not work. */
  add(name: string, check: () => Promise<void> | void): void {
    this.checks[name] = async () => check();
  }
}
