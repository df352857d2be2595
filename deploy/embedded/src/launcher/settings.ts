import { resolve } from 'node:path';
import { refusedPayments, type Payments, payments } from '@pulso/contracts/payments';
import { ConfigError, loadConfig } from '@pulso/platform/process/load-config';
import { publicUrl } from '@pulso/platform/process/public-url';
import { type TracingSettings, tracingSettings } from '@pulso/platform/telemetry/tracing';
import {
  type MARKETING,
  marketingSettings,
  openidName,
  overloadSettings,
  trustedProxies,
} from '@pulso/gateway/config';
import { z } from 'zod';
import { DEFAULT_STOP_DEADLINE_MS } from './launch.js';

const settings = z
  .object({
    NODE_ENV: z.string().default('development'),
    PORT: z.coerce
      .number('must be a port number')
      .int('must be a port number')
      .min(0)
      .max(65535)
      .default(8080),
    PULSO_DATA_DIR: z.string().default('.data'),
    PULSO_SEED: z.enum(['demo', 'none'], 'must be demo or none').optional(),
    PUBLIC_URL: publicUrl.optional(),
    TRUSTED_PROXIES: trustedProxies,
    RATE_LIMIT_FACTOR: z.coerce
      .number('must be a number of at least 0')
      .min(0, 'must be a number of at least 0')
      .default(1),
    LOG_LEVEL: z
      .enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent')
      .default('warn'),
    PAYMENTS: payments,
    SIMULATOR_PORT: z.coerce
      .number('must be a port number')
      .int('must be a port number')
      .min(0)
      .max(65535)
      .default(0),
    OPENID_NAME: openidName,
    ...overloadSettings,
    ...marketingSettings,
    OPERATIONS_PORT: z.coerce
      .number('must be a port number')
      .int('must be a port number')
      .min(0)
      .max(65535)
      .default(0),
    STOP_DEADLINE_MS: z.coerce
      .number('must be a number of milliseconds')
      .int('must be a whole number of milliseconds')
      .min(1_000, 'must be at least 1000')
      .max(600_000, 'must be at most 600000')
      .default(DEFAULT_STOP_DEADLINE_MS),
    ...tracingSettings,
  })
  .refine(({ NODE_ENV, RATE_LIMIT_FACTOR }) => NODE_ENV !== 'production' || RATE_LIMIT_FACTOR > 0, {
    path: ['RATE_LIMIT_FACTOR'],
    message: '0 switches rate limits off, which production refuses',
  })
  .refine(({ NODE_ENV, PULSO_SEED }) => NODE_ENV !== 'production' || PULSO_SEED !== 'demo', {
    path: ['PULSO_SEED'],
    message: 'demo has accounts whose password is public, which production refuses',
  });

/** The names of all settings that the launcher itself reads. @internal for suites */
export const LAUNCHER_SETTING_NAMES: ReadonlySet<string> = new Set(Object.keys(settings.shape));

export interface Settings {
  isProduction: boolean;
  port: number;
  operationsPort: number;
  dataDirectory: string;
  seed: 'demo' | 'none';
  publicUrl: string;
  trustedProxies: number;
  rateLimitFactor: number;
  payments: Payments;
  /** 0 takes the one of the last start if it is free, else any free one. */
  simulatorPort: number;
  /** Of the OpenID provider: 'Google' unless given. */
  openidName: string | undefined;
  maxEventLoopDelayMs: number;
  maxConnections: number;
  maxPageRenders: number;
  /** How long stopping may take; then the process ends with code 1. */
  stopDeadlineMs: number;
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  marketing: typeof MARKETING;
  tracing: TracingSettings;
}

/** The launcher's settings (README, "Settings"). Throws a ConfigError that names every wrong one. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const values = loadConfig(settings, env);
  // Billing asks for it, too, but only once the engines run.
  const missing = refusedPayments(values);
  if (missing) throw new ConfigError(missing);
  const isProduction = values.NODE_ENV === 'production';
  return {
    isProduction,
    port: values.PORT,
    operationsPort: values.OPERATIONS_PORT,
    dataDirectory: resolve(values.PULSO_DATA_DIR),
    seed: values.PULSO_SEED ?? (isProduction ? 'none' : 'demo'),
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
    trustedProxies: values.TRUSTED_PROXIES,
    rateLimitFactor: values.RATE_LIMIT_FACTOR,
    payments: values.PAYMENTS ?? 'none',
    simulatorPort: values.SIMULATOR_PORT,
    openidName: values.OPENID_NAME,
    maxEventLoopDelayMs: values.MAX_EVENT_LOOP_DELAY_MS,
    maxConnections: values.MAX_CONNECTIONS,
    maxPageRenders: values.MAX_PAGE_RENDERS,
    stopDeadlineMs: values.STOP_DEADLINE_MS,
    logLevel: values.LOG_LEVEL,
    tracing: { OTEL_EXPORTER_OTLP_ENDPOINT: values.OTEL_EXPORTER_OTLP_ENDPOINT },
    marketing: {
      MARKETING_PROFESSIONALS: values.MARKETING_PROFESSIONALS,
      MARKETING_TOP_COACH_EARNINGS: values.MARKETING_TOP_COACH_EARNINGS,
    },
  };
}
