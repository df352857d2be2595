import { connectLibrary } from './hop-connect-library.js';
import { framed } from './hop-framed.js';
import { grpcHttp2 } from './hop-grpc-http2.js';
import { grpcJs } from './hop-grpc-js.js';
import { http1ByNode } from './hop-http1.js';
import { pulso } from './hop-pulso.js';
import type { Way } from './hop-way.js';

export const WAYS: Readonly<Record<string, Way>> = {
  'Pulso: Connect, node:http and undici': pulso,
  'grpc-js': grpcJs,
  'connect-es, HTTP/1.1': connectLibrary('1.1'),
  'connect-es, HTTP/2': connectLibrary('2'),
  'Connect, node:http alone': http1ByNode,
  'gRPC, node:http2': grpcHttp2,
  'frames over TCP': framed,
};
