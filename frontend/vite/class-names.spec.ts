import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { className } from './class-names.js';

const SOURCE = join(import.meta.dirname, '../src');

it('no two classes of modules have the same name', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.module.css'),
  );
  const names = files.flatMap((file) => {
    const path = join(SOURCE, file);
    const own = new Set(
      [...readFileSync(path, 'utf8').matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name!),
    );
    return [...own].map((name) => className(name, path));
  });
  expect(names.length).toBeGreaterThan(200);
  expect(new Set(names).size).toBe(names.length);
});

it('a class has the same name in every build', () => {
  const path = join(SOURCE, 'pages/pages.module.css');
  expect(className('title', path)).toMatch(/^title_[\w-]{3}$/);
  expect(className('title', `${path}?used`)).toBe(className('title', path));
});
