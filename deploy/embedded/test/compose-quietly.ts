import { MARKETING } from '@pulso/gateway/config';
import { createLogger } from '@pulso/platform/logging/logger';
import { composePulso, type PulsoOptions } from '../src/compose-pulso.js';

/** A Pulso that logs nothing, counts no limits, refuses no load and serves no page, on ports of its own choice. */
export const composeQuietly = (parts: Pick<PulsoOptions, 'databases' | 'objectsDirectory' | 'secrets'>) =>
  composePulso({
    ...parts,
    port: 0,
    operationsPort: 0,
    publicUrl: 'http://localhost',
    rateLimitFactor: 0,
    staticDirectory: null,
    maxEventLoopDelayMs: 0,
    marketing: MARKETING,
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
