import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { grafanaDashboards } from '../../deploy/grafana/dashboards.mjs';
import { root } from '../prepare.mjs';
import { describedFaults, documentedFaults, runbookFaults, testedFaults } from './alert-rules.mjs';
import { metricsOfCode, unknownIn } from './metrics.mjs';

/** @typedef {import('./alert-rules.mjs').Rule} Rule */

const runFile = promisify(execFile);
const LIMIT_MS = 60_000;
const PROMETHEUS = 'deploy/prometheus';
const CONFIG = 'deploy/kubernetes/components/telemetry/scrape.yaml';
const BASES = 'deploy/kubernetes/base';
const RUNBOOKS = 'docs/runbooks';
const INSTALL =
  'promtool is missing: it is in the package prometheus of Debian and of Homebrew, and in the releases of Prometheus';

const read = (path) => readFileSync(join(root, path), 'utf8');
const filesIn = (folder, extension) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(extension))
    .map((name) => `${folder}/${name}`);

/**
 * Rules, their tests, dashboards and runbooks fit each other, the code and the documents. Needs the build, and promtool, whose absence
 * is a fault.
 *
 * @returns {Promise<{ faults: string[], figures: string }>}
 */
export async function alerts() {
  const files = filesIn(`${PROMETHEUS}/rules`, '.yaml');
  const tests = filesIn(`${PROMETHEUS}/tests`, '.yaml');
  const rules = files.flatMap((file) => parse(read(file)).groups.flatMap((group) => group.rules));
  const named = rules.filter(({ alert }) => alert);
  const names = [...new Set(named.map(({ alert }) => alert))];
  const expectations = tests.flatMap((file) =>
    parse(read(file)).tests.flatMap((test) => test.promql_expr_test ?? []),
  );
  const metrics = await metricsOfCode();
  const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
  const dashboards = grafanaDashboards();
  const pages = existsSync(join(root, RUNBOOKS)) ? readdirSync(join(root, RUNBOOKS)) : [];
  const faults = [
    ...(await promtoolFaults(files, tests)),
    ...describedFaults(named),
    ...testedFaults(named, expectations),
    ...documentedFaults(names, read('docs/operations/alerts.md')),
    ...runbookFaults(names, pages, pages.includes('README.md') ? read(`${RUNBOOKS}/README.md`) : ''),
    ...rules.flatMap(({ alert, record, expr }) =>
      unknownIn(expr, metrics, recorded).map((fault) => `${alert ?? record}: ${fault}`),
    ),
    ...processFaults(rules, dashboards),
    ...[...dashboards].flatMap(([name, dashboard]) => dashboardFaults(name, dashboard, metrics, recorded)),
    ...mountedFaults(`${PROMETHEUS}/kustomization.yaml`, files),
    ...mountedFaults('deploy/grafana/kustomization.yaml', filesIn('deploy/grafana', '.mjs')),
  ];
  return {
    faults,
    figures: `${names.length} alerts, ${expectations.length} expectations, ${dashboards.size} dashboards`,
  };
}

/** @param {readonly string[]} rules @param {readonly string[]} tests */
async function promtoolFaults(rules, tests) {
  const run = (...args) =>
    runFile('promtool', args, { cwd: root, timeout: LIMIT_MS }).then(
      () => [],
      (error) => [
        error.code === 'ENOENT' ? INSTALL : `promtool ${args.join(' ')}:\n${error.stdout}${error.stderr}`,
      ],
    );
  const runs = await Promise.all([
    run('check', 'rules', ...rules),
    run('check', 'config', CONFIG),
    run('test', 'rules', ...tests),
  ]);
  return [...new Set(runs.flat())];
}

const WORKERS = ['messaging-mail', 'media-video'];

/** Every process is expected to answer, and has a dashboard: a worker has that of its service. */
function processFaults(rules, dashboards) {
  const processes = readdirSync(join(root, BASES)).filter((name) =>
    existsSync(join(root, BASES, name, 'process.yaml')),
  );
  const expected = rules
    .filter(({ record }) => record === 'pulso:process:expected')
    .map(({ labels }) => labels.service);
  return [
    ...processes
      .filter((name) => !expected.includes(name))
      .map((name) => `pulso:process:expected does not have ${name}`),
    ...expected
      .filter((name) => !processes.includes(name))
      .map((name) => `pulso:process:expected: no process ${name} is in ${BASES}`),
    ...processes
      .filter((name) => !dashboards.has(name) && !WORKERS.includes(name))
      .map((name) => `deploy/grafana: ${name} has no dashboard`),
  ];
}

function dashboardFaults(name, { panels }, metrics, recorded) {
  const series = panels.filter(({ type }) => type !== 'row');
  return series.flatMap(({ title, fieldConfig, targets }) => {
    const place = `dashboard ${name}, ${title}`;
    return [
      ...(fieldConfig.defaults.unit ? [] : [`${place}: it has no unit`]),
      ...targets.flatMap(({ expr }) => [
        ...unknownIn(expr, metrics, recorded).map((fault) => `${place}: ${fault}`),
        ...(name === 'billing' && !/service="billing"|pulso_billing_/.test(expr)
          ? [`${place}: the team of billing sees what is not billing's`]
          : []),
      ]),
    ];
  });
}

/** A kustomization names all files beside it that are to be in the cluster. */
function mountedFaults(kustomization, files) {
  const named = parse(read(kustomization)).configMapGenerator.flatMap((one) => one.files);
  const folder = kustomization.replace(/[^/]+$/, '');
  return files
    .map((file) => file.replace(folder, ''))
    .filter((file) => !named.includes(file))
    .map((file) => `${kustomization} does not name ${file}`);
}

if (process.argv[1] === import.meta.filename) {
  const { faults, figures } = await alerts();
  for (const fault of faults) console.log(fault);
  console.log(`${figures}: ${faults.length} faults`);
  process.exit(faults.length > 0 ? 1 : 0);
}
