/** Replaces the addresses of files in tests. */
export default '/assets/a-file';
