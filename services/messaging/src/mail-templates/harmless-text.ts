import { inForm } from '@pulso/platform/text/text-rules';

// With the u flag, only lone surrogates match.
const LONE_SURROGATE = /\p{Surrogate}/gu;
// U+FE0F is part of many emoji.
const INVISIBLE = /(?!\uFE0F)[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{White_Space}]+/gu;

/**
 * A text of a user on one line: without line breaks, which would end a header, without characters that change the direction
 * of what follows, and without invisible ones.
 */
export function oneLine(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd').replace(INVISIBLE, '').replace(CONTROL, ' ').trim();
}

/** What mail programs make a link of, and what is close to it: `a/b`, `a@b`, `www.`, `a.bc`, `1.2.3.4`. */
const ADDRESS = /[/@]|www\.|[^\s.]\.\p{L}[\p{L}\p{M}]|\d+(\.\d+){3}/iu;
/** Dots of other scripts, which addresses may have in place of the full stop (UTS 46). */
const DOTS = /[\u3002\uff61]/gu;

/**
 * A name as mails repeat it: on one line, and empty where it may be taken for an address. Anybody may give an account a name
 * and a stranger's e-mail address, and Pulso must not mail a stranger's link (MAIL-4).
 */
export function nameInMails(name: string): string {
  const line = oneLine(name);
  // Wide letters, signs and dots are those of addresses once they are typed or clicked.
  return ADDRESS.test(inForm('NFKC', line).replace(DOTS, '.')) ? '' : line;
}
