import { startClusterPulso } from './cluster-pulso.js';
import { startEmbeddedPulso } from './embedded-pulso.js';
import { type TestPulso, withClients } from './test-pulso.js';

export type { TestPulso } from './test-pulso.js';

/**
 * A Pulso for a journey, in the profile that PULSO_TEST_PROFILE names (`embedded` unless set, or `cluster`), on databases
 * and topics of its own in the suites' engines; its spans go to the OTLP endpoint `tracesTo`.
 */
export async function startPulso(options: { tracesTo?: string } = {}): Promise<TestPulso> {
  const start = process.env.PULSO_TEST_PROFILE === 'cluster' ? startClusterPulso : startEmbeddedPulso;
  return withClients(await start(options));
}
