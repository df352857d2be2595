import { SERVICE_NAMES, type ServiceName } from '@pulso/contracts/rpc';
import { cursorSecrets, publicKeys } from '@pulso/platform/config/json-settings';
import { loadConfig } from '@pulso/platform/config/load-config';
import { type ProcessSettings, processSettings } from '@pulso/platform/process/process-settings';
import { rpcUrl } from '@pulso/platform/rpc/rpc-url';
import type { JWK } from 'jose';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The gateway's settings, validated. Every secret is a list: the first signs, all verify. */
export interface GatewayConfig {
  /** 0 takes any free port. */
  port: number;
  host: string;
  /** Port of /healthz, /readyz and /metrics; null: whoever composes the process serves them. */
  operationsPort: number | null;
  /** Where browsers reach the gateway, without a slash at the end. */
  publicUrl: string;
  /** Public keys that access tokens are verified with. */
  accessTokenJwks: readonly JWK[];
  pulsoAfterSecrets: readonly { kid: string; secret: string }[];
  /** Multiplies every limit; 0 switches them off. */
  rateLimitFactor: number;
  /** How many proxies stand in front and set X-Forwarded-For. */
  trustedProxies: number;
  /** The built frontend; null: the API alone. */
  staticDirectory: string | null;
  /** Claims of the landing page (UI-13). */
  marketing: { professionals: string; topCoachEarnings: string };
}

/** What a gateway needs to run as a process of its own. */
export interface GatewayProcessConfig extends GatewayConfig, ProcessSettings {
  /** Where each service answers gRPC. */
  services: Readonly<Record<ServiceName, string>>;
  /** Where replicas count rate limits together and tell each other of ended sessions. */
  redisUrl: string;
}

export const MARKETING: GatewayConfig['marketing'] = { professionals: '500+', topCoachEarnings: '5k+' };

const port = z.coerce.number('must be a port number').int('must be a port number').min(0).max(65535);

type RpcUrlSetting = `${Uppercase<ServiceName>}_RPC_URL`;
const rpcUrlSetting = (service: ServiceName) => `${service.toUpperCase()}_RPC_URL` as RpcUrlSetting;
const rpcUrls = Object.fromEntries(SERVICE_NAMES.map((name) => [rpcUrlSetting(name), rpcUrl])) as Record<
  RpcUrlSetting,
  typeof rpcUrl
>;

const environment = z
  .object({
    NODE_ENV: z.string().default('development'),
    PORT: port.default(8080),
    HOST: z.string().default('0.0.0.0'),
    ...processSettings,
    ...rpcUrls,
    REDIS_URL: z
      .url({ protocol: /^rediss?$/, error: 'must be a redis or rediss URL' })
      .regex(/^[^/]*\/\/[^/?#]*(?:\/\d*)?(?:[?#]|$)/, 'must name its database by a number'),
    PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
    ACCESS_TOKEN_JWKS: publicKeys,
    PULSO_AFTER_SECRETS: cursorSecrets,
    RATE_LIMIT_FACTOR: z.coerce
      .number('must be a number')
      .min(0, 'must be a number of at least 0')
      .default(1),
    TRUSTED_PROXIES: z.coerce.number('must be a number').int().min(0).max(10).default(0),
    STATIC_DIR: z.string().refine(isBuild, 'must be a directory that holds a built frontend').optional(),
    MARKETING_PROFESSIONALS: z.string().max(40).default(MARKETING.professionals),
    MARKETING_TOP_COACH_EARNINGS: z.string().max(40).default(MARKETING.topCoachEarnings),
  })
  .refine(({ NODE_ENV, RATE_LIMIT_FACTOR }) => NODE_ENV !== 'production' || RATE_LIMIT_FACTOR > 0, {
    path: ['RATE_LIMIT_FACTOR'],
    message: '0 switches rate limits off, which production refuses',
  });

/** The names of all settings that a gateway's process reads from its environment. */
export const GATEWAY_SETTING_NAMES: ReadonlySet<string> = new Set(Object.keys(environment.shape));

function isBuild(directory: string): boolean {
  return existsSync(join(directory, 'index.html'));
}

/** Reads the settings of a gateway that runs by itself (docs/operations.md). Throws ConfigError naming each wrong one. */
export function readGatewayConfig(env: NodeJS.ProcessEnv): GatewayProcessConfig {
  const values = loadConfig(environment, env);
  return {
    LOG_LEVEL: values.LOG_LEVEL,
    OPERATIONS_PORT: values.OPERATIONS_PORT,
    OTEL_EXPORTER_OTLP_ENDPOINT: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    services: Object.fromEntries(
      SERVICE_NAMES.map((name) => [name, values[rpcUrlSetting(name)]]),
    ) as GatewayProcessConfig['services'],
    redisUrl: values.REDIS_URL,
    port: values.PORT,
    host: values.HOST,
    operationsPort: values.OPERATIONS_PORT,
    publicUrl: values.PUBLIC_URL.replace(/\/$/, ''),
    accessTokenJwks: values.ACCESS_TOKEN_JWKS,
    pulsoAfterSecrets: values.PULSO_AFTER_SECRETS,
    rateLimitFactor: values.RATE_LIMIT_FACTOR,
    trustedProxies: values.TRUSTED_PROXIES,
    staticDirectory: values.STATIC_DIR ?? null,
    marketing: {
      professionals: values.MARKETING_PROFESSIONALS,
      topCoachEarnings: values.MARKETING_TOP_COACH_EARNINGS,
    },
  };
}
