/** Of an archive's document in bytes: an import holds it whole. A member of 10,000 long posts has some 100 MB. */
export const DOCUMENT_BYTES = 200 * 1024 ** 2;
