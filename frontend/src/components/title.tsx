import { useLayoutEffect } from 'react';
import { language } from '../i18n/language.js';
import { texts, useTexts } from '../i18n/texts.js';

/** The title of the page that is shown, and how much is unread: "(3) Social Feed · Pulso". */
let page: string | undefined;
let unread: string | undefined;
let withUnread: (title: string, unread: string) => string = (title) => title;

function write(): void {
  const title = page ?? texts[language].app.name;
  document.title = unread === undefined ? title : withUnread(title, unread);
}

/** Shows in every page's title how much is unread (NOTIF-7, UI-63); undefined shows nothing. */
export function useUnreadInTitle(shown: string | undefined): void {
  const { nav } = useTexts();
  useLayoutEffect(() => {
    withUnread = nav.titleWithUnread;
    unread = shown;
    write();
    return () => {
      unread = undefined;
      write();
    };
  }, [shown, nav]);
}

interface TitleProps {
  children: string;
  /** The path of the page's one address, for pages that are shown to others; the gateway writes the same (HTTP-27). */
  address?: string;
  /** A later part of the page's list: it has no canonical link (HTTP-42). */
  isPart?: boolean;
}

/**
 * The title of the page, in the one <title> that index.html has. React's own <title> would be a second one beside it. With
 * an address also its canonical link, which the gateway may have written already.
 */
export function Title({ children, address, isPart = false }: TitleProps) {
  useLayoutEffect(() => {
    page = children;
    write();
    return () => {
      page = undefined;
      write();
    };
  }, [children]);

  useLayoutEffect(() => {
    document.head.querySelector('link[rel=canonical]')?.remove();
    if (address === undefined || isPart) return;
    const link = document.createElement('link');
    link.rel = 'canonical';
    link.href = location.origin + address;
    document.head.append(link);
    return () => link.remove();
  }, [address, isPart]);
  return null;
}
