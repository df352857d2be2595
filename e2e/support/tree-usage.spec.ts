import { cpuOfTree, memoryOfTree, namesOfTree, sharesOf } from './tree-usage.js';

/** Of `npm run start:cluster`, as /proc names them. */
const CLUSTER = [
  { pid: 10, parent: 1, command: 'node tools/start-cluster.mjs --engines ' },
  {
    pid: 11,
    parent: 10,
    command: 'java -Xmx512m -cp /jars/* kafka.Kafka /tmp/engines/kafka/server.properties ',
  },
  { pid: 12, parent: 10, command: 'sh -c read _; kill -KILL "$1" sh 11 ' },
  { pid: 13, parent: 10, command: 'redis-server 127.0.0.1:12001' },
  { pid: 14, parent: 10, command: '/usr/lib/postgresql/17/bin/postgres -D /tmp/engines/postgres/data ' },
  { pid: 15, parent: 14, command: 'postgres: postgres pulso_social 127.0.0.1(40000) idle' },
  {
    pid: 16,
    parent: 10,
    command: 'node /pulso/deploy/embedded/dist/document-store/main.js /tmp/engines/documents 0 ',
  },
  {
    pid: 17,
    parent: 10,
    command: 'java -cp /jars/* org.gaul.s3proxy.Main --properties /tmp/engines/objects/s3 ',
  },
  { pid: 18, parent: 10, command: 'node --max-semi-space-size=64 /pulso/gateway/bundle/main.js ' },
  { pid: 19, parent: 10, command: 'node /pulso/services/media/bundle/main.js ' },
  { pid: 20, parent: 10, command: 'node /pulso/services/messaging/bundle/mail-worker-main.js ' },
  // Made after the ids had begun anew.
  { pid: 9, parent: 19, command: 'node /pulso/services/media/bundle/picture/picture-process.js ' },
  { pid: 21, parent: 1, command: 'node /another/services/posts/bundle/main.js ' },
];

describe('the shares of processes', () => {
  it('are those of engines, launcher and programs in the cluster, with the sum of the programs', () => {
    const names = namesOfTree(CLUSTER, 10);
    const figures = CLUSTER.map(({ pid }) => [pid, pid === 9 ? 0.5 : 1] as const);
    expect(sharesOf(names, figures)).toEqual({
      all: 11.5,
      own: 3.5,
      launcher: 2,
      kafka: 1,
      redis: 1,
      postgres: 2,
      documents: 1,
      s3: 1,
      gateway: 1,
      media: 1.5,
      'messaging-mail': 1,
    });
  });

  it('are those of one process and its engines at npm start, also of a server without its parent', () => {
    const processes = [
      { pid: 30, parent: 1, command: 'node --max-semi-space-size=64 tools/start.mjs ' },
      {
        pid: 31,
        parent: 30,
        command: 'node /pulso/deploy/embedded/dist/document-store/main.js /tmp/data/documents ',
      },
      { pid: 32, parent: 30, command: 'node /pulso/services/media/dist/picture/picture-process.js ' },
      { pid: 33, parent: 1, command: '/opt/postgres/bin/postgres -D /tmp/data/postgres ' },
      { pid: 34, parent: 33, command: 'postgres: checkpointer ' },
      { pid: 35, parent: 1, command: '/opt/postgres/bin/postgres -D /tmp/other/postgres ' },
    ];
    const names = namesOfTree(processes, 30, '/tmp/data');
    expect(
      sharesOf(
        names,
        processes.map(({ pid }) => [pid, 1]),
      ),
    ).toEqual({
      all: 5,
      own: 2,
      documents: 1,
      postgres: 2,
    });
  });

  it('are of real processes', () => {
    const [cpu, memory] = [cpuOfTree(process.pid), memoryOfTree(process.pid)];
    expect(Math.min(cpu.all, memory.pss.all, memory.rss.all)).toBeGreaterThan(10);
    expect(memory.rss.own).toBeGreaterThanOrEqual(memory.pss.own);
  });
});
