import { describe, expect, it } from '@jest/globals';
import { chooseFiles } from './choose-files.js';

const aFile = (name: string, over = {}) => ({ name, type: 'image/png', size: 1, ...over });
const many = (n: number) => Array.from({ length: n }, (_, index) => aFile(`${index}.png`));
const names = (files: { name: string }[]) => files.map(({ name }) => name);

// Rule: MEDIA-21
describe('chooseFiles', () => {
  it('takes the good ones of a choice, and tells what is wrong with which of the others', () => {
    const files = [
      aFile('big.png', { size: 11 * 1024 ** 2 }),
      aFile('good.png'),
      aFile('notes.txt', { type: 'text/plain' }),
      aFile('fine.png'),
    ];
    const { taken, problems } = chooseFiles(files, 0);
    expect(names(taken)).toEqual(['good.png', 'fine.png']);
    expect(problems).toEqual([
      { kind: 'file', n: 1, refusal: 'size' },
      { kind: 'file', n: 3, refusal: 'kind' },
    ]);
  });

  it('takes ten, and of more the first ones', () => {
    expect(chooseFiles(many(10), 0)).toEqual({ taken: many(10), problems: [] });
    const eleven = chooseFiles(many(11), 0);
    expect(eleven).toEqual({ taken: many(10), problems: [{ kind: 'too-many' }] });
    expect(chooseFiles(many(3), 8)).toEqual({ taken: many(2), problems: [{ kind: 'too-many' }] });
    expect(chooseFiles(many(1), 10)).toEqual({ taken: [], problems: [{ kind: 'too-many' }] });
  });

  it('does not count bad files as too many', () => {
    const files = [...many(10), aFile('notes.txt', { type: 'text/plain' })];
    expect(chooseFiles(files, 0).problems).toEqual([{ kind: 'file', n: 11, refusal: 'kind' }]);
  });

  it('says that nothing was chosen', () =>
    expect(chooseFiles([], 3)).toEqual({ taken: [], problems: [{ kind: 'none' }] }));
});
