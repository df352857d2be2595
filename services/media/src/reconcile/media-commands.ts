import { type CommandInput, UsageError } from '@pulso/platform/command-line/run-commands';
import { linesOf } from '@pulso/platform/command-line/table';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { Reconcile, type Reconciliation } from './reconcile.js';

const MOST_LISTED = 10_000;

/** The commands of media's operators. */
export const mediaCommands: Readonly<Record<string, ServiceCommand>> = {
  reconcile: {
    options: {
      apply: { type: 'boolean' },
      limit: { type: 'string', value: '<n>', default: '100' },
      json: { type: 'boolean' },
    },
    summary:
      'compares assets with files, both ways; with --apply it removes ownerless files and corrects counted sizes',
    prepare(input) {
      const { apply, json } = input.options;
      const limit = limitOf(input);
      return async (service) => {
        const result = await service.get(Reconcile).execute({ apply: apply === true, limit });
        return json ? jsonOf(result) : tableOf(result, apply === true);
      };
    },
  },
};

/** A line for each finding, and the sums at the end. */
function jsonOf({ findings, ...sums }: Reconciliation): string[] {
  return [...findings, sums].map((line) => JSON.stringify(line));
}

function tableOf({ findings, found, assets, files, repaired }: Reconciliation, apply: boolean): string[] {
  const rows = findings.map((finding) => ({ ...finding }));
  const total = Object.values(found).reduce((sum, count) => sum + count, 0);
  const { ownerless, missing, size, unknown } = found;
  return [
    ...linesOf(rows, { json: false, empty: 'Assets and files agree.' }),
    ...(total > findings.length ? [`… and ${total - findings.length} more: --limit lists them.`] : []),
    `${assets} assets, ${files} files: ${ownerless} ownerless, ${missing} missing, ${size} of another size, ${unknown} unknown objects.`,
    ...(apply ? [`${repaired} repaired.`] : []),
    ...(!apply && ownerless + size > 0 ? ['Nothing is changed: repeat it with --apply.'] : []),
    ...(missing > 0
      ? ['Missing files cannot be made again: restore them from a backup (docs/runbooks/media.md).']
      : []),
  ];
}

function limitOf({ options: { limit } }: CommandInput): number {
  const most = Number(limit);
  if (!Number.isInteger(most) || most < 1 || most > MOST_LISTED)
    throw new UsageError(`--limit must be from 1 to ${MOST_LISTED}.`);
  return most;
}
