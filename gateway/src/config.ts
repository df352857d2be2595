import { refusedPayments, payments } from '@pulso/contracts/payments';
import { SERVICE_NAMES, type ServiceName } from '@pulso/contracts/rpc';
import { cursorSecrets, publicKeys } from '@pulso/platform/process/json-settings';
import { ConfigError, loadConfig } from '@pulso/platform/process/load-config';
import { publicUrl } from '@pulso/platform/process/public-url';
import { settings } from '@pulso/platform/process/settings';
import { processSettings } from '@pulso/platform/process/process-settings';
import { redisUrl } from '@pulso/platform/redis/redis-url';
import { rpcUrl } from '@pulso/platform/rpc/rpc-url';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { allAddresses } from '@pulso/platform/process/all-addresses';
import { z } from 'zod';
import { PAGE_LINKS } from './http/pages/page-links.js';

/** Claims of the landing page (UI-13). */
export const marketingSettings = {
  MARKETING_PROFESSIONALS: z.string().max(40).default('500+'),
  MARKETING_TOP_COACH_EARNINGS: z.string().max(40).default('5k+'),
};
export const MARKETING = z.object(marketingSettings).parse({});

export const overloadSettings = {
  /** Requests are refused while the event loop stays later than this, in milliseconds (LIMIT-5); 0 refuses none. */
  MAX_EVENT_LOOP_DELAY_MS: z.coerce
    .number('must be a number of milliseconds')
    .int('must be a whole number of milliseconds')
    .min(0, 'must be at least 0')
    .max(60_000, 'must be at most 60000')
    .default(200),
  /** Open connections of clients (LIMIT-12); never more than half of the process's file descriptors. */
  MAX_CONNECTIONS: z.coerce
    .number('must be a number of connections')
    .int('must be a whole number of connections')
    .min(10, 'must be at least 10')
    .max(1_000_000, 'must be at most 1000000')
    .default(10_000),
  /** Pages of guests that are rendered at once (LIMIT-15); with 0 all are sent plain. */
  MAX_PAGE_RENDERS: z.coerce
    .number('must be a number of pages')
    .int('must be a whole number of pages')
    .min(0, 'must be at least 0')
    .max(100, 'must be at most 100')
    .default(4),
};

/** The number of proxies in front of the gateway that set X-Forwarded-For (LIMIT-14). */
export const trustedProxies = z.coerce
  .number('must be a number of proxies')
  .int('must be a whole number of proxies')
  .min(0, 'must be at least 0')
  .max(10, 'must be at most 10')
  .default(0);

/** What the button calls the OpenID provider (ACCT-42); 'Google' unless given. */
export const openidName = z.string().max(40).optional();

const gatewaySettings = {
  /** 0 takes any free port. */
  PORT: z.coerce.number('must be a port number').int('must be a port number').min(0).max(65535).default(8080),
  /** Every address of the machine, of IPv4 and IPv6, unless given. */
  HOST: z.string().default(allAddresses),
  /** Where browsers reach the gateway. */
  PUBLIC_URL: publicUrl,
  /** Where media takes and gives bytes: its private listener, without a slash at the end. */
  MEDIA_BYTES_URL: z
    .url({ protocol: /^http$/, error: 'must be an http URL' })
    .transform((url) => url.replace(/\/$/, '')),
  /** Public keys that verify access tokens. */
  ACCESS_TOKEN_JWKS: publicKeys,
  /** The first seals `Pulso-After`, all open it. */
  PULSO_AFTER_SECRETS: cursorSecrets,
  /** Multiplies every limit; 0 switches them off. */
  RATE_LIMIT_FACTOR: z.coerce.number('must be a number').min(0, 'must be a number of at least 0').default(1),
  TRUSTED_PROXIES: trustedProxies,
  /** The built frontend; the gateway serves the API alone unless given. */
  STATIC_DIR: z.string().refine(isBuild, 'must be a directory that holds a built frontend').optional(),
  PAYMENTS: payments,
  /** As identity's: with it users may sign in by an OpenID provider (ACCT-30). */
  OPENID_CLIENT_ID: z.string().max(255).optional(),
  OPENID_NAME: openidName,
  ...overloadSettings,
  ...marketingSettings,
};

/** The gateway's settings, validated; the keys are the environment's names. Nest injects them by this class. */
export class GatewayConfig extends settings(gatewaySettings) {}

type RpcUrlSetting = `${Uppercase<ServiceName>}_RPC_URL`;
/** The setting that says where the service answers rpcs. */
export const rpcUrlSetting = (service: ServiceName) => `${service.toUpperCase()}_RPC_URL` as RpcUrlSetting;
const rpcUrls = Object.fromEntries(SERVICE_NAMES.map((name) => [rpcUrlSetting(name), rpcUrl])) as Record<
  RpcUrlSetting,
  typeof rpcUrl
>;

const environment = z
  .object({
    NODE_ENV: z.string().default('development'),
    ...gatewaySettings,
    ...processSettings,
    ...rpcUrls,
    /** Where replicas share rate limits and hear signals. */
    REDIS_URL: redisUrl,
  })
  .refine(({ NODE_ENV, RATE_LIMIT_FACTOR }) => NODE_ENV !== 'production' || RATE_LIMIT_FACTOR > 0, {
    path: ['RATE_LIMIT_FACTOR'],
    message: '0 switches rate limits off, which production refuses',
  });

/** The settings of a gateway that runs as a process of its own. */
export type GatewayProcessConfig = z.output<typeof environment>;

/** The schema of each setting that a gateway's process reads, by its name. @internal for the checks of deploy/kubernetes */
export const GATEWAY_SHAPE: z.ZodRawShape = environment.shape;

/** The names of all settings that a gateway's process reads from its environment. @internal for suites and `start:cluster` */
export const GATEWAY_SETTING_NAMES: ReadonlySet<string> = new Set(Object.keys(environment.shape));

function isBuild(directory: string): boolean {
  return ['index.html', PAGE_LINKS].every((name) => existsSync(join(directory, name)));
}

/** Reads a gateway process's settings (docs/operations/settings.md). Throws ConfigError, which names each wrong setting. */
export function readGatewayConfig(env: NodeJS.ProcessEnv): GatewayProcessConfig {
  const config = loadConfig(environment, env);
  // Not a refinement, whose text an absent setting would not get.
  const missing = refusedPayments(config);
  if (missing) throw new ConfigError(missing);
  return config;
}
