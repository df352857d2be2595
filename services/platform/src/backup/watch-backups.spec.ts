import { ManualClock } from '../../testing/manual-clock.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { watchBackups } from './watch-backups.js';

async function aWatch(times: (service: string) => Promise<string[]>) {
  const clock = new ManualClock();
  const services = ['billing', 'posts'];
  const server = await watchBackups({ bucket: { times }, services, port: 0, host: '127.0.0.1', clock });
  onTestEnd(() => server.close());
  const shown = async () => {
    const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
    return text.split('\n').filter((line) => line.startsWith('pulso_backup_newest'));
  };
  return { clock, shown };
}

const line = (database: string, seconds: number) =>
  `pulso_backup_newest_timestamp_seconds{database="${database}",service="backup"} ${seconds}`;

describe('the watch over backups', () => {
  it('shows the time of the newest of each service, and 0 where there is none', async () => {
    const { shown } = await aWatch(async (service) =>
      service === 'billing' ? ['20261126-031000', '20261127-031000'] : [],
    );
    expect(await shown()).toEqual([line('billing', Date.UTC(2026, 10, 27, 3, 10) / 1_000), line('posts', 0)]);
  });

  it('lists the bucket every five minutes, not for each reader', async () => {
    let listings = 0;
    const { shown, clock } = await aWatch(async () => {
      listings += 1;
      return ['20261127-031000'];
    });
    await shown();
    await shown();
    expect(listings).toBe(2);
    clock.advance(5 * 60_000);
    await shown();
    expect(listings).toBe(4);
  });

  it('shows nothing while the bucket cannot be listed, and looks again', async () => {
    let isAway = true;
    const { shown } = await aWatch(async () => {
      if (isAway) throw new Error('away');
      return ['20261127-031000'];
    });
    expect(await shown()).toEqual([]);
    isAway = false;
    expect(await shown()).toHaveLength(2);
  });
});
