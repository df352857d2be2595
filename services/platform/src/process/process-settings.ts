import { z } from 'zod';
import { allAddresses } from './all-addresses.js';
import { LOG_LEVELS } from '../logging/logger.js';
import { tracingSettings } from '../telemetry/tracing.js';

const port = (fallback: number) =>
  z.coerce
    .number('must be a port number')
    .int('must be a port number')
    .min(0, 'must be a port number')
    .max(65_535, 'must be a port number')
    .default(fallback);

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`]);
const RATIO = 'must be a number from 0 to 1';

/** Settings of every process, also of the gateway; the keys are the names of environment variables. */
export const processSettings = {
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  /** The port of /healthz, /readyz and /metrics. */
  OPERATIONS_PORT: port(9090),
  ...tracingSettings,
  /** OpenTelemetry reads these itself; checked here, because it replaces unknown values with its default. */
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS, `must be one of ${SAMPLERS.join(', ')}`).optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number(RATIO).min(0, RATIO).max(1, RATIO).optional(),
};

/** Settings of every process that answers rpc. */
export const rpcServerSettings = {
  /** The address on which rpcs are served; never reachable from outside the cluster. */
  RPC_HOST: z.string().default(allAddresses),
  RPC_PORT: port(50_051),
};

/** Settings of a service's process that answers HTTP, too. */
export const listenerSettings = {
  /** The port of its listener, on the addresses of RPC_HOST; never reachable from outside the cluster. */
  BYTES_PORT: port(8081),
};

export type ProcessSettings = z.output<z.ZodObject<typeof processSettings>>;
