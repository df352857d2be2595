import { randomUUID } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import { ApiClient } from '../support/api-client.js';
import type { Cluster } from './cluster.js';

/** Where deploy/kubernetes/kind.yaml brings the gateway. */
const KIND_URL = 'http://localhost:8080';

/**
 * The URL of the gateway's Service, which leads to whichever pod is ready, as no forwarded port does: that of the node's port, or of
 * kind. Rejects when neither leads to this cluster.
 */
export async function gatewayUrl(cluster: Cluster): Promise<string> {
  const service = await cluster.get<{ spec: { ports: { nodePort?: number }[] } }>('service', 'gateway');
  const nodes = await cluster.get<{
    items: { status: { addresses: { type: string; address: string }[] } }[];
  }>('nodes');
  const port = service.spec.ports[0]?.nodePort;
  const addresses = nodes.items
    .flatMap(({ status }) => status.addresses)
    .filter(({ type }) => type === 'InternalIP');
  const urls = [...(port ? addresses.map(({ address }) => `http://${address}:${port}`) : []), KIND_URL];
  const reasons: string[] = [];
  for (const url of urls) {
    const reason = await strangerAt(cluster, url);
    if (!reason) return url;
    reasons.push(`${url}: ${reason}`);
  }
  throw new Error(`The gateway is not reached from here. ${reasons.join('; ')}`);
}

/** Why the URL is not the gateway of this cluster: another Pulso signs with other keys. */
async function strangerAt(cluster: Cluster, url: string): Promise<string | undefined> {
  const client = new ApiClient(url);
  try {
    await client.signUp(`proof-${randomUUID().slice(0, 8)}`);
  } catch (error) {
    return `${(error as Error).message} ${String((error as Error).cause ?? '')}`.trim();
  }
  const { data } = await cluster.get<{ data: Record<string, string> }>('configmap', 'public-keys');
  const { kid } = decodeProtectedHeader(client.accessToken!);
  const isOwn = data['ACCESS_TOKEN_JWKS']!.includes(`"${kid}"`);
  return isOwn ? undefined : 'it belongs to another Pulso';
}
