import type { ExportedSection } from './export-page.js';

/** What a service holds of a user; see `exports` of `defineService`. */
export abstract class UserExport {
  /** In the order of the document. */
  abstract readonly sections: readonly ExportedSection[];
}
