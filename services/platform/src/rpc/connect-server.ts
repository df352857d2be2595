import { Server, Transport, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connections } from './connect-connections.js';
import { ConnectExchange } from './connect-exchange.js';
import { KEEPALIVE, MAX_HEADER_BYTES, PROBE_PATH, type KeepaliveOptions } from './connect-protocol.js';
import { HandlerTable } from './handler-table.js';
import { DRAIN_TIMEOUT_MS, RpcEndpoint, type RpcEndpointOptions } from './rpc-endpoint.js';
import { addressOf } from './rpc-url.js';

/** A client's headers, and its whole request, must have come after so long. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than clients of ours keep one, so that they close it, and never write to one that has just been closed. */
const IDLE_CONNECTION_MS = 180_000;

/**
 * Nest's transport strategy for the Connect protocol over HTTP/1.1: node:http carries bytes, and the endpoint, which also serves
 * calls within one process, does everything else, from codec to errors.
 */
export class ConnectServer extends Server implements CustomTransportStrategy {
  override transportId = Transport.GRPC;
  private readonly table: HandlerTable;
  private readonly methods: ReadonlyMap<string, string>;
  private readonly connections = new Connections();
  private http: HttpServer | undefined;
  private boundPort = 0;

  /** @param url `host:port` */
  constructor(
    private readonly url: string,
    private readonly endpointOptions: RpcEndpointOptions,
    private readonly keepalive: KeepaliveOptions = KEEPALIVE,
  ) {
    super();
    const { service } = endpointOptions;
    this.table = new HandlerTable(service);
    this.methods = new Map(Object.entries(service.definition).map(([name, { path }]) => [path, name]));
  }

  /** The given url, with the bound port in place of port 0. */
  get boundUrl(): string {
    return this.url.replace(/:0$/, `:${this.boundPort}`);
  }

  override addHandler(pattern: unknown, handler: MessageHandler): void {
    this.table.add(pattern, handler);
  }

  async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      const endpoint = new RpcEndpoint(this.endpointOptions, this.table.complete());
      this.http = await this.open(endpoint);
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  }

  /** Refuses new calls, waits for running ones and ends those that take too long. */
  async close(): Promise<void> {
    const { http } = this;
    if (!http) return;
    this.http = undefined;
    await this.connections.leave(DRAIN_TIMEOUT_MS);
    await new Promise<void>((resolve) => {
      http.close(() => resolve());
      http.closeAllConnections();
    });
  }

  override on(): never {
    throw new Error('The Connect transport has no events');
  }

  override unwrap<T>(): T {
    return this.http as T;
  }

  private async open(endpoint: RpcEndpoint): Promise<HttpServer> {
    const http = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        keepAliveTimeout: IDLE_CONNECTION_MS,
        noDelay: true,
        // A client's host that has died: the kernel asks it, and closes the connection.
        keepAlive: true,
        keepAliveInitialDelay: this.keepalive.timeMs,
      },
      (request, response) => this.serve(endpoint, request, response),
    );
    http.on('connection', (socket) => this.connections.add(socket));
    const address = addressOf(this.url);
    if (!address) throw new Error(`${this.url} is not host:port`);
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject);
      http.listen(address.port, address.host, () => {
        http.off('error', reject);
        resolve();
      });
    });
    this.boundPort = (http.address() as AddressInfo).port;
    return http;
  }

  private serve(endpoint: RpcEndpoint, request: IncomingMessage, response: ServerResponse): void {
    response.sendDate = false;
    const begun = this.connections.begin(request.socket, response);
    if (begun === 'gone') return void request.resume();
    const { socket } = request;
    const exchange = new ConnectExchange(request, response, () => this.connections.isLast(socket));
    if (begun === 'refused') return exchange.notBegun();
    const path = request.url ?? '';
    if (path === PROBE_PATH) return exchange.probe();
    exchange.call(endpoint, this.methods.get(path));
  }
}
