import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CheckedFolder } from './checked-folder.js';

let folder: CheckedFolder;
beforeEach(() => {
  folder = new CheckedFolder('citations.mjs');
  folder.write('docs/product/posts.md', '- **POST-1** Posts have a text.\n- **POST-2** Posts have images.\n');
  folder.write('docs/http-api.md', '- **HTTP-1** JSON.\n- **HTTP-2** UTF-8.\n');
  folder.write(
    'docs/product/not-built.md',
    '# Not built\n\n- POST-2: images\n\n## In part\n\n- HTTP-1: XML\n',
  );
  folder.write(
    'services/posts/post.ts',
    '/** A text (POST-1), images later (POST-2), as JSON (HTTP-1, HTTP-2). */\n',
  );
  folder.write('services/posts/post.spec.ts', '// Rule: HTTP-1, HTTP-2, POST-1\n');
});
afterEach(() => folder.remove());

describe('the check of citations', () => {
  it('passes when each rule is tested or listed, and each citation resolves', () => {
    const sum = '4 rules, 1 of them not built, 1 in part, 7 citations, 0 wrong';
    expect(folder.check()).toEqual({ status: 0, failures: [], sum });
  });

  it.each([
    ['a citation of no rule', 'gateway/a.ts', '// See POST-9.', 'gateway/a.ts:1: there is no rule POST-9.'],
    ['an id that is used twice', 'docs/product/feed.md', '- **POST-1** x', 'POST-1 is defined'],
    ['a rule that nothing tests', 'docs/product/feed.md', '- **FEED-1** x', 'no test cites FEED-1'],
    [
      'a rule that production lacks',
      'services/posts/post.ts',
      '// POST-1, HTTP-1',
      'no production code cites HTTP-2',
    ],
    [
      'a rule that is listed twice',
      'docs/product/not-built.md',
      '- POST-2: x\n## In part\n- POST-2: y',
      'twice',
    ],
    ['a listed rule that is tested', 'gateway/a.spec.tsx', '// POST-2', 'gateway/a.spec.tsx:1: tests POST-2'],
    ['a listed rule that is none', 'docs/product/not-built.md', '- POST-7: x', 'there is no rule POST-7'],
    ['a line that lists nothing', 'docs/product/not-built.md', '- POST-2 images', 'a line must read'],
    ['a paper that is not here', 'gateway/a.ts', '// Product.md, section 9', '"Product.md" is not in'],
    ['a section of it', 'proto/a.proto', '// ranked by section 9', '"section 9" is not in'],
    ['a decision', 'README.md', 'hidden (decisions 19)', '"decisions 19" is not in'],
  ])('refuses %s', (_what, path, text, failure) => {
    folder.write(path, text);
    const { status, failures } = folder.check();
    expect(status).toBe(1);
    expect(failures).toContainEqual(expect.stringContaining(failure));
  });

  it('ignores texts that only look like citations', () => {
    folder.write('gateway/a.ts', '// X-POST-9, POST-1-a, UTF-8, docs/http-api.md');
    expect(folder.check().failures).toEqual([]);
  });
});
