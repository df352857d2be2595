const MEGABYTE = 1024 ** 2;

/** Writes numbers and sizes in the language `locale`. */
export const writtenIn = (locale: string) => {
  const whole = new Intl.NumberFormat(locale);
  const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return {
    number: (n: number): string => whole.format(n),
    /** "12.3", of at least 0.1 MB. */
    megabytes: (bytes: number): string => tenths.format(Math.max(0.1, bytes / MEGABYTE)),
    /** "12.3", of what is done of a size, which nothing done is not. */
    megabytesDone: (bytes: number): string => tenths.format(bytes / MEGABYTE),
  };
};
