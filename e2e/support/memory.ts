import { readFileSync } from 'node:fs';

/** A value in MiB at a time in minutes. */
export interface MemorySample {
  minute: number;
  mib: number;
}

/** In MiB. */
export interface ProcessMemory {
  /** All pages that are in memory. */
  rss: number;
  /** The proportional share: pages that the process shares with others count in part. */
  pss: number;
}

/** What the process has of the memory. Only on Linux, from proc_pid_smaps(5). */
export function memoryOf(pid: number): ProcessMemory {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const mib = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(rollup)![1]) / 1024;
  return { rss: mib('Rss'), pss: mib('Pss') };
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
