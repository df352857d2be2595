import { PATTERNS } from '@pulso/contracts/limits';
import { createTransport } from 'nodemailer';
import type { SmtpTarget } from './mail-settings.js';
import { Mailer, MailError, type OutgoingMail } from './mailer.js';

/** How many mails are sent at once, each over its own connection. */
export const SMTP_CONNECTIONS = 4;

const CONNECT_MS = 10_000;
/** Some servers check a mail for a while before they take it. */
const ANSWER_MS = 60_000;
/** A mail has some ten steps, and a server may draw each of them out. Shorter than a worker's claim on it (`MailWork`). */
const MAX_SEND_MS = 4 * 60_000;

const EMAIL = new RegExp(PATTERNS.email);
/** Nodemailer would make several receivers, or another one, of what has more in it. */
const isOneAddress = (to: string): boolean => EMAIL.test(to) && to === to.trim();

interface SmtpFailure {
  code?: unknown;
  responseCode?: unknown;
  command?: unknown;
}

/** Sends mails to a mail server. */
export class SmtpMailer extends Mailer {
  private readonly transport;
  private readonly domain: string;

  constructor(
    private readonly target: SmtpTarget,
    /** How long sending one mail may take. */
    private readonly maxMs = MAX_SEND_MS,
  ) {
    super();
    const { url, requiresTls: requireTLS, dkim, from } = target;
    this.domain = from.address.slice(from.address.lastIndexOf('@') + 1);
    const { hostname, port, protocol, username, password } = new URL(url);
    const secure = protocol === 'smtps:';
    this.transport = createTransport({
      pool: true,
      maxConnections: SMTP_CONNECTIONS,
      ...{ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (secure ? 465 : 587), secure },
      ...{ requireTLS, connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: ANSWER_MS },
      ...(username !== '' && {
        auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      }),
      ...(dkim && { dkim }),
      ...{ disableFileAccess: true, disableUrlAccess: true },
    });
  }

  async send({ id, to, date, subject, text, html, unsubscribeUrl }: OutgoingMail): Promise<void> {
    if (!isOneAddress(to)) throw new MailError('EENVELOPE', undefined, true);
    const { from } = this.target;
    const list = unsubscribeUrl !== undefined && {
      list: { unsubscribe: { url: unsubscribeUrl }, id: { url: `notifications.${this.domain}` } },
    };
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), this.maxMs);
    try {
      await this.transport.sendMail({
        // Closes the connection: a mail that is given up here must not be taken a moment later.
        signal: controller.signal,
        ...{ from, to: { name: '', address: to }, subject, text, html, date },
        messageId: `<${id}@${this.domain}>`,
        // Return-Path: bounces go to the sender's own domain, whose SPF record names the mail server.
        envelope: { from: from.address, to: [to] },
        ...list,
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(list && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
        },
      });
    } catch (error) {
      if (controller.signal.aborted) throw new MailError('ETIMEDOUT', undefined, false);
      throw mailErrorOf(error as SmtpFailure);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Nest calls it when the worker stops, after the last mail. */
  onModuleDestroy(): void {
    this.transport.close();
  }
}

/** nodemailer's messages contain addresses and the server's answer, so only codes are taken over. */
function mailErrorOf({ code, responseCode, command }: SmtpFailure): MailError {
  const answer = typeof responseCode === 'number' ? responseCode : undefined;
  const isPermanent = answer !== undefined && answer >= 500 && (command === 'RCPT TO' || command === 'DATA');
  // Without an answer, nodemailer itself has found that the address cannot be one.
  const isNoAddress = answer === undefined && code === 'EENVELOPE';
  return new MailError(typeof code === 'string' ? code : 'EUNKNOWN', answer, isPermanent || isNoAddress);
}
