import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  CHANGE_OPTIONS,
  JSON_OPTION,
  NOTHING_CHANGED,
  REASON_OPTION,
} from '@pulso/platform/command-line/operator-input';
import { type CommandInput, UsageError } from '@pulso/platform/command-line/run-commands';
import { StartError } from '@pulso/platform/process/start-error';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { SESSIONS_SHOWN } from '../store/session.repository.js';
import { ACT_OPTIONS, actOf } from './act.js';
import { EndAllSessions } from './end-all-sessions.js';
import { EraseByOperator } from './erase-by-operator.js';
import { ExportByOperator } from './export-by-operator.js';
import { FindAccount, type FoundAccount } from './find-account.js';
import { saveExport } from './save-export.js';
import { VerifyByOperator } from './verify-by-operator.js';

const NAMED = '<username, id or e-mail address>';

/** The commands about one account (ACCT-44). Suspensions are decisions of moderators: social has them. */
export const accountCommands: Readonly<Record<string, ServiceCommand>> = {
  find: {
    operands: [NAMED],
    options: { ...ACT_OPTIONS, ...JSON_OPTION },
    summary:
      'shows an account to an operator: its state, addresses, ways to sign in and sessions; is recorded',
    prepare(input) {
      const [named = ''] = input.operands;
      const act = actOf(input);
      return async (service) => {
        const account = await service.get(FindAccount).execute(named, act);
        return input.options['json'] ? [JSON.stringify(shown(account))] : linesOf(account);
      };
    },
  },
  'verify-email': {
    operands: [NAMED],
    options: ACT_OPTIONS,
    summary: 'takes an account’s present e-mail address for verified, so that it gets mails; safe to repeat',
    prepare(input) {
      const [named = ''] = input.operands;
      const act = actOf(input);
      return async (service) => {
        const { username, email } = await service.get(VerifyByOperator).execute(named, act);
        return [`${username}: ${email} counts as verified.`];
      };
    },
  },
  'end-sessions': {
    operands: [NAMED],
    options: ACT_OPTIONS,
    summary: 'signs an account out of all its devices; its owner may sign in again',
    prepare(input) {
      const [named = ''] = input.operands;
      const act = actOf(input);
      return async (service) => {
        const { user, ended } = await service.get(EndAllSessions).execute(named, act);
        return [`${user.username}: ${numberOf(ended, 'session')} ended.`];
      };
    },
  },
  export: {
    operands: [NAMED],
    options: {
      out: { type: 'string', value: '<file>', required: true },
      gateway: { type: 'string', value: '<url>', required: true },
      ...REASON_OPTION,
      ...CHANGE_OPTIONS,
    },
    summary:
      'saves all that Pulso holds of an account’s owner as a JSON document, by way of the gateway at this address; only with --apply',
    prepare(input) {
      const [named = ''] = input.operands;
      const deed = { ...actOf(input), apply: input.options['apply'] === true };
      const target = { url: exportUrlOf(input), out: newFileOf(input) };
      return async (service) => {
        const save = (token: string) => saveExport(target, token);
        const { user, size } = await service.get(ExportByOperator).execute(named, deed, save);
        return size === undefined
          ? [`${user.username}: all that is held of ${user.email} would be exported.`, NOTHING_CHANGED]
          : [`${user.username}: exported to ${target.out}, ${size} bytes.`];
      };
    },
  },
  erase: {
    operands: [NAMED],
    options: { ...REASON_OPTION, ...CHANGE_OPTIONS },
    summary: 'erases an account and all that Pulso has of its owner, for ever; only with --apply',
    prepare(input) {
      const [named = ''] = input.operands;
      const deed = { ...actOf(input), apply: input.options['apply'] === true };
      return async (service) => {
        const { id, username, email } = await service.get(EraseByOperator).execute(named, deed);
        return deed.apply
          ? [`${username}: erased here; erasures ${id} tells which services have not erased theirs yet.`]
          : [`${username}: the account of ${email} would be erased for ever.`, NOTHING_CHANGED];
      };
    },
  },
};

function exportUrlOf({ options: { gateway } }: CommandInput): URL {
  const url = URL.canParse(String(gateway)) ? new URL(String(gateway)) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UsageError('--gateway must be the address of a gateway, such as https://pulso.example.org.');
  return new URL('/api/me/export', url);
}

function newFileOf({ options: { out } }: CommandInput): string {
  const file = resolve(String(out));
  if (existsSync(file)) throw new StartError(`--out: ${file} is there already.`);
  return file;
}

const numberOf = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

const timeText = (time: number) => new Date(time).toISOString();

/** As it is printed in JSON: times as texts. */
function shown({ createdAt, providers, sessions, ...account }: FoundAccount) {
  return {
    ...account,
    joined: timeText(createdAt),
    providers: providers.map(({ createdAt: since, ...link }) => ({ ...link, since: timeText(since) })),
    sessions: sessions.map(({ createdAt: since, lastUsedAt, ...session }) => ({
      ...{ ...session, since: timeText(since), lastUsed: timeText(lastUsedAt) },
    })),
  };
}

/** An erased account has no names. Names and what browsers call themselves are untrusted texts: quoted, so that they stay on their lines. */
function linesOf(account: FoundAccount): string[] {
  const { id, username, name, isCoach, status, email, emailVerified, pendingEmail } = account;
  const { providers, sessions, passkeys, joined, hasPassword, language } = shown(account);
  const more = sessions.length < SESSIONS_SHOWN ? '' : ' or more';
  return [
    `user ${id}${username && `  @${username}`}  ${isCoach ? 'coach' : 'member'}  ${status}`,
    ...(name === '' ? [] : [`  name ${JSON.stringify(name)}`]),
    `  e-mail address ${email}, ${emailVerified ? 'verified' : 'not verified'}`,
    ...(pendingEmail === null ? [] : [`  new e-mail address ${pendingEmail}, waits to be verified`]),
    `  joined ${joined}, mails in ${language}`,
    `  password ${hasPassword ? 'set' : 'not set'}`,
    `  ${numberOf(passkeys, 'passkey')}`,
    ...providers.map(({ issuer, emailVerified: isVerified, since }) => {
      return `  signs in by ${issuer} since ${since}, which has ${isVerified ? '' : 'not '}verified the address`;
    }),
    `  ${numberOf(sessions.length, 'session')}${more}`,
    ...sessions.map(({ id: session, since, lastUsed, address, userAgent }) => {
      return `  ${session}  since ${since}  last used ${lastUsed}  ${address || '-'}  ${JSON.stringify(userAgent)}`;
    }),
  ];
}
