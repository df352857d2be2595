import { eventRecord } from '@pulso/platform/events/event-record';
import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { userTopic } from '@pulso/contracts/topics/identity';
import type { ApiClient, ApiPost } from '../support/api-client.js';
import { type ClusterUnderTest, startClusterPulso } from '../support/cluster-pulso.js';
import { metricOf, samplesOf } from '../support/operations.js';
import { type TestPulso, withClients } from '../support/test-pulso.js';
import { waitFor } from '../support/wait-for.js';

describe('separate processes', () => {
  let cluster: ClusterUnderTest;
  let pulso: TestPulso;

  beforeAll(async () => {
    cluster = await startClusterPulso({ replicas: { gateway: 2 } });
    pulso = withClients(cluster);
  }, 300_000);
  afterAll(() => cluster?.close(), 240_000);

  /** A gateway retries the connection to a service that was down once a second. */
  const untilServicesAnswer = async (client: ApiClient) => {
    const paths = ['/api/me', '/api/feed', `/api/users/${client.userId}/followers`];
    for (const url of cluster.urls) {
      const here = Object.assign(pulso.visitor(), { url, accessToken: client.accessToken });
      for (const path of paths) {
        await waitFor(
          () => here.get(path),
          ({ status }) => status === 200,
          { what: `an answer to ${url}${path}` },
        );
      }
    }
  };

  it('report liveness, readiness and metrics', async () => {
    for (const [role, members] of Object.entries(cluster.processes)) {
      for (const { operationsUrl } of members) {
        expect((await fetch(`${operationsUrl}/healthz`)).status).toBe(200);
        expect(await (await fetch(`${operationsUrl}/readyz`)).json()).toMatchObject({ status: 'ok' });
        const depth = await samplesOf(operationsUrl, 'pulso_outbox_depth');
        const isService = (SERVICE_NAMES as readonly string[]).includes(role);
        expect(depth.map(({ labels }) => labels.service)).toEqual(isService ? [role] : []);
      }
    }
  });

  it('the gateway serves while services are down, and reconnects to them', async () => {
    const [ana, visitor] = [await pulso.user('ana'), pulso.visitor()];
    const { posts, gateway, identity } = cluster.processes;
    await Promise.all([posts[0]!.stop(), identity[0]!.stop()]);
    expect(await ana.get('/api/feed')).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    // A gateway can also boot without services: it serves visitors, but is not ready, and refuses every token, until it
    // knows which sessions have ended.
    await gateway[0]!.kill();
    await waitFor(
      () => visitor.get('/api/config').catch(() => undefined),
      (answer) => answer?.status === 200,
      { what: 'a gateway that has started again' },
    );
    expect(await ana.get('/api/feed')).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect((await fetch(`${gateway[0]!.operationsUrl}/readyz`)).status).toBe(503);
    await Promise.all([posts[0]!.start(), identity[0]!.start()]);
    await gateway[0]!.untilReady();
    await untilServicesAnswer(ana);
  }, 240_000);

  it('finish running requests when they are stopped, and end with code 0', async () => {
    const ben = await pulso.user('ben');
    await pulso.drainEvents();
    const { posts, social, identity } = cluster.processes;
    for (const [member] of [posts, social, identity]) {
      // The first answer shows that the others are under way.
      let stopping: Promise<number | null> | undefined;
      const write = async (_: unknown, count: number) => {
        const answer = await ben.post<{ id: string }>('/api/posts', { content: `${count}` });
        stopping ??= member!.stop();
        return answer;
      };
      const answers = await Promise.all(Array.from({ length: 20 }, write));
      expect(await stopping).toBe(0);
      // A request was either completed or refused before it began, never half executed.
      for (const { status } of answers) expect([201, 503]).toContain(status);
      if (member !== posts[0]) for (const { status } of answers) expect(status).toBe(201);
      await member!.start();
      await untilServicesAnswer(ben);
      const acknowledged = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
      const ids = (await ben.all<ApiPost>('/api/feed', 100)).map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining(acknowledged));
    }
  }, 240_000);

  // Rule: ACCT-21
  it('a session ended at one gateway is refused by the other, signalled or polled', async () => {
    const cara = await pulso.user('cara');
    const elsewhere = Object.assign(pulso.visitor(), { url: cluster.urls[1], accessToken: cara.accessToken });
    expect((await elsewhere.get('/api/me')).status).toBe(200);
    expect((await cara.post('/api/auth/logout')).status).toBe(204);
    const refused = await waitFor(
      () => elsewhere.get('/api/me'),
      ({ status }) => status !== 200,
      { what: 'the refusal by the other gateway' },
    );
    expect(refused).toMatchObject({ status: 401, body: { code: 'user-token-expired' } });
  });

  it('a poison event becomes a dead letter and is listed, and later events are handled', async () => {
    const poison = eventRecord({
      topic: userTopic.name,
      key: 'poison',
      version: Date.now() * 1000,
      payload: Uint8Array.of(0xff, 0xff),
    });
    await pulso.publish([poison]);
    const dan = await pulso.user('dan');
    const posted = await waitFor(
      () => dan.post('/api/posts', { content: 'after the poison' }),
      ({ status }) => status !== 503,
      { what: 'posts that knows the user who signed up after the poison' },
    );
    expect(posted.status).toBe(201);
    for (const service of ['social', 'posts'] as const) {
      const { operationsUrl } = cluster.processes[service][0]!;
      const buried = () => metricOf([operationsUrl], 'pulso_events_dead_lettered_total');
      await waitFor(buried, (count) => count >= 1, { what: `the dead letter of ${service}` });
      expect(await cluster.tryToOperate(service, 'dead-letters')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(poison.id),
      });
      // Its cause has not been fixed: it fails again, and stays a dead letter.
      expect(await cluster.tryToOperate(service, 'replay')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('1 replayed, 1 failed again'),
      });
    }
    expect(await cluster.tryToOperate('identity', 'dead-letters')).toMatchObject({
      code: 0,
      stdout: 'No dead letters.\n',
    });
    expect(await cluster.tryToOperate('posts', 'republish', 'post')).toMatchObject({ code: 0, stderr: '' });
    await pulso.drainEvents();
  }, 300_000);
});
