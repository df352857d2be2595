/**
 * A page of posts ends after the post with which it passes this `size` (HTTP-5): what a page costs is bounded by bytes, too,
 * as a hundred posts of the longest texts are some 4 MB. The largest post fits into an rpc's answer beside it.
 */
export const PAGE_BYTES = 500_000;
