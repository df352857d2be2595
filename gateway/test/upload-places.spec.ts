import { newId } from '@pulso/platform/ids/uuid-v7';
import { until } from '@pulso/platform/testing/until';
import type { ForwardLimits } from '../src/media/forward-upload.js';
import { type FakeListener, startListener, takeUpload } from './support/fake-media.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

const HERE = '203.0.113.1';
const ELSEWHERE = '203.0.113.2';

let listener: FakeListener;
let gateway: TestGateway;
/** Lets one upload that media holds go on. */
let held: (() => void)[];

async function start(uploads: Partial<ForwardLimits>) {
  held = [];
  listener = await startListener(async (request, response) => {
    await new Promise<void>((go) => held.push(go));
    await takeUpload(request, response);
  });
  gateway = await startTestGateway({
    MEDIA_BYTES_URL: listener.url,
    TRUSTED_PROXIES: 1,
    mediaLimits: { uploads },
  });
}
afterEach(async () => {
  await gateway?.close();
  await listener?.close();
});

const aToken = () => gateway.tokenFor(newId());

/** An upload's status, once it has one. */
class Upload {
  status: number | undefined;

  constructor(token: string, address: string) {
    const form = new FormData();
    form.set('purpose', 'post');
    form.set('file', new Blob(['a picture'], { type: 'image/jpeg' }), 'x.jpg');
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address };
    const sent = fetch(`${gateway.url}/api/media/images`, { method: 'POST', body: form, headers });
    void sent.then(
      ({ status }) => (this.status = status),
      () => undefined,
    );
  }
}

/** Sorted; 0 of those that have no answer yet. */
const statusesOf = (uploads: Upload[]) =>
  uploads.map(({ status = 0 }) => status).sort((one, other) => one - other);
const asked = (count: number) =>
  until(() => listener.requests.length === count, { what: `${count} uploads at media` });
const refused = (count: number, uploads: Upload[]) =>
  until(() => uploads.filter(({ status }) => status !== undefined).length === count, {
    what: `${count} refused uploads`,
  });

async function finish(uploads: Upload[]) {
  const areDone = () => {
    for (const go of held.splice(0)) go();
    return !statusesOf(uploads).includes(0);
  };
  await until(areDone, { what: 'the answers to all uploads' });
}

// Rule: LIMIT-10
describe('uploads of many accounts at one address', () => {
  it('leave places to others, and wait for their own', async () => {
    await start({ perAddress: 3, perProcess: 4 });
    const here: Upload[] = [];
    for (let count = 0; count < 4; count += 1) here.push(new Upload(await aToken(), HERE));
    await asked(3);
    const other = new Upload(await aToken(), ELSEWHERE);
    await asked(4);
    expect(statusesOf([...here, other])).toEqual([0, 0, 0, 0, 0]);
    await finish([...here, other]);
    expect(statusesOf([...here, other])).toEqual([201, 201, 201, 201, 201]);
  });

  it('of few addresses leave places to others while most are taken', async () => {
    await start({ perAccount: 4, perAddress: 4, perAddressWhenCrowded: 1, perProcess: 8 });
    const uploads: Upload[] = [];
    for (const [address, taken] of [
      ['203.0.113.1', 4],
      ['203.0.113.2', 5],
      ['203.0.113.3', 6],
      ['203.0.113.4', 7],
    ] as const) {
      const token = await aToken();
      for (let count = 0; count < 4; count += 1) uploads.push(new Upload(token, address));
      await asked(taken);
    }
    await finish(uploads);
    expect(statusesOf(uploads)).toEqual(Array.from({ length: 16 }, () => 201));
  });

  it('leave turns to others', async () => {
    await start({
      perProcess: 1,
      waiting: { perAccount: 9, perAddress: 2, perAddressWhenCrowded: 2, perProcess: 3 },
    });
    const first = new Upload(await aToken(), HERE);
    await asked(1);
    const here: Upload[] = [];
    for (let count = 0; count < 4; count += 1) here.push(new Upload(await aToken(), HERE));
    await refused(2, here);
    const other = new Upload(await aToken(), ELSEWHERE);
    await finish([first, ...here, other]);
    expect(statusesOf([first, other])).toEqual([201, 201]);
    expect(statusesOf(here)).toEqual([201, 201, 429, 429]);
  });
});

// Rule: LIMIT-10
describe('uploads of one account', () => {
  it('leave turns to others, and those beyond its own are 429', async () => {
    await start({
      perAccount: 1,
      waiting: { perAccount: 2, perAddress: 9, perAddressWhenCrowded: 9, perProcess: 3 },
    });
    const token = await aToken();
    const first = new Upload(token, HERE);
    await asked(1);
    const own = Array.from({ length: 4 }, () => new Upload(token, HERE));
    await refused(2, own);
    const other = await aToken();
    const others = [new Upload(other, HERE)];
    await asked(2);
    // Waits in the turn that is left; whoever comes then finds none.
    others.push(new Upload(other, HERE));
    const late = new Upload(other, HERE);
    await until(() => [...others, late].some(({ status }) => status === 503), {
      what: 'an upload without a turn',
    });
    await finish([first, ...own, ...others, late]);
    expect(statusesOf(own)).toEqual([201, 201, 429, 429]);
    expect(statusesOf([...others, late])).toEqual([201, 201, 503]);
  });
});
