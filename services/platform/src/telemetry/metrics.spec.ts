import { Registry } from 'prom-client';
import { counter, gauge, histogram } from './metrics.js';

describe('metrics', () => {
  it('are made once in a registry', () => {
    const shared = new Registry();
    const made = [counter, gauge, histogram].map((make, index) => {
      const options = { name: `metric_${index}`, help: 'help' };
      return make(shared, options) === make(shared, options);
    });
    expect(made).toEqual([true, true, true]);
    expect(shared.getMetricsAsArray()).toHaveLength(3);
  });

  describe('of which one cannot be read', () => {
    let reads: () => Promise<number>;
    const registry = new Registry();
    gauge(registry, {
      name: 'depth',
      help: 'help',
      async collect() {
        this.set(await reads());
      },
    });
    gauge(registry, {
      name: 'depths',
      help: 'help',
      labelNames: ['group'],
      async collect() {
        this.set({ group: 'a' }, await reads());
      },
    });
    gauge(registry, {
      name: 'thrown',
      help: 'help',
      collect() {
        throw new Error('a defect');
      },
    });
    counter(registry, { name: 'other_total', help: 'help' });
    const lines = async () => (await registry.metrics()).split('\n').filter((line) => /^[^#]/.test(line));
    const shown = async () => (await lines()).filter((line) => !line.startsWith('pulso_metric'));

    it.each([
      ['rejects', () => Promise.reject(new Error('away'))],
      ['does not answer', () => new Promise<number>(() => undefined)],
    ])('show the others, and no former value, while its reading %s', async (_, failing) => {
      reads = async () => 7;
      expect(await shown()).toEqual(['depth 7', 'depths{group="a"} 7', 'other_total 0']);
      reads = failing;
      expect(await shown()).toEqual(['other_total 0']);
      reads = async () => 8;
      expect(await shown()).toEqual(['depth 8', 'depths{group="a"} 8', 'other_total 0']);
    });

    it('count the failures', async () => {
      const counts = async () => {
        const found = (await lines()).map((line) =>
          /^pulso_metric_failures_total{metric="(.*)"} (.*)$/.exec(line),
        );
        return found.flatMap((match) => (match ? [[match[1], Number(match[2])]] : []));
      };
      reads = async () => 7;
      await registry.metrics();
      const [[, depth], [, depths], [, thrown]] = (await counts()) as [
        [string, number],
        [string, number],
        [string, number],
      ];
      reads = () => Promise.reject(new Error('away'));
      await registry.metrics();
      reads = async () => 7;
      await registry.metrics();
      expect(await counts()).toEqual([
        ['depth', depth + 1],
        ['depths', depths + 1],
        ['thrown', thrown + 3],
      ]);
    });
  });
});
