import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  type AccountNoticeKind,
  AccountNoticeState,
  ContactState,
  type SealedNotice,
  UserStatus,
} from '@pulso/contracts/identity/v1/events';
import { accountNoticeTopic, contactTopic } from '@pulso/contracts/topics/identity';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { createLogger } from '@pulso/platform/logging/logger';
import type { QueueBackend } from '@pulso/platform/queue/queue-backend';
import { type RunningWorker, startWorker } from '@pulso/platform/service/start-worker';
import { readWorkerSettings } from '@pulso/platform/service/worker-settings';
import { Registry } from 'prom-client';
import { SMTPServer } from 'smtp-server';
import { DAY_MS } from '../../src/store/mail.js';
import { mailWorker } from '../../src/mail-worker.js';
import { MailWork } from '../../src/mail-worker/mail-work.js';
import type { Person, TestMessaging } from '../start.js';

/** The part of every address in these suites that no log line and no row may have. */
export const DOMAIN = 'mailbox.test';

export interface Received {
  to: string[];
  from: string;
  raw: string;
  /** The value of a header, unfolded. */
  header(name: string): string | undefined;
}

export type Step = 'rcpt' | 'data';

/** A mail server that keeps what it gets, and refuses what it is told to. */
export class TestMailServer {
  readonly mails: Received[] = [];
  /** The answers to the next mails, before it takes any again. */
  readonly refusals: [step: Step, code: number][] = [];
  /** Called when a client has told a receiver, and when it has sent the whole mail, before the answer. */
  atStep: ((step: Step) => Promise<void>) | undefined;
  private readonly server: SMTPServer;

  private constructor() {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onRcptTo: (_address, _session, done) => this.answer('rcpt', done),
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          this.answer('data', (refused) => {
            if (!refused) {
              const to = envelope.rcptTo.map(({ address }) => address);
              const from = (envelope.mailFrom as { address: string }).address;
              this.mails.push(received(to, from, Buffer.concat(chunks).toString()));
            }
            done(refused);
          });
        });
      },
    });
    // A client that leaves in the middle.
    this.server.on('error', () => undefined);
  }

  static async start(): Promise<TestMailServer> {
    const started = new TestMailServer();
    const listening = started.server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    return started;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => void this.server.close(() => resolve()));
  }

  private answer(step: Step, done: (refused: Error | undefined) => void): void {
    if (!this.atStep) return done(this.refusal(step));
    this.atStep(step).then(() => done(this.refusal(step)), done);
  }

  private refusal(step: Step): Error | undefined {
    if (this.refusals[0]?.[0] !== step) return undefined;
    const [, responseCode] = this.refusals.shift()!;
    return Object.assign(new Error(`not now, someone@${DOMAIN}`), { responseCode });
  }
}

function received(to: string[], from: string, raw: string): Received {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1];
  return { to, from, raw, header };
}

/** A queue that brings nothing: the suites say when the worker works. */
export const NO_QUEUES: QueueBackend = {
  openQueue: () => ({
    addBulk: async () => undefined,
    getJobCounts: async () => ({}),
    on: () => undefined,
    close: async () => undefined,
  }),
  openWorker: () => ({ on: () => undefined, run: async () => undefined, close: async () => undefined }),
  close: async () => undefined,
};

/** The worker's settings that no suite changes. */
export const MAIL_ENV = {
  PUBLIC_URL: 'https://pulso.example',
  MAIL_FROM: 'Pulso <no-reply@pulso.example>',
} as const;

/** Does what is due. */
export async function workDue(worker: Pick<RunningWorker, 'get'>): Promise<void> {
  const work = worker.get(MailWork);
  for (const id of await work.due(100)) await work.perform(id);
}

/** The mail worker on messaging's store. It sends when `work` is called. */
export class TestMail {
  private versions = 0;

  private constructor(
    private readonly messaging: TestMessaging,
    readonly worker: RunningWorker,
    readonly registry: Registry,
    readonly logged: string[],
  ) {}

  static async start(messaging: TestMessaging, env: Record<string, string>): Promise<TestMail> {
    const logged: string[] = [];
    const registry = new Registry();
    const worker = await startWorker(mailWorker, {
      settings: readWorkerSettings(mailWorker, {
        ...messaging.service.env,
        ...{ ...MAIL_ENV, ...env },
      }),
      queues: NO_QUEUES,
      clock: messaging.clock,
      logger: createLogger({
        service: 'messaging-mail',
        level: 'trace',
        destination: { write: (line) => void logged.push(line) },
      }),
      registry,
    });
    return new TestMail(messaging, worker, registry, logged);
  }

  stop(): Promise<void> {
    return this.worker.close();
  }

  work(): Promise<void> {
    return workDue(this.worker);
  }

  /** A state of the user's contact, newer than all before. */
  contact({ id }: Person, fields: Partial<ContactState> = {}): ContactState {
    this.versions += 1;
    return ContactState.fromPartial({
      ...{ id, version: this.versions, status: UserStatus.USER_STATUS_ACTIVE },
      ...{ email: addressOf({ id }), emailVerified: true, language: 'en', unsubscribeToken: `token-${id}` },
      ...{ wantsSubscriptionMails: true, wantsSecurityMails: true },
      createdAt: this.messaging.clock.now(),
      ...fields,
    });
  }

  /** Publishes it in identity's place and waits for what it causes. */
  tell(person: Person, fields?: Partial<ContactState>): Promise<void> {
    return this.messaging.tell(contactTopic, this.contact(person, fields));
  }

  /** A notice as identity makes it, with this sealed in it for the worker. */
  async notice(
    { id: userId }: Person,
    kind: AccountNoticeKind,
    sealed: Partial<SealedNotice>,
    fields: Partial<AccountNoticeState> = {},
  ): Promise<AccountNoticeState> {
    const now = this.messaging.clock.now();
    const bytes = new TextEncoder().encode(JSON.stringify(sealed));
    return AccountNoticeState.fromPartial({
      ...{ id: newIdAt(now), version: now * 1_000, userId, kind, createdAt: now, expiresAt: now + DAY_MS },
      sealed: await this.messaging.service.keys.sealer.seal(bytes),
      ...fields,
    });
  }

  /** Publishes such a notice in identity's place and waits for what it causes. */
  async tellOf(...args: Parameters<TestMail['notice']>): Promise<AccountNoticeState> {
    const state = await this.notice(...args);
    await this.messaging.tell(accountNoticeTopic, state);
    return state;
  }

  /** How many attempts had the outcome. */
  count(kind: string, outcome: string): Promise<number> {
    return this.counted('pulso_mails_total', { kind, outcome });
  }

  /** How many mails were not sent for this reason. */
  dropped(kind: string, reason: string): Promise<number> {
    return this.counted('pulso_mails_dropped_total', { kind, reason });
  }

  private async counted(name: string, wanted: Record<string, string>): Promise<number> {
    const { values } = await this.registry.getSingleMetric(name)!.get();
    const found = values.find(({ labels }) =>
      Object.entries(wanted).every(([label, value]) => labels[label] === value),
    );
    return found?.value ?? 0;
  }
}

export const addressOf = ({ id }: { id: string }) => `${id}@${DOMAIN}`;
