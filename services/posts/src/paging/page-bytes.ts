/**
 * A page of posts ends after the post with which it passes this `size`, because an rpc's answer has at most 4 MiB: a
 * hundred posts with ten images and the longest texts have more. The largest post fits into the rest.
 */
export const PAGE_BYTES = 3_900_000;
