import type { Cluster } from '../cluster.js';
import { gatewayUrl } from '../gateway-url.js';
import { INBOX_PORT } from '../pods.js';
import type { Figures } from '../scenario.js';
import { expectIntact } from './expect-intact.js';
import { type LoadOptions, startLoad } from './load.js';

/** Of the failed requests, in a message. */
const SHOWN = 10;

interface UnderLoadOptions extends Partial<LoadOptions> {
  /** True where an engine is away: then what is not acknowledged may fail. */
  mayFail?: boolean;
}

/**
 * Does something to Pulso while the load runs. Rejects when a request failed although its client repeated it once, when anything that was
 * acknowledged is missing, and when a mail came twice.
 * @param act gets the gateway's URL @returns its figures, and those of the load
 */
export async function underLoad(
  cluster: Cluster,
  act: (url: string) => Promise<Figures>,
  { mayFail = false, ...options }: UnderLoadOptions = {},
): Promise<Figures> {
  const url = await gatewayUrl(cluster);
  const load = await startLoad(url, {
    perSecond: cluster.perSecond,
    ...options,
  });
  let figures, report;
  try {
    figures = await act(url);
  } finally {
    report = await load.stop();
  }
  const { requests, perSecond, unsent, retried, failed, p50, p99 } = report;
  if (failed.length > 0 && !mayFail)
    throw new Error(`${failed.length} of ${requests} requests failed: ${failed.slice(0, SHOWN).join('; ')}`);
  const inbox = await cluster.forward('mail', INBOX_PORT);
  try {
    const intact = await expectIntact(report, inbox.url, {
      hasEveryMail: !mayFail,
    });
    const compared = Object.entries(intact).map(([what, count]) => `${count} ${what}`);
    return {
      ...figures,
      'requests, and a second': `${requests}, ${perSecond}`,
      'failed after one retry, retried, and not sent': `${failed.length}, ${retried}, ${unsent}`,
      'p50 and p99 in ms, with retries': `${p50}, ${p99}`,
      'all there, nothing twice': compared.join(', '),
    };
  } finally {
    await inbox.close();
  }
}
