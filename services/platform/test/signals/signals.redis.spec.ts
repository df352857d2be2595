import { once } from 'node:events';
import { createServer, connect as connectTo, type AddressInfo, type Server, type Socket } from 'node:net';
import { Registry } from 'prom-client';
import { createLogger } from '../../src/logging/logger.js';
import { connectRedis, type Redis } from '../../src/redis/redis.js';
import { newId } from '../../src/ids/uuid-v7.js';
import { InProcessSignals } from '../../src/signals/in-process-signals.js';
import { RedisSignals } from '../../src/signals/redis-signals.js';
import { until } from '../../testing/until.js';
import { type SignalListener, type Signals, userChannel } from '../../src/signals/signals.js';

const logger = createLogger({ service: 'signals-test', level: 'silent' });
const redisUrl = process.env.PULSO_TEST_REDIS_URL;
/** A Redis that is slow beside other suites is not away. */
const PATIENT_MS = 20_000;

/** Two ends of one connection of signals: two processes, or two parts of one. */
interface Ends {
  ends: [Signals, Signals];
  close(): void;
}

const adapters: Record<string, () => Promise<Ends>> = {
  'in process': async () => {
    const signals = new InProcessSignals();
    return { ends: [signals, signals], close: () => undefined };
  },
};
if (redisUrl) {
  adapters['over Redis'] = async () => {
    const open = () => connectRedis(redisUrl, logger, PATIENT_MS);
    const clients = [await open(), await open()] as const;
    const ends: [RedisSignals, RedisSignals] = [
      new RedisSignals({ redis: clients[0], logger }),
      new RedisSignals({ redis: clients[1], logger }),
    ];
    return {
      ends,
      close() {
        for (const end of ends) end.close();
        for (const client of clients) client.disconnect();
      },
    };
  };
}

/** What a listener has heard; `until` waits for an entry. */
class Heard implements SignalListener {
  readonly entries: string[] = [];

  heard(channel: string): void {
    this.entries.push(channel);
  }
  lost(): void {
    this.entries.push('lost');
  }
  resumed(): void {
    this.entries.push('resumed');
  }
  async until(entry: string, times = 1): Promise<void> {
    await until(() => this.entries.filter((one) => one === entry).length >= times, {
      what: () => `${entry} to be heard ${times} times; heard were ${this.entries.join()}`,
    });
  }
}

describe.each(Object.entries(adapters))('signals %s', (_name, open) => {
  let first: Signals;
  let second: Signals;
  let close: () => void;

  beforeAll(async () => {
    const opened = await open();
    [first, second] = opened.ends;
    close = opened.close;
  });
  afterAll(() => close());

  async function listening(signals: Signals) {
    const heard = new Heard();
    const end = signals.listen(heard);
    await heard.until('resumed');
    return { heard, end };
  }

  it('reach everyone who listens, also the sender, by their channel', async () => {
    const [one, two] = [await listening(first), await listening(second)];
    const channel = userChannel(newId());
    first.send(channel);
    await Promise.all([one.heard.until(channel), two.heard.until(channel)]);
    one.end();
    two.end();
  });

  it('tell a listener first that it hears them', async () => {
    const { heard, end } = await listening(first);
    expect(heard.entries[0]).toBe('resumed');
    end();
  });

  it('come after the call that sends them, and in its order', async () => {
    const { heard, end } = await listening(first);
    const channels = Array.from({ length: 20 }, () => userChannel(newId()));
    for (const channel of channels) first.send(channel);
    expect(heard.entries).not.toContain(channels[0]);
    await heard.until(channels.at(-1)!);
    expect(heard.entries.filter((entry) => channels.includes(entry))).toEqual(channels);
    end();
  });

  it('are heard no more after the end', async () => {
    const gone = await listening(first);
    const stays = await listening(first);
    gone.end();
    const channel = userChannel(newId());
    second.send(channel);
    await stays.heard.until(channel);
    expect(gone.heard.entries).not.toContain(channel);
    stays.end();
  });
});

(redisUrl ? describe : describe.skip)('signals while Redis is away', () => {
  let proxy: RedisProxy;
  let redis: Redis;
  let signals: RedisSignals;
  const registry = new Registry();

  beforeAll(async () => {
    proxy = await RedisProxy.before(redisUrl!);
    redis = await connectRedis(proxy.url, logger);
    signals = new RedisSignals({ redis, logger, registry });
  });
  afterAll(async () => {
    signals.close();
    redis.disconnect();
    await proxy.close();
  });

  const metric = async (name: string) => (await registry.getSingleMetric(name)!.get()).values[0]?.value;

  it('are reported as lost, and again when they come', async () => {
    const heard = new Heard();
    signals.listen(heard);
    await heard.until('resumed');
    expect(await metric('pulso_signals_subscribed')).toBe(1);
    proxy.cut();
    await heard.until('lost');
    expect(await metric('pulso_signals_subscribed')).toBe(0);
    signals.send(userChannel(newId()));
    proxy.mend();
    await heard.until('resumed', 2);
    expect(heard.entries.filter((entry) => entry === 'lost')).toHaveLength(1);
    const channel = userChannel(newId());
    await ready(redis);
    signals.send(channel);
    await heard.until(channel);
  });

  it('are reported as lost when nothing comes any more, though no connection is closed', async () => {
    const heard = new Heard();
    signals.listen(heard);
    await heard.until('resumed');
    proxy.stall();
    await heard.until('lost');
    proxy.mend();
    await heard.until('resumed', 2);
  });

  it('that could not be sent are told of once their sender is back', async () => {
    const other = await connectRedis(redisUrl!, logger, PATIENT_MS);
    const elsewhere = new RedisSignals({ redis: other, logger });
    const heard = new Heard();
    elsewhere.listen(heard);
    await heard.until('resumed');
    await ready(redis);
    proxy.cut();
    await once(redis, 'close');
    const before = (await metric('pulso_signals_unsent_total')) ?? 0;
    signals.send(userChannel(newId()));
    await new Promise((done) => setImmediate(done));
    expect(await metric('pulso_signals_unsent_total')).toBe(before + 1);
    proxy.mend();
    await heard.until('resumed', 2);
    expect(heard.entries).not.toContain('lost');
    elsewhere.close();
    other.disconnect();
  });
});

async function ready(redis: Redis): Promise<void> {
  if (redis.status !== 'ready') await once(redis, 'ready');
}

/** Stands before Redis, and can cut its connections or let nothing through. */
class RedisProxy {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private isStalled = false;

  private constructor(private readonly server: Server) {}

  static async before(url: string): Promise<RedisProxy> {
    const { hostname, port } = new URL(url);
    const server = createServer();
    const proxy = new RedisProxy(server);
    server.on('connection', (near) => proxy.pass(near, connectTo(Number(port || 6379), hostname)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  stall(): void {
    this.isStalled = true;
  }

  mend(): void {
    this.isCut = false;
    this.isStalled = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((done) => this.server.close(done));
  }

  private pass(near: Socket, far: Socket): void {
    if (this.isCut) near.destroy();
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => undefined);
      from.on('data', (data) => {
        if (!this.isStalled) to.write(data);
      });
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}
