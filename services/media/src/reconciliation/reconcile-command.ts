import { type CommandInput, UsageError } from '@pulso/platform/command-line/run-commands';
import { linesOf } from '@pulso/platform/command-line/table';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import type { Reconciliation } from './findings.js';
import { Reconcile } from './reconcile.js';

const MOST_LISTED = 10_000;

/** `reconcile`, for media's operators. */
export const reconcileCommand: ServiceCommand = {
  options: {
    apply: { type: 'boolean' },
    remove: { type: 'string', value: '<n>' },
    limit: { type: 'string', value: '<n>', default: '100' },
    json: { type: 'boolean' },
  },
  summary:
    'compares assets with files, both ways; with --apply it removes ownerless files and corrects counted sizes; --remove names how many files may go, where they are more than 1 %',
  prepare(input) {
    const { apply, json } = input.options;
    const [limit, remove] = [limitOf(input), removeOf(input)];
    return async (service) => {
      const result = await service.get(Reconcile).execute({ apply: apply === true, limit, remove });
      return json ? jsonOf(result) : tableOf(result, apply === true);
    };
  },
};

/** A line for each finding, and the sums at the end. */
function jsonOf({ findings, ...sums }: Reconciliation): string[] {
  return [...findings, sums].map((line) => JSON.stringify(line));
}

function tableOf({ findings, found, assets, files, repaired }: Reconciliation, apply: boolean): string[] {
  const rows = findings.map((finding) => ({ ...finding }));
  const total = Object.values(found).reduce((sum, count) => sum + count, 0);
  const { ownerless, listed, missing, size, unknown, archive } = found;
  return [
    ...linesOf(rows, { json: false, empty: 'Assets and files agree.' }),
    ...(total > findings.length ? [`… and ${total - findings.length} more: --limit lists them.`] : []),
    `${assets} assets, ${files} files: ${ownerless} ownerless, ${listed} listed without a row, ${missing} missing, ${size} of another size, ${unknown} unknown objects, ${archive} archives without theirs.`,
    ...(apply ? [`${repaired} repaired.`] : []),
    ...(!apply && ownerless + size > 0 ? ['Nothing is changed: repeat it with --apply.'] : []),
    ...(listed > 0
      ? [
          'Rows that are lost come back from a backup of the database (docs/operations/tasks/media.md). Their files are left alone.',
        ]
      : []),
    ...(missing > 0
      ? ['Missing files cannot be made again: restore them from a backup (docs/operations/tasks/media.md).']
      : []),
    ...(archive > 0
      ? [
          'Archives are in no backup: who misses theirs asks for another one (docs/operations/tasks/media.md).',
        ]
      : []),
  ];
}

function limitOf({ options: { limit } }: CommandInput): number {
  const most = Number(limit);
  if (!Number.isInteger(most) || most < 1 || most > MOST_LISTED)
    throw new UsageError(`--limit must be from 1 to ${MOST_LISTED}.`);
  return most;
}

function removeOf({ options: { remove, apply } }: CommandInput): number | undefined {
  if (remove === undefined) return undefined;
  const most = Number(remove);
  if (!Number.isSafeInteger(most) || most < 1) throw new UsageError('--remove must be a number of files.');
  if (apply !== true) throw new UsageError('--remove is for --apply.');
  return most;
}
