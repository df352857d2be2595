import { createLogger } from '@pulso/platform/logging/logger';
import { FileObjects } from '@pulso/platform/objects/file-objects';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import { readServiceSettings } from '@pulso/platform/service/service-settings';
import { bootService } from '@pulso/platform/service/start-service';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { setTimeout as pause } from 'node:timers/promises';
import { BuildArchives } from '../../src/archive/build-archives.job.js';
import { media as definition } from '../../src/service.js';

/** A process of media that begins to build what is due, and never comes to the end of it, until it is killed. Argument: the time. */
const [now] = process.argv.slice(2) as [string];

// Before the start, which begins to build.
const put = FileObjects.prototype.putStream;
FileObjects.prototype.putStream = function (key, bytes) {
  const endless = async function* () {
    for await (const chunk of bytes) {
      yield chunk;
      await pause(1_000_000);
    }
  };
  return put.call(this, key, endless());
};

const service = await bootService(definition, {
  settings: readServiceSettings(definition, process.env),
  transport: { kind: 'in-process', network: new InProcessNetwork() },
  // Events are handled by the instance that survives.
  bus: { subscribe: () => undefined, delivered: async () => true } as never,
  clock: new ManualClock(Number(now)),
  logger: createLogger({ service: 'builder', level: 'error' }),
});
await service.get(BuildArchives).execute();
