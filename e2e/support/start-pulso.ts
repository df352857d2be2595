import { startClusterPulso } from './cluster-pulso.js';
import { startEmbeddedPulso } from './embedded-pulso.js';
import { startKubernetesPulso } from './kubernetes-pulso.js';
import { type JourneyPulso, type TestPulso, withClients } from './test-pulso.js';

export type { PulsoByApi, TestPulso } from './test-pulso.js';

/**
 * Starts a Pulso for a journey, in the profile of PULSO_TEST_PROFILE (`embedded` unless set, or `cluster`), with its
 * own databases and topics in the suites' engines. Its spans go to the OTLP endpoint `tracesTo`; its pages come from the build of
 * the frontend at `staticDirectory`.
 */
export async function startPulso(
  options: { tracesTo?: string; staticDirectory?: string } = {},
): Promise<TestPulso> {
  if (process.env.PULSO_TEST_PROFILE !== 'cluster') return withClients(await startEmbeddedPulso(options));
  const { tracesTo, staticDirectory } = options;
  const env: Record<string, string> = staticDirectory === undefined ? {} : { STATIC_DIR: staticDirectory };
  return withClients(await startClusterPulso({ tracesTo, env }));
}

/** The Pulso that journeys share: as `startPulso`, and in the profile `kubernetes` the one of a cluster, as it is. */
export async function startJourneyPulso(
  options: Parameters<typeof startPulso>[0] = {},
): Promise<JourneyPulso> {
  if (process.env.PULSO_TEST_PROFILE !== 'kubernetes') return startPulso(options);
  return withClients(await startKubernetesPulso());
}
