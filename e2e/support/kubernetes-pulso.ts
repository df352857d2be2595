import { type ServiceName } from '@pulso/contracts/rpc';
import { until } from '@pulso/platform/testing/until';
import { Cluster } from '../kubernetes/cluster.js';
import { PROCESSES } from '../kubernetes/processes.js';
import { metricOf } from './operations.js';
import { DRAIN_MS, type RunningPulso } from './test-pulso.js';

/** Of every process. */
const OPERATIONS_PORT = 9090;

/**
 * The Pulso that `npm run kubernetes` has deployed: PULSO_TEST_KUBERNETES names the context of kubectl's, PULSO_TEST_URL and
 * PULSO_TEST_INBOX_URL the gateway and the inbox. Nobody but the journeys uses it meanwhile.
 */
export async function startKubernetesPulso(): Promise<RunningPulso> {
  const cluster = new Cluster('', variable('PULSO_TEST_KUBERNETES'), new AbortController().signal);
  const forwards = new Map<string, string>();
  try {
    for (const { metadata } of await cluster.untilReady(PROCESSES)) {
      forwards.set(metadata.name, (await cluster.forward(`pod/${metadata.name}`, OPERATIONS_PORT)).url);
    }
    const operationsUrls = [...forwards.values()];
    const secret = async <K extends keyof RunningPulso['secrets']>(name: string, key: string) => {
      const { data } = await cluster.get<{ data: Record<string, string> }>('secret', name);
      return JSON.parse(Buffer.from(data[key]!, 'base64').toString()) as RunningPulso['secrets'][K];
    };
    const operate = (service: ServiceName, ...words: string[]) => {
      const program = `services/${service}/bundle/cli/main.js`;
      return cluster.exec(`deployment/${service}`, ['node', program, ...words], { container: 'process' });
    };
    return {
      url: variable('PULSO_TEST_URL'),
      inboxUrl: variable('PULSO_TEST_INBOX_URL'),
      operationsUrls,
      secrets: {
        mediaUrl: await secret<'mediaUrl'>('media', 'MEDIA_URL_SECRETS'),
        signingKeys: await secret<'signingKeys'>('identity', 'ACCESS_TOKEN_KEYS'),
      },
      operate,
      async republish(service, ...entities) {
        await operate(service, 'republish', ...entities);
      },
      drainEvents: (timeoutMs = DRAIN_MS) => drain(operationsUrls, timeoutMs),
      close: () => cluster.close(),
    };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

/**
 * Resolves when the outboxes are empty and no consumer has anything left, as all processes say twice in a row: the consumer of an event
 * that was delivered between two of their answers may have written another one.
 */
async function drain(operationsUrls: readonly string[], timeoutMs: number): Promise<void> {
  let quiet = 0;
  let left = '';
  const isQuiet = async () => {
    const unpublished = await metricOf(operationsUrls, 'pulso_outbox_depth');
    const undelivered = await metricOf(operationsUrls, 'pulso_events_pending');
    left = `${undelivered} deliveries and ${unpublished} unpublished states left`;
    quiet = unpublished === 0 && undelivered === 0 ? quiet + 1 : 0;
    return quiet === 2;
  };
  await until(isQuiet, { what: () => `empty outboxes and no lag, with ${left}`, limit: timeoutMs });
}

function variable(name: `PULSO_TEST_${'KUBERNETES' | 'URL' | 'INBOX_URL'}`): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: npm run kubernetes sets it.`);
  return value;
}
