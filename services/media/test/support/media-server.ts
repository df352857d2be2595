import { createAccessTokenVerifier } from '@pulso/platform/auth/access-token';
import { createLogger } from '@pulso/platform/logging/logger';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import { startPrivateListener } from '@pulso/platform/service/private-listener';
import { readServiceSettings } from '@pulso/platform/service/service-settings';
import { bootService } from '@pulso/platform/service/start-service';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { ObjectServer } from '../../src/object/object-server.js';
import { media as definition } from '../../src/service.js';

/** A process of media that answers on a port, which it prints, until it is killed. Its argument is the time. */
const [now] = process.argv.slice(2) as [string];
const clock = new ManualClock(Number(now));
const settings = readServiceSettings(definition, process.env);
const logger = createLogger({ service: 'media-server', level: 'error' });
const service = await bootService(definition, {
  ...{ settings, clock, logger },
  transport: { kind: 'in-process', network: new InProcessNetwork() },
  // Its events are published by the instance that survives.
  bus: { subscribe: () => undefined, delivered: async () => true } as never,
});
const { port } = await startPrivateListener({
  ...{ port: 0, host: '127.0.0.1', logger },
  listener: service.get(ObjectServer),
  verifier: createAccessTokenVerifier({ jwks: settings.verificationKeys, clock }),
});
process.stdout.write(`${port}\n`);
