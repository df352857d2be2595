import { describe, expect, it } from '@jest/globals';
import {
  describedFaults,
  documentedFaults,
  runbookFaults,
  runbookOf,
  testedFaults,
} from '../../tools/kubernetes/alert-rules.mjs';
import { unknownIn } from '../../tools/kubernetes/metrics.mjs';

const RUNBOOK = 'docs/runbooks/outbox-stuck.md';
const alert = {
  alert: 'PulsoOutboxStuck',
  expr: 'pulso_outbox_depth > 0',
  for: '3m',
  labels: { severity: 'page' },
  annotations: { summary: 'It is stuck', description: 'It does not publish', runbook: RUNBOOK },
};
const shows = (state: string, severity = 'page') => ({
  expr: 'count by (alertstate, severity) (ALERTS{alertname="PulsoOutboxStuck"})',
  exp_samples: state ? [{ labels: `{alertstate="${state}", severity="${severity}"}` }] : [],
});

it('an alert leads to the page of its name', () => {
  expect(runbookOf('PulsoOutboxStuck')).toBe(RUNBOOK);
});

describe('an alert', () => {
  it('waits, has a severity, words and its own runbook', () => {
    expect(describedFaults([alert])).toEqual([]);
    const { summary: _, ...annotations } = alert.annotations;
    const wrong = {
      ...alert,
      for: undefined,
      labels: { severity: 'loud' },
      annotations: { ...annotations, runbook: 'docs/runbooks/other.md' },
    };
    expect(describedFaults([wrong])).toEqual([
      'PulsoOutboxStuck: say by `for` how long it waits',
      'PulsoOutboxStuck: its severity is page or ticket',
      'PulsoOutboxStuck: it has no summary',
      `PulsoOutboxStuck: its runbook is ${RUNBOOK}`,
    ]);
  });

  it('is shown by tests to fire with its severity, to wait and to be quiet', () => {
    expect(testedFaults([alert], [shows('pending'), shows('firing'), shows('')])).toEqual([]);
    expect(testedFaults([alert], [shows('firing', 'ticket')])).toEqual([
      'PulsoOutboxStuck (page): no test shows that it fires',
      'PulsoOutboxStuck: no test shows that it waits',
      'PulsoOutboxStuck: no test shows that it is quiet',
    ]);
  });

  it('is in the table of signs, and each of its rows has one', () => {
    const page = (rows: string) =>
      `## Signs\n\n| sign | means | alert |\n| --- | --- | --- |\n${rows}\n## Next\n`;
    const row = '| the depth grows | stuck | [PulsoOutboxStuck](../runbooks/outbox-stuck.md) |\n';
    expect(documentedFaults(['PulsoOutboxStuck'], page(row))).toEqual([]);
    expect(documentedFaults(['PulsoOutboxStuck'], page('| a sign | of something |\n'))).toEqual([
      'docs/operations/alerts.md: no alert is linked in the row | a sign | of something |…',
      'docs/operations/alerts.md: PulsoOutboxStuck is in no row',
    ]);
    expect(documentedFaults([], page(row))).toEqual([
      'docs/operations/alerts.md: there is no alert PulsoOutboxStuck',
    ]);
  });

  it('has a runbook, and a runbook has an alert', () => {
    const index = '[it](outbox-stuck.md) [restore](restore-one.md)';
    const pages = ['README.md', 'outbox-stuck.md', 'restore-one.md'];
    expect(runbookFaults(['PulsoOutboxStuck'], pages, index)).toEqual([]);
    expect(runbookFaults(['PulsoOutboxStuck'], ['README.md', 'other.md'], '')).toEqual([
      `${RUNBOOK} is missing`,
      'docs/runbooks/other.md is of no alert',
      'docs/runbooks/README.md does not name other.md',
    ]);
  });
});

it('an expression asks for series and labels that there are', () => {
  const metrics = new Map([['pulso_mails_total', new Set(['service', 'outcome'])]]);
  const recorded = new Set(['gateway:http_errors:rate5m']);
  const unknown = (expression: string) => unknownIn(expression, metrics, recorded);
  expect(
    unknown('rate(pulso_mails_total{outcome=~"sent|refused"}[5m]) > gateway:http_errors:rate5m'),
  ).toEqual([]);
  expect(unknown('pulso_mail_total')).toEqual(['no process shows pulso_mail_total']);
  expect(unknown('gateway:http_errors:rate9m')).toEqual(['no process shows gateway:http_errors:rate9m']);
  expect(unknown('pulso_mails_total{result="sent"}')).toEqual(['pulso_mails_total has no label result']);
});
