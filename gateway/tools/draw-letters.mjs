// Draws the letters of the initials images (src/user-ref/avatar-glyphs.ts) from Figtree, semi-bold, so that they look like the
// application wherever the picture is shown: an SVG in an <img> cannot use the page's font. The result is committed,
// neither the build nor its tests need these libraries:
//
//   npm install --no-save fontkit@2 wawoff2@2
//   node gateway/tools/draw-letters.mjs && npx oxfmt gateway/src/user-ref/avatar-glyphs.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Not among the dependencies, which the boundaries' check would miss.
const [{ create }, { default: wawoff2 }] = await Promise.all(
  ['fontkit', 'wawoff2'].map((name) => import(name)),
);

const GLYPHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ';
const WEIGHT = 600;
/** Of a picture of 96 px: the height of a capital, the line it stands on, the middle. */
const HEIGHT = 38;
const BASELINE = 67;
const MIDDLE = 48;
const OPERATORS = { moveTo: 'M', lineTo: 'L', quadraticCurveTo: 'Q', bezierCurveTo: 'C', closePath: 'Z' };

const woff2 = fileURLToPath(
  import.meta.resolve('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'),
);
const font = create(Buffer.from(await wawoff2.decompress(readFileSync(woff2)))).getVariation({
  wght: WEIGHT,
});
const scale = HEIGHT / font.capHeight;

function pathOf(letter) {
  const glyph = font.glyphForCodePoint(letter.codePointAt(0));
  const path = glyph.path.scale(scale, -scale).translate(MIDDLE - (glyph.advanceWidth * scale) / 2, BASELINE);
  return path.commands
    .map(({ command, args }) => OPERATORS[command] + args.map((value) => +value.toFixed(1)).join(' '))
    .join('')
    .replaceAll(' -', '-');
}

const lines = [...GLYPHS].map((letter) => `  ['${letter}', '${pathOf(letter)}'],`);
writeFileSync(
  fileURLToPath(new URL('../src/user-ref/avatar-glyphs.ts', import.meta.url)),
  `// Made by tools/draw-letters.mjs from Figtree (SIL Open Font License 1.1).

/** The outlines of letters in a picture of 96 px, as the \`d\` of an SVG path. */
export const GLYPHS: ReadonlyMap<string, string> = new Map([\n${lines.join('\n')}\n]);\n`,
);
