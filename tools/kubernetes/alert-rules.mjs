/**
 * @typedef {{ alert?: string, record?: string, expr: string, for?: string, labels?: Record<string, string>, annotations?: Record<string, string> }} Rule
 * @typedef {{ expr: string, exp_samples?: { labels: string }[] }} Expectation
 */

const SEVERITIES = ['page', 'ticket'];

/** `PulsoOutboxStuck` → `docs/runbooks/outbox-stuck.md`. @param {string} alert */
export const runbookOf = (alert) =>
  `docs/runbooks/${alert
    .replace(/^Pulso/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()}.md`;

/**
 * Each alert waits, says how urgent it is, what is wrong in words, and where its runbook is.
 *
 * @param {readonly Rule[]} alerts
 */
export function describedFaults(alerts) {
  return alerts.flatMap(({ alert = '', for: wait, labels = {}, annotations = {} }) => [
    ...(/^Pulso[A-Z]/.test(alert) ? [] : [`${alert}: call it Pulso and what is wrong`]),
    ...(wait ? [] : [`${alert}: say by \`for\` how long it waits`]),
    ...(SEVERITIES.includes(labels.severity ?? '')
      ? []
      : [`${alert}: its severity is ${SEVERITIES.join(' or ')}`]),
    ...['summary', 'description']
      .filter((name) => !annotations[name])
      .map((name) => `${alert}: it has no ${name}`),
    ...(annotations.runbook === runbookOf(alert) ? [] : [`${alert}: its runbook is ${runbookOf(alert)}`]),
  ]);
}

/**
 * Each alert has an expectation of a test that it fires with its severity, that it is only pending before (unless the test counts in
 * days), and one that it does neither.
 *
 * @param {readonly Rule[]} alerts @param {readonly Expectation[]} expectations
 */
export function testedFaults(alerts, expectations) {
  return alerts.flatMap(({ alert = '', labels = {} }) => {
    const own = expectations.filter(({ expr }) => expr.includes(`alertname="${alert}"`));
    const shows = (state, severity) =>
      own.some(({ exp_samples = [] }) =>
        exp_samples.some(
          ({ labels: text }) =>
            text.includes(`alertstate="${state}"`) && text.includes(`severity="${severity}"`),
        ),
      );
    const isQuiet = own.some(({ exp_samples = [] }) => exp_samples.length === 0);
    const isPending = SEVERITIES.some((severity) => shows('pending', severity));
    return [
      ...(shows('firing', labels.severity)
        ? []
        : [`${alert} (${labels.severity}): no test shows that it fires`]),
      ...(isPending ? [] : [`${alert}: no test shows that it waits`]),
      ...(isQuiet ? [] : [`${alert}: no test shows that it is quiet`]),
    ];
  });
}

/**
 * The table of signs names an alert in each row, and every alert.
 *
 * @param {readonly string[]} names @param {string} page docs/operations/alerts.md
 */
export function documentedFaults(names, page) {
  const [, section = ''] = /^## Signs\n([\s\S]*?)^## /m.exec(page) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:sign|---)/.test(line));
  const told = new Set();
  const faults = [];
  for (const row of rows) {
    const links = [...row.matchAll(/\[(Pulso\w+)\]\(\.\.\/([^)]+)\)/g)];
    if (links.length === 0)
      faults.push(`docs/operations/alerts.md: no alert is linked in the row ${row.slice(0, 60)}…`);
    for (const [, name = '', path] of links) {
      told.add(name);
      if (!names.includes(name)) faults.push(`docs/operations/alerts.md: there is no alert ${name}`);
      else if (`docs/${path}` !== runbookOf(name))
        faults.push(`docs/operations/alerts.md: ${name} leads to ${path}`);
    }
  }
  return [
    ...faults,
    ...names
      .filter((name) => !told.has(name))
      .map((name) => `docs/operations/alerts.md: ${name} is in no row`),
  ];
}

/** Pages of tasks that no alert asks for. */
const isTask = (page) => page === 'billing.md' || page.startsWith('restore-');

/**
 * A page for each alert, and none that is no alert's and no task's.
 *
 * @param {readonly string[]} names @param {readonly string[]} pages names of files in docs/runbooks @param {string} index its README.md
 */
export function runbookFaults(names, pages, index) {
  const wanted = names.map((name) => runbookOf(name).replace('docs/runbooks/', ''));
  const own = pages.filter((page) => page !== 'README.md');
  return [
    ...wanted.filter((page) => !own.includes(page)).map((page) => `docs/runbooks/${page} is missing`),
    ...own
      .filter((page) => !wanted.includes(page) && !isTask(page))
      .map((page) => `docs/runbooks/${page} is of no alert`),
    ...own
      .filter((page) => !index.includes(`(${page})`))
      .map((page) => `docs/runbooks/README.md does not name ${page}`),
  ];
}
