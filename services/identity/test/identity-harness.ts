import { randomBytes } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { SignUpRequest, UpdateMeRequest } from '@pulso/contracts/identity/v1/identity';
import { generateSigningKey } from '@pulso/platform/auth/access-token';
import { Lifetime } from '@pulso/platform/context/lifetime';
import { type RequestContext, runInContext, type WriteMark } from '@pulso/platform/context/request-context';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { SignUp } from '../src/account/sign-up.js';
import { identityConfigSchema, type IdentityConfig } from '../src/config.js';
import { IdentityModule } from '../src/identity.module.js';
import { migrateIdentity } from '../src/migrate.js';
import type { SignedIn } from '../src/session/session-issuer.js';

/** A migrated database of the suite's own on the run's PostgreSQL. */
export async function aDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = new URL(process.env.PULSO_TEST_POSTGRES_URL!);
  const name = `identity_${randomBytes(6).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  await migrateIdentity({ IDENTITY_DATABASE_URL: url.href });
  return { url: url.href, drop: () => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function onServer(server: URL, statement: string): Promise<void> {
  const client = new Client(server.href);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export async function aConfig(url: string, settings: Record<string, string> = {}): Promise<IdentityConfig> {
  return identityConfigSchema.parse({
    IDENTITY_DATABASE_URL: url,
    ACCESS_TOKEN_KEYS: JSON.stringify([await generateSigningKey()]),
    CURSOR_SECRETS: JSON.stringify([{ kid: 'test', secret: randomBytes(32).toString('hex') }]),
    ...settings,
  });
}

/** The service's use cases on a real database, without a transport; time stands still until it is moved. */
export class Identity {
  private constructor(
    private readonly app: INestApplicationContext,
    readonly clock: ManualClock,
    readonly dataSource: DataSource,
    private readonly drop: () => Promise<void>,
  ) {}

  static async start(settings?: Record<string, string>): Promise<Identity> {
    const database = await aDatabase();
    const config = await aConfig(database.url, settings);
    const clock = new ManualClock();
    const app = await NestFactory.createApplicationContext(IdentityModule.with({ config, clock }), {
      logger: ['error'],
      abortOnError: false,
    });
    return new Identity(app, clock, app.get(getDataSourceToken('identity')), () => database.drop());
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.drop();
  }

  get<T>(part: Type<T>): T {
    return this.app.get(part);
  }

  signUp(fields: Partial<SignUpRequest> = {}): Promise<SignedIn> {
    return this.get(SignUp).execute(aSignUp(fields));
  }

  /** The session that a token of `signedIn` belongs to; there is one for each sign-in. */
  async sessionOf({ user }: SignedIn): Promise<string> {
    const [row] = await this.dataSource.query<{ id: string }[]>(
      'SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
      [user.id],
    );
    return row!.id;
  }

  /** Runs as the user on the device they signed in on last. */
  async as<T>(signedIn: SignedIn, run: () => Promise<T>, wrote: WriteMark[] = []): Promise<T> {
    const sessionId = await this.sessionOf(signedIn);
    return inContext({ userId: signedIn.user.id, sessionId, expiresAt: Infinity }, run, wrote);
  }

  async rows<T>(query: string, parameters: unknown[] = []): Promise<T[]> {
    return this.dataSource.query<T[]>(query, parameters);
  }
}

export function inContext<T>(caller: RequestContext['caller'], run: () => T, wrote: WriteMark[] = []): T {
  return runInContext(
    {
      requestId: 'test',
      authorization: undefined,
      caller,
      deadline: Infinity,
      lifetime: new Lifetime(),
      after: [],
      wrote,
      traceparent: undefined,
    },
    run,
  );
}

export const PASSWORD = 'a long walk uphill';

let people = 0;

/** A sign-up that nothing is wrong with, of somebody new. */
export function aSignUp(fields: Partial<SignUpRequest> = {}): SignUpRequest {
  people += 1;
  return {
    email: `person-${people}@example.org`,
    password: PASSWORD,
    name: `Person ${people}`,
    username: `person-${people}`,
    isCoach: false,
    bio: '',
    specialties: [],
    device: { userAgent: 'Firefox on a laptop', address: '192.0.2.1' },
    ...fields,
  };
}

export const anUpdate = (fields: Partial<UpdateMeRequest>): UpdateMeRequest =>
  UpdateMeRequest.fromPartial(fields);

/** What a rejected promise was rejected with, as `kind code`; `resolved` when it was not. */
export async function outcome(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'resolved',
    (error: { kind?: string; code?: string; message: string }) =>
      error.kind ? `${error.kind} ${error.code}` : error.message,
  );
}

/** How often each value occurs. */
export function tally(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
