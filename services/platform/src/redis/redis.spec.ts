import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { onTestEnd } from '../../testing/on-test-end.js';
import { startSilentProxy } from '../../testing/silent-proxy.js';
import { until } from '../../testing/until.js';
import { createLogger } from '../logging/logger.js';
import { connectRedis } from './redis.js';

const INFO = 'redis_version:8.0.0\r\nloading:0\r\n';

/** The part of Redis that a client needs to be ready; returns its URL. */
async function aFakeRedis(): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      for (const [, name] of bytes.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
        if (name!.toLowerCase() === 'info') socket.write(`$${INFO.length}\r\n${INFO}\r\n`);
        else if (name!.toLowerCase() === 'hello') socket.write('%1\r\n+server\r\n+redis\r\n');
        else socket.write('+OK\r\n');
      }
    });
  });
  onTestEnd(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('a Redis that falls silent and closes no connection gets a new one', async () => {
  const proxy = await startSilentProxy(await aFakeRedis());
  onTestEnd(() => proxy.stop());
  const redis = await connectRedis(proxy.url, createLogger({ service: 'test', level: 'silent' }));
  onTestEnd(() => redis.disconnect());
  await redis.set('key', 'value');
  const { opened } = proxy;
  proxy.fallSilent();
  await expect(redis.set('key', 'value')).rejects.toThrow('Command timed out');
  await until(() => proxy.opened > opened, {
    what: 'a new connection, though nobody has closed the old one',
  });
  proxy.comeBack();
  const works = () => redis.set('key', 'value').catch(() => undefined);
  await until(works, { what: 'an answer of the Redis that is back' });
});
