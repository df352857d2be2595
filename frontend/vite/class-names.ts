import { createHash } from 'node:crypto';
import { relative } from 'node:path';

const ROOT = `${import.meta.dirname}/..`;
/** Of a file: enough that no two of them are the same, which `class-names.spec.ts` looks at. */
const LENGTH = 3;

/** The name of a class of a module: its own and a mark of its file. Vite's has the line, too, which costs a page 1 KB. */
export function className(name: string, file: string): string {
  const path = relative(ROOT, file.replace(/[?].*$/, '')).replaceAll('\\', '/');
  return `${name}_${createHash('sha256').update(path).digest('base64url').slice(0, LENGTH)}`;
}
