import { freePorts } from '../free-ports.mjs';
import { EngineProcess } from './engine-process.mjs';

/**
 * A Redis from PATH on loopback that stores its data in `directory` (append-only file). Resolves to the process
 * (EngineProcess) with its `url`.
 */
export async function startRedis(directory) {
  const [port] = await freePorts(1);
  const redis = new EngineProcess({
    name: 'Redis',
    command: 'redis-server',
    args: [
      ...['--bind', '127.0.0.1', '--port', `${port}`, '--dir', directory],
      ...['--appendonly', 'yes', '--save', '', '--daemonize', 'no', '--logfile', ''],
      // BullMQ requires it: Redis must not drop a job when memory is short.
      ...['--maxmemory-policy', 'noeviction'],
    ],
    isReady: (line) => line.includes('Ready to accept connections'),
  });
  await redis.start();
  return Object.assign(redis, { url: `redis://127.0.0.1:${port}` });
}
