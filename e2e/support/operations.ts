/** One sample of a process's `/metrics`. */
export interface Sample {
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** The samples of a metric of the process at `operationsUrl`; empty when it has none. */
export async function samplesOf(operationsUrl: string, name: string): Promise<Sample[]> {
  const response = await fetch(`${operationsUrl}/metrics`, { signal: AbortSignal.timeout(30_000) });
  if (response.status !== 200) throw new Error(`${operationsUrl}/metrics: ${response.status}`);
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith(`${name}{`));
  return lines.map((line) => {
    const end = line.lastIndexOf('}');
    const labels = [...line.slice(name.length + 1, end).matchAll(/(\w+)="([^"]*)"/g)];
    return {
      labels: Object.fromEntries(labels.map(([, label, value]) => [label!, value!])),
      value: Number(line.slice(end + 1)),
    };
  });
}

/** The sum over all labels and all processes. */
export async function metricOf(operationsUrls: readonly string[], name: string): Promise<number> {
  const samples = await Promise.all(operationsUrls.map((url) => samplesOf(url, name)));
  return samples.flat().reduce((sum, { value }) => sum + value, 0);
}
