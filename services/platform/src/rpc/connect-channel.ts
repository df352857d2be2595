import { ConnectAttempts } from './connect-attempts.js';
import { KEEPALIVE } from './connect-protocol.js';
import { Replicas } from './replicas.js';
import type { RpcAnswer, RpcCall, RpcChannel } from './rpc-channel.js';
import { RpcStatusError, cancelled, deadlineExceeded, toStatusError } from './rpc-status.js';
import type { RpcService } from './service-definition.js';

/** The client side of Connect over HTTP/1.1. Not encrypted, because it never leaves the cluster's private network. */
export class ConnectChannel implements RpcChannel {
  private readonly replicas: Replicas;

  /** @param url as `rpcUrl` makes it */
  constructor(
    private readonly service: RpcService,
    url: string,
    keepalive = KEEPALIVE,
  ) {
    this.replicas = new Replicas(url, keepalive);
  }

  unary(call: RpcCall): Promise<RpcAnswer> {
    const refused = refusal(call);
    if (refused) return Promise.reject(refused);
    const { path } = this.service.definition[call.method]!;
    return new Promise((resolve, reject) => {
      new ConnectAttempts(this.replicas, path, call, resolve, reject).begin();
    });
  }

  async close(): Promise<void> {
    this.replicas.close();
  }
}

/** A call that is cancelled or late before it starts needs no round trip. */
function refusal({ cancellation, budgetMs }: RpcCall): RpcStatusError | undefined {
  if (cancellation?.over) return toStatusError(cancelled());
  return budgetMs > 0 ? undefined : toStatusError(deadlineExceeded());
}
