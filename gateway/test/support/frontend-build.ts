import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RenderPage } from '../../src/http/pages/render-bundle.js';

/** The page of a build, as small as may be. */
export const INDEX = `<!doctype html>
<html lang="en">
<head>
    <meta
      name="description"
      content="About the site."
    />
    <title>Pulso</title>
</head>
<body>
    <div id="root"></div>
</body>`;

/** The frontend's pages that are about nobody, and two that are about somebody, as its build lists them. */
const PAGES = ['/', '/coaches', '/feed', '/challenges', '/coaches/:coachId', '/:username'];
const ABOUT = {
  '/': { about: { title: 'Pulso', description: 'About the site.' } },
  '/coaches': { about: { title: 'Fitness Coaches', description: 'About coaches.' } },
};
const LINK = '</assets/app-1.js>; rel=modulepreload';

export interface FrontendBuild {
  directory: string;
  /** What renders its pages; may be replaced at any time. */
  render: RenderPage;
  remove(): void;
}

let builds = 0;

/** The build of a frontend; with `render` one whose pages can be rendered. */
export function frontendBuild(render?: RenderPage): FrontendBuild {
  const directory = mkdtempSync(join(tmpdir(), 'pulso-build-'));
  const file = (name: string, content: string) => writeFileSync(join(directory, name), content);
  file('index.html', INDEX);
  file('page-links.json', JSON.stringify(Object.fromEntries(PAGES.map((path) => [path, LINK]))));
  file('page-texts.json', JSON.stringify(ABOUT));
  const name = `pulsoTestRender${(builds += 1)}`;
  const build: FrontendBuild = {
    directory,
    render: render ?? (() => Promise.resolve(undefined)),
    remove() {
      delete (globalThis as Record<string, unknown>)[name];
      rmSync(directory, { recursive: true, force: true });
    },
  };
  if (render) {
    (globalThis as Record<string, unknown>)[name] = build;
    file('render.mjs', `export const renderPage = (request) => globalThis.${name}.render(request);`);
  }
  return build;
}
