import { randomUUID } from 'node:crypto';
import { newSecrets } from '@pulso/embedded/launcher/data-directory';
import { databasesOn } from '@pulso/embedded/databases';
import { GATEWAY_SETTING_NAMES } from '@pulso/gateway/config';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { SERVICE_SETTING_NAMES } from '@pulso/registry/setting-names';
import { bucketUrl, type ClusterOptions, startCluster } from '../../tools/cluster/cluster.mjs';
import { passedOn } from '../../tools/cluster/passed-on.mjs';
import { removeTopics } from '../support/cluster-events.js';
import { dropStores } from '../support/cluster-stores.js';
import { documentedSettings } from '../support/documented-settings.js';
import { runProgram } from '../support/run-process.js';
import { engine } from '../support/test-pulso.js';

describe('a cluster that cannot start', () => {
  const prefix = `start_${randomUUID().slice(0, 8)}`;

  const ownEngines = {
    kafkaBrokers: engine('PULSO_TEST_KAFKA_BROKERS'),
    redisUrl: engine('PULSO_TEST_REDIS_URL'),
    postgresUrl: engine('PULSO_TEST_POSTGRES_URL'),
    mongodbUrl: engine('PULSO_TEST_MONGODB_URL'),
    s3Url: engine('PULSO_TEST_S3_URL'),
  };

  afterAll(async () => {
    await Promise.all([
      dropStores(
        ownEngines.postgresUrl,
        databasesOn(ownEngines, prefix),
        bucketUrl(ownEngines.s3Url, prefix),
      ),
      removeTopics({ brokers: ownEngines.kafkaBrokers, prefix: `${prefix}.` }),
    ]);
  });

  async function failureOf(
    engines: Partial<ClusterOptions['engines']>,
    options: Partial<ClusterOptions> = {},
  ): Promise<string> {
    const cluster = await startCluster({
      engines: { ...ownEngines, ...engines },
      secrets: await newSecrets(),
      prefix,
      topicPrefix: `${prefix}.`,
      ...options,
    }).catch((error: Error) => error.message);
    if (typeof cluster === 'string') return cluster;
    onTestEnd(() => cluster.stop());
    throw new Error('It started');
  }

  it('names the setting of an unusable PostgreSQL, without its password', async () => {
    const line = /^POSTGRES_URL: postgres:\/\/u:\*\*\*@127\.0\.0\.1:1\/x cannot be used: [^\n]*ECONNREFUSED/;
    const postgresUrl = 'postgres://u:hush-hush@127.0.0.1:1/x';
    expect(await failureOf({ postgresUrl })).toMatch(line);
  });

  it('prints a process’s settings error once, and does not restart the process', async () => {
    const lines: string[] = [];
    const line = await failureOf(
      {},
      { env: { RATE_LIMIT_FACTOR: 'many' }, onLine: (text) => lines.push(text) },
    );
    expect(line).toMatch(/^gateway: Wrong settings\. RATE_LIMIT_FACTOR: [^\n]*$/);
    expect(lines.join('\n')).not.toMatch(/RATE_LIMIT_FACTOR|started again/);
  }, 180_000);
});

describe('topics create', () => {
  it('creates all topics, and says so when there is nothing left to do', async () => {
    const kafka = {
      brokers: engine('PULSO_TEST_KAFKA_BROKERS'),
      prefix: `topics_${randomUUID().slice(0, 8)}.`,
    };
    const env = { KAFKA_BROKERS: kafka.brokers, KAFKA_PREFIX: kafka.prefix };
    onTestEnd(() => removeTopics(kafka));
    const create = () => runProgram('services/registry/bundle/cli/topics.js', ['create'], env);
    expect(await create()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('pulso.identity.user.v1'),
    });
    expect(await create()).toEqual({ code: 0, stdout: 'All topics are up to date.\n', stderr: '' });
  });
});

/** The settings that the cluster makes itself: addresses, ports, folders, keys and secrets. */
const OWN =
  /_URL$|^PORT$|_PORT$|^RPC_HOST$|^KAFKA_BROKERS$|_(KEYS|JWKS)$|_SECRETS$|^LOG_LEVEL$|^PULSO_DATA_DIR$|_OBJECTS_DIR$|_REPLICAS$/;

describe('the settings of start:cluster', () => {
  it('contain every setting that operators can give a process', () => {
    const documented = [...documentedSettings('docs/operations/settings.md')];
    const isGiven = (name: string) => !OWN.test(name) || /^(PUBLIC_URL$|STRIPE_)/.test(name);
    const names = documented.filter(isGiven);
    expect(names).toEqual(expect.arrayContaining(['KAFKA_SSL', 'STRIPE_WEBHOOK_SECRETS']));
    const given = Object.fromEntries(names.map((name) => [name, 'given']));
    const known = [...SERVICE_SETTING_NAMES, ...GATEWAY_SETTING_NAMES];
    expect(passedOn({ ...given, PATH: 'x', PORT: '1' }, known, false)).toEqual(given);
    expect(passedOn({ KAFKA_SSL: 'true' }, known, true)).toEqual({});
  });
});
