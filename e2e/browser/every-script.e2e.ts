import { type Locator, type Page, expect, test } from '@playwright/test';
import { PASSWORD, answered, postJson, saved, settled, signUp, uniqueName } from './support.js';

/** One character to its readers, seven code points to the limits. */
const FAMILY = '👨‍👩‍👧‍👦';
/** How many code points a message may have. */
const MESSAGE_LENGTH = 4_000;

/** The beginning of the username, the name, what they write, and what somebody types to find them. */
const PEOPLE: readonly (readonly [kind: string, name: string, says: string, found?: string])[] = [
  ['vi', 'Nguyễn Thị Hồng Đào', 'Chạy bộ lúc sáu giờ', 'thi hong'],
  ['tr', 'Işıl Çağrı İnan', 'Yarın görüşürüz'],
  ['ar', 'مُحَمَّد السَّيِّد', 'أحسنت، استمر', 'محمد'],
  ['he', 'שָׁלוֹם דָּוִד', 'כל הכבוד!'],
  ['fa', 'سارا کریمی', 'می‌خواهم بدوم'],
  ['th', 'น้ำผึ้ง ใจดี', 'เก่งมากที่ทำได้', 'ใจดี'],
  ['hi', 'प्रिया शर्मा', 'बहुत बढ़िया', 'शर्मा'],
  ['ja', '山田 がくと', 'お疲れさまでした'],
  ['ko', '김철수', '오늘도 수고했어요', '김철'.normalize('NFD')],
  ['zh', '王小明', '加油，小明！'],
  ['de', 'Jörg Groß', 'Schöne Übung', 'JORG'],
  ['pl', 'Łukasz Żółć', 'Świetna robota'],
  ['is', 'Guðrún Þórsdóttir', 'Vel gert'],
  ['el', 'ΟΔΥΣΣΕΑΣ Παππάς', 'Μπράβο'],
  ['ru', 'Алёна Ёжикова', 'Молодец'],
  ['mx', 'Ana 🇲🇽', 'Vamos 🇲🇽💪🏽'],
  ['us', 'Ben 💪🏽', `From all of us ${FAMILY}`],
  ['word', 'Cora Lind', 'Re\u00adco\u00advery\u00a0day, “easy”'],
  ['mac', 'Renée Müller'.normalize('NFD'), 'Très bien'.normalize('NFD')],
  ['fake', `Cora Lind @cora-lind${'\u00a0'.repeat(30)}.`, 'Write to me'],
];

interface Person {
  id: string;
  username: string;
  token: string;
  says: string;
  found?: string;
}

async function signUpAll(page: Page): Promise<Person[]> {
  const people = await Promise.all(
    PEOPLE.map(async ([kind, name, says, found]): Promise<Person> => {
      const username = uniqueName(kind);
      const { accessToken: token, user } = await postJson<{ accessToken: string; user: { id: string } }>(
        page,
        '/api/auth/signup',
        { email: `${username}@example.test`, password: PASSWORD, name, username },
      );
      return { id: user.id, username, token, says, found };
    }),
  );
  await page.context().clearCookies();
  return people;
}

/** An input method of the system: it shows a word that is not sure yet, takes the keys, and ends with the text that is meant. */
async function inputMethod(page: Page) {
  /** The keys that the page was told of while a word was composed. */
  const keys: string[] = [];
  await page.exposeFunction('composedKey', (key: string) => void keys.push(key));
  const listen = `document.addEventListener('keydown', (event) => event.isComposing && composedKey(event.key), true)`;
  await page.addInitScript(listen);
  await page.evaluate(listen);
  const devtools = await page.context().newCDPSession(page);
  return {
    keys,
    compose: (text: string) =>
      devtools.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      }),
    press: (key: 'Enter' | 'Escape' | 'ArrowDown') =>
      devtools.send('Input.dispatchKeyEvent', {
        type: 'rawKeyDown',
        key,
        code: key,
        windowsVirtualKeyCode: 229,
      }),
    end: (text: string) => devtools.send('Input.insertText', { text }),
  };
}

/** Copies a text in another program, and pastes it where the focus is. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.keyboard.press('ControlOrMeta+v');
}

interface Shown {
  handle: string;
  isWhole: boolean;
  width: number;
  isBehindName: boolean;
  isLeftToRight: boolean;
  text: string;
  mentions: string[];
}

// The tests are compiled without the DOM's types.
const SHOWN = new Function(
  'items',
  `return items.map((item) => {
    const handle = item.querySelector('[title^="@"]');
    const name = item.querySelector('a[title]').getBoundingClientRect();
    const letters = document.createRange();
    const left = (at) => {
      letters.setStart(handle.firstChild, at);
      letters.setEnd(handle.firstChild, at + 1);
      return letters.getBoundingClientRect().left;
    };
    const { width, left: begin, top } = handle.getBoundingClientRect();
    return {
      handle: handle.textContent,
      isWhole: handle.scrollWidth <= handle.clientWidth,
      width,
      isBehindName: begin >= name.right && Math.abs(top - name.top) < 8,
      isLeftToRight: left(0) < left(1),
      text: item.querySelector('p')?.textContent ?? '',
      mentions: [...item.querySelectorAll('p a')].map((link) => link.getAttribute('href')),
    };
  });`,
) as (items: unknown[]) => Shown[];

const shownIn = (items: Locator): Promise<Shown[]> => items.evaluateAll(SHOWN);

/** Of a handle that is cut, so many px are seen all the same. */
const SEEN = 56;

// Rule: UI-9, UI-44, UI-45, UI-48, UI-58, PEOPLE-4, PEOPLE-11, PEOPLE-17, SUBS-6, HTTP-11
test('texts of twenty people are typed, pasted, shown, found, mentioned, cut and counted right', async ({
  page,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const people = await signUpAll(page);
  const of = (kind: string) => people[PEOPLE.findIndex(([one]) => one === kind)]!;
  const writer = uniqueName('writer');
  await signUp(page, writer, { coach: true });
  const method = await inputMethod(page);

  await test.step('a post, partly by an input method, partly pasted', async () => {
    const editor = page.getByLabel('Your post');
    await editor.click();
    await method.compose('きょう');
    await method.press('Enter');
    await method.press('Escape');
    await expect(editor).toBeFocused();
    await method.end('今日は');
    await paste(
      page,
      `詳しくはhttps://example.org/${writer}、@${of('ja').username}さん（https://ja.wikipedia.org/wiki/東京）\r\n${FAMILY}`,
    );
    const posted = answered(page, 'POST', /^\/api\/posts$/);
    await page.keyboard.press('Control+Enter');
    const { id, content } = (await (await posted).json()) as { id: string; content: string };
    expect(content).toContain(`今日は詳しくはhttps://example.org/${writer}、`);

    await Promise.all(
      people.map(({ token, says }, index) => {
        const next = people[(index + 1) % people.length]!;
        const data = { content: `${says}\r\n@${next.username}` };
        return postJson(page, `/api/posts/${id}/comments`, data, token);
      }),
    );
    const card = page.getByRole('article');
    const comments = card.locator('[data-comment]');
    await settled(page, `/post/${id}`, comments.last());
    await expect(comments).toHaveCount(people.length);
    const links = {
      [`example.org/${writer}`]: `https://example.org/${writer}`,
      [`@${of('ja').username}`]: `/${of('ja').username}`,
      'ja.wikipedia.org/wiki/東京': `https://ja.wikipedia.org/wiki/${encodeURIComponent('東京')}`,
    };
    for (const [name, href] of Object.entries(links))
      await expect(card.getByRole('link', { name, exact: true }).first()).toHaveAttribute('href', href);

    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      const shown = new Map((await shownIn(comments)).map((one) => [one.handle, one]));
      people.forEach(({ username, says }, index) => {
        const next = people[(index + 1) % people.length]!;
        const one = shown.get(`@${username}`);
        expect({ username, ...one }).toMatchObject({
          isBehindName: true,
          isLeftToRight: true,
          mentions: [`/${next.username}`],
        });
        expect(one!.text.normalize()).toBe(`${says.normalize()}\n@${next.username}`);
        expect({ username, isSeen: one!.isWhole || one!.width >= SEEN }).toEqual({ username, isSeen: true });
        if (width === 1280) expect({ username, isWhole: one!.isWhole }).toEqual({ username, isWhole: true });
      });
    }
  });

  await test.step('the card of somebody who is called as somebody else is', async () => {
    const { username, token } = of('fake');
    await postJson(page, '/api/posts', { content: 'Send me your password' }, token);
    await settled(page, `/${username}`, page.getByRole('article'));
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const [one] = await shownIn(page.getByRole('article').locator('header'));
      expect({ width, ...one }).toMatchObject({ handle: `@${username}`, isBehindName: true });
      expect({ width, isSeen: one!.isWhole || one!.width >= SEEN }).toEqual({ width, isSeen: true });
    }
  });

  await test.step('everybody is found as somebody else types them', async () => {
    await page.getByRole('button', { name: 'Search people' }).click();
    const field = page.getByRole('combobox', { name: 'Name or username' });
    const option = ({ username }: Person) =>
      page.getByRole('option').filter({ has: page.getByText(`@${username}`, { exact: true }) });
    await expect(field).toBeFocused();
    await method.compose('やまだ');
    await method.compose('山田');
    await expect(option(of('ja'))).toBeVisible();
    await method.press('ArrowDown');
    await method.press('Enter');
    await expect(page.getByRole('option', { selected: true })).toHaveCount(0);
    await method.end('山田');
    for (const person of people.filter(({ found }) => found !== undefined)) {
      await field.selectText();
      await paste(page, person.found!);
      await expect(option(person)).toBeVisible();
    }
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('a profile', async () => {
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Edit profile' }).click();
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.selectText();
    await paste(page, 'Ana\tMari\u0301a\u00a0 To\u00adrres');
    const specialties = page.getByRole('textbox', { name: 'Specialties' });
    const removers = page.getByRole('button', { name: /^Remove (?!photo)/ });
    await specialties.click();
    await method.compose('すいえ');
    await method.press('Enter');
    await expect(specialties).toHaveValue('すいえ');
    await expect(removers).toHaveCount(0);
    await method.end('水泳');
    await specialties.press('Enter');
    for (const text of ['Natacio\u0301n', 'NATACIÓN\t']) {
      await paste(page, text);
      await specialties.press('Enter');
    }
    await expect(removers).toHaveText(['水泳', 'Natación']);

    const price = page.getByRole('textbox', { name: 'Price per month' });
    await price.fill('400');
    await price.hover();
    await page.mouse.wheel(0, 600);
    await expect(price).toHaveValue('400');
    await price.selectText();
    await page.keyboard.type('9,5');
    const changed = answered(page, 'PATCH', /^\/api\/me$/);
    await page.getByRole('button', { name: 'Save Changes' }).click();
    const me = (await (await changed).json()) as object;
    expect(me).toMatchObject({ name: 'Ana María Torres', subscriptionPrice: 9.5 });
    expect(me).toHaveProperty('specialties', expect.arrayContaining(['水泳', 'Natación']));
    await expect(page.getByRole('heading', { level: 1, name: 'Ana María Torres' })).toBeVisible();
  });

  await test.step('a message as long as messages may be', async () => {
    await page.goto(`/messages?with=${of('ja').id}`);
    const field = page.getByRole('textbox', { name: /^Message 山田/ });
    await field.click();
    await method.compose('こんにちは');
    await method.press('Enter');
    await expect(field).toHaveValue('こんにちは');
    await method.end('こんにちは');
    await field.selectText();
    const families = Math.floor(MESSAGE_LENGTH / 7);
    await paste(page, FAMILY.repeat(families) + 'e\u0301'.repeat(MESSAGE_LENGTH - 7 * families));
    await expect(page.getByText('0 left', { exact: true })).toBeVisible();
    await page.keyboard.type('x');
    await expect(page.getByText('1 too many', { exact: true })).toBeVisible();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Backspace');
    await expect(page.getByText('0 left', { exact: true })).toBeVisible();
    await saved(page, 'POST', /^\/api\/messages$/, () => page.keyboard.press('Enter'));
    await expect(page.getByRole('log').getByText(FAMILY).first()).toBeVisible();
    // The list has a beginning of it that ends with a whole family.
    await expect(page.getByRole('list', { name: 'Conversations' })).toContainText(`${FAMILY.repeat(3)}…`);
  });

  // Otherwise nothing was composed, and the steps above have shown nothing.
  expect(method.keys).toHaveLength(6);
});
