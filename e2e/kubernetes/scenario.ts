import type { Cluster } from './cluster.js';

/** What a scenario has measured, by what it is: `seconds of the roll-out` → 41. */
export type Figures = Record<string, number | string>;

/** One part of the proof on a cluster. Each finds all of Pulso deployed and ready, and leaves it so. */
export interface Scenario {
  name: string;
  /** What it proves, in one line. */
  shows: string;
  /** Rejects when that is not so, and says why. */
  run(cluster: Cluster): Promise<Figures>;
}
