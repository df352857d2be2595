let files = 0;

/** How many files of tests have asked, with this one, since the module was loaded. */
export const countedFiles = (): number => (files += 1);
