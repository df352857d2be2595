import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../free-ports.mjs';
import { EngineProcess } from './engine-process.mjs';
import { jarsOf } from './maven-jars.mjs';

const KEY = 'pulso';

/** It says by its log that it is ready, and why it is not. */
const LOGBACK = `<configuration>
  <appender name="out" class="ch.qos.logback.core.ConsoleAppender"><encoder><pattern>%level %logger{0} %msg%n</pattern></encoder></appender>
  <root level="INFO"><appender-ref ref="out"/></root>
</configuration>
`;

/**
 * An S3 server (S3Proxy on files of `directory`, which must exist) as a native Java process on loopback; needs Java 17 and,
 * the first time, Maven. It checks signatures, and so the bodies that they are of. Resolves to the process (EngineProcess)
 * with the server's `url`, whose user and password are the key and the secret; buckets are made by those who use it. See
 * docs/adr/0012-an-s3-server-for-the-suites.md.
 */
export async function startS3(directory) {
  const jars = await jarsOf('S3');
  const [port] = await freePorts(1);
  const secret = randomBytes(16).toString('hex');
  const buckets = join(directory, 'buckets');
  const [properties, logback] = ['s3.properties', 'logback.xml'].map((name) => join(directory, name));
  mkdirSync(buckets);
  writeFileSync(logback, LOGBACK);
  const values = {
    's3proxy.endpoint': `http://127.0.0.1:${port}`,
    's3proxy.authorization': 'aws-v4',
    's3proxy.identity': KEY,
    's3proxy.credential': secret,
    'jclouds.provider': 'filesystem-nio2',
    'jclouds.filesystem.basedir': buckets,
    // It asks for both, and files need neither.
    'jclouds.identity': KEY,
    'jclouds.credential': KEY,
  };
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(properties, lines.join(''), { mode: 0o600 });
  const server = new EngineProcess({
    name: 'S3',
    command: 'java',
    args: [
      ...[
        '-Xmx256m',
        '-XX:+UseSerialGC',
        '-XX:TieredStopAtLevel=1',
        `-Dlogback.configurationFile=${logback}`,
      ],
      ...['-cp', `${jars}/*`, 'org.gaul.s3proxy.Main', '--properties', properties],
    ],
    isReady: (line) => line.includes('Server Started'),
  });
  await server.start();
  return Object.assign(server, { url: `http://${KEY}:${secret}@127.0.0.1:${port}` });
}
