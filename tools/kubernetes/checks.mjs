import { build, installWhenNeeded, requireNode } from '../prepare.mjs';
import { endWith, Report } from '../suites/report.mjs';
import { alerts } from './alerts.mjs';
import { connections } from './connections.mjs';
import { coverage } from './coverage.mjs';
import { images } from './images.mjs';
import { pods } from './pods.mjs';
import { ports } from './ports.mjs';
import { references } from './references.mjs';
import { schemas } from './schemas.mjs';
import { secrets } from './secrets.mjs';
import { settings } from './settings.mjs';
import { skaffold } from './skaffold.mjs';
import { MissingTool } from './tools.mjs';

/**
 * What is checked of deploy/kubernetes, deploy/docker, deploy/prometheus and skaffold.yaml without a cluster. Each check takes all facts and returns its
 * faults, one line each, and what it has looked at.
 *
 * @typedef {{ faults: string[], figures: string }} Judgement
 *
 * @type {readonly { title: string, judge: (facts: import('./facts.mjs').Facts) => Judgement | Promise<Judgement> }[]}
 */
export const CHECKS = [
  { title: 'Schemas', judge: (facts) => schemas(facts) },
  { title: 'Secrets', judge: secrets },
  { title: 'Images', judge: images },
  { title: 'Pods', judge: pods },
  { title: 'Settings', judge: settings },
  { title: 'Connections', judge: connections },
  { title: 'References', judge: references },
  { title: 'Ports', judge: ports },
  { title: 'Skaffold', judge: skaffold },
  { title: 'Processes', judge: coverage },
  { title: 'Alerts', judge: alerts },
];

/**
 * `npm run check:kubernetes`: builds, renders all overlays, and judges them. Prints a line for each check with what it has looked at, then
 * each fault; the last line is `N passed, N failed`. A missing tool is a failure that says how to install it.
 */
async function main() {
  requireNode();
  await installWhenNeeded();
  const report = new Report();
  await report.phase('build', build);
  // It reads the build.
  const { gatherFacts } = await import('./facts.mjs');
  const facts = await orBreak('Rendering', report, () => report.phase('rendering', gatherFacts));
  if (facts) for (const check of CHECKS) await orBreak(check.title, report, () => run(check, facts, report));
  endWith(report);
}

/** What cannot be done is a failure of its own, and the others still run: a missing tool says in one line how it is installed. */
async function orBreak(title, report, work) {
  try {
    return await work();
  } catch (error) {
    report.break(title, error instanceof MissingTool ? error.message : error.stack);
    return undefined;
  }
}

async function run({ title, judge }, facts, report) {
  const started = performance.now();
  const { faults, figures } = await judge(facts);
  report.spend(`Kubernetes: ${title}`, (performance.now() - started) / 1_000);
  console.log(`${title}: ${figures}, ${faults.length} faults`);
  if (faults.length === 0) report.pass(1);
  for (const fault of faults) report.break(title, fault);
}

if (process.argv[1] === import.meta.filename) await main();
