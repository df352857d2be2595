import { readFileSync } from 'node:fs';

/** A value in MiB at a time in minutes. */
export interface MemorySample {
  minute: number;
  mib: number;
}

/** The process's proportional share of memory in MiB: pages that it shares with others count in part. */
export function pssOf(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)![1]) / 1024;
}

export interface Trend {
  /** The mean. */
  mib: number;
  /** By the straight line of least squares. */
  mibPerHour: number;
  /** Over the observed time. */
  growthMib: number;
  /** The standard deviation around that line. */
  noiseMib: number;
  /** Whether the growth is within twice the noise, or within 1 MiB. */
  flat: boolean;
}

/** The trend of at least three samples. */
export function trendOf(samples: readonly MemorySample[]): Trend {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [middle, mib] = [mean(samples.map(({ minute }) => minute)), mean(samples.map((each) => each.mib))];
  const covariance = mean(samples.map((each) => (each.minute - middle) * (each.mib - mib)));
  const slope = covariance / mean(samples.map(({ minute }) => (minute - middle) ** 2));
  const residuals = samples.map((each) => (each.mib - mib - slope * (each.minute - middle)) ** 2);
  const noiseMib = Math.sqrt(residuals.reduce((sum, value) => sum + value, 0) / (samples.length - 2));
  const growthMib = slope * (samples.at(-1)!.minute - samples[0]!.minute);
  return { mib, mibPerHour: slope * 60, growthMib, noiseMib, flat: growthMib <= Math.max(1, 2 * noiseMib) };
}
