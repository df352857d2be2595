import { type Page, type Request, expect, test } from '@playwright/test';
import { aPerson, account, accessTokenOf, logIn, postJson, uniqueName } from './support.js';

// Rule: NOTIF-8
test('the tabs of an account share one stream; when its tab is closed, another one reads on', async ({
  page,
  context,
}) => {
  const member = uniqueName('member');
  const writer = uniqueName('writer');
  const receiverId = await aPerson(page, member);
  await aPerson(page, writer);
  const token = await accessTokenOf(page, writer);

  const tabs = [page];
  const open = new Map<Request, Page>();
  const readers = new Set<number>();
  const ended = (request: Request) => void open.delete(request);
  context.on('request', (request) => {
    if (new URL(request.url()).pathname !== '/api/events') return;
    const tab = request.frame().page();
    open.set(request, tab);
    readers.add(tabs.indexOf(tab));
  });
  context.on('requestfinished', ended).on('requestfailed', ended);
  const streams = () => [...open.values()].filter((tab) => !tab.isClosed()).map((tab) => tabs.indexOf(tab));

  await logIn(page, `${member}@example.test`);
  await expect.poll(streams).toEqual([0]);
  for (const n of [1, 2]) {
    tabs[n] = await context.newPage();
    await tabs[n].goto('/feed');
    await expect(account(tabs[n])).toBeVisible();
  }
  // What is unread is known by the stream alone from here on.
  await context.route('**/api/badges', (route) => route.abort());
  const isTold = async (unread: number, ...told: Page[]) => {
    await postJson(tabs[2]!, '/api/messages', { receiverId, content: `Message ${unread}` }, token);
    for (const tab of told) await expect(tab).toHaveTitle(new RegExp(`^\\(${unread}\\) `));
  };
  await isTold(1, ...tabs);
  expect(streams()).toEqual([0]);
  expect([...readers]).toEqual([0]);

  await page.close();
  await expect.poll(() => streams().length).toBe(1);
  await isTold(2, ...tabs.slice(1));
  expect(streams()).toHaveLength(1);
  expect(readers.size).toBe(2);
});
