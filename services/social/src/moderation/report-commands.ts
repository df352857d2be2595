import { UsageError } from '@pulso/platform/command-line/run-commands';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { KnownUsers } from '../projections/known-users.js';
import {
  ESTABLISHED_DAYS,
  type QueuedReport,
  type ReportedSubject,
  ReportQueue,
} from '../store/report-queue.js';
import { GROUNDS_OPTIONS, groundsOf, limitOf, LIST_OPTIONS, pageOf } from './command-input.js';
import { DismissReports } from './dismiss-reports.js';

/** The commands by which moderators read reports, and dismiss made-up ones (PEOPLE-36, PEOPLE-42). */
export const reportCommands: Readonly<Record<string, ServiceCommand>> = {
  reports: {
    options: { page: { type: 'string', value: '<n>', default: '1' }, ...LIST_OPTIONS },
    summary: 'lists what is reported, first what most users report whose accounts were not made for it',
    prepare(input) {
      const [limit, page, { json }] = [limitOf(input), pageOf(input), input.options];
      return async (service) => {
        const subjects = await service.get(ReportQueue).bySubject({ limit, offset: (page - 1) * limit });
        if (json) return subjects.map((subject) => JSON.stringify(subject));
        return subjects.length === 0 ? ['No open reports.'] : subjects.flatMap(linesOfSubject);
      };
    },
  },
  'list-reports': {
    options: {
      all: { type: 'boolean' },
      about: { type: 'string', value: '<post, comment, message or user id>' },
      from: { type: 'string', value: '<username or id>' },
      ...LIST_OPTIONS,
    },
    summary: 'lists open reports one by one, oldest first; with --all also resolved ones',
    prepare(input) {
      const limit = limitOf(input);
      const { all, json, about, from } = input.options;
      if (about !== undefined && !isId(String(about)))
        throw new UsageError('--about must be the id of a post, comment, message or user.');
      return async (service) => {
        const reports = await service.get(ReportQueue).list({
          ...{ resolved: all === true, limit },
          ...(about !== undefined && { subjectId: String(about) }),
          ...(from !== undefined && { reporterId: await service.get(KnownUsers).idOf(String(from)) }),
        });
        if (json) return reports.map((report) => JSON.stringify(report));
        return reports.length === 0 ? ['No open reports.'] : reports.flatMap(linesOfReport);
      };
    },
  },
  'dismiss-reports': {
    operands: ['<username or id>'],
    options: GROUNDS_OPTIONS,
    summary: 'dismisses all open reports that a user has made',
    prepare(input) {
      const [user = ''] = input.operands;
      const { reason = 'other', ...grounds } = groundsOf(input);
      return async (service) => {
        const reporterId = await service.get(KnownUsers).idOf(user);
        const closed = await service.get(DismissReports).execute(reporterId, { ...grounds, reason });
        return [`Dismissed ${numberOf(closed, 'report')} of ${user}.`];
      };
    },
  },
};

const numberOf = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Notes are untrusted texts: quoted, so that they stay on their lines. */
const noteLines = (note: string, indent: string) => (note === '' ? [] : [`${indent}${JSON.stringify(note)}`]);

function linesOfSubject(subject: ReportedSubject): string[] {
  const { subjectType, subjectId, reporters, established, since, reasons, newest } = subject;
  const named = Object.entries(reasons).map(([reason, count]) => `${reason} ${count}`);
  return [
    `${subjectType} ${subjectId}  ${numberOf(reporters, 'reporter')}, ${established} with an account of ${ESTABLISHED_DAYS} days`,
    `  ${named.join(', ')}, since ${since}`,
    ...newest.flatMap(({ id, createdAt, reason, reporter, note }) => [
      `  ${id}  ${createdAt}  ${reason}, reported by ${reporter}`,
      ...noteLines(note, '    '),
    ]),
  ];
}

export function linesOfReport(report: QueuedReport): string[] {
  const { id, createdAt, subjectType, subjectId, reason, reporter, note, resolution, resolvedBy } = report;
  const state = resolution === null ? 'open' : `${resolution} by ${resolvedBy}`;
  return [
    `${id}  ${createdAt.toISOString()}  ${state}`,
    `  ${reason}: ${subjectType} ${subjectId}, reported by ${reporter}`,
    ...noteLines(note, '  '),
  ];
}
