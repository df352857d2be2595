/** @typedef {import('../suites.mjs').Suite} Suite */

/** @param {'cluster' | 'crash'} profile @param {number} usualS @param {string[]} patterns @returns {Suite} */
const suite = (profile, usualS, ...patterns) => ({
  folder: 'e2e',
  patterns,
  usualS,
  env: { PULSO_TEST_PROFILE: profile },
});

/**
 * The files of `e2e/crash`, which need no engines but those that they start. `e2e/support/e2e-suites.spec.ts` sees to it that
 * each file of a folder is in one suite here.
 */
export const CRASH_SUITES = [
  suite('crash', 80, 'crash/signals'),
  suite('crash', 110, 'crash/(launcher|operate|dev-loop|engine-process)'),
  suite(
    'crash',
    120,
    'crash/(kill-nine|follow-delivery|message-race|bundles|images|direct-charges|video-upload)',
  ),
];

/**
 * The API journeys on the cluster profile, and the files of `e2e/cluster`. They run at once on the same engines: each cluster has
 * names of its own there (`e2e/support/cluster-pulso.ts`).
 */
export const CLUSTER_SUITES = [
  suite('cluster', 190, 'api/journeys'),
  suite('cluster', 150, 'api/people'),
  suite(
    'cluster',
    180,
    'api/(billing-outage|erasure|ranked-feed|write-mix|generated-usernames|reserved-usernames)',
    'cluster/processes',
  ),
  suite('cluster', 200, 'cluster/(refusals|cluster-start|start-cluster-signals|outages)'),
];

/** Each starts engines that it stops and kills. */
export const FAULT_SUITES = [suite('cluster', 600, 'faults/')];
