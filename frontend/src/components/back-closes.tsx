import { use, useEffect, useEffectEvent, useMemo } from 'react';
import type { ReactNode } from 'react';
import { UNSAFE_NavigationContext as NavigationContext, useLocation } from 'react-router-dom';

/** Below this width the navigation collapses and some dialogs fill the screen; the style sheets use the same value. */
export const PHONE = '(max-width: 767px)';

/** What covers the page and has a history entry, with the entry's number. */
const open = new Map<number, number>();
/** Entries from which a link in them has led on: Forward passes over them onwards. */
const crossed = new Set<number>();
/** The history may still have entries that were made before a reload. */
let lastId = Date.now();
/** An entry is being left, which takes the browser a while. */
let leaving = false;

interface EntryState {
  usr?: { dialog?: number } | null;
  /** The router's number of the entry. */
  idx?: number;
}

const stateNow = () => history.state as EntryState | null;
const dialogNow = () => stateNow()?.usr?.dialog;
const indexNow = () => stateNow()?.idx ?? 0;

/** The numbers of the entry that is shown and of the one before. */
let index = 0;
let before = 0;

function noteIndex(): void {
  if (index === indexNow()) return;
  before = index;
  index = indexNow();
}

/** Not by the router: the page is the same, and so is its place in what the router tells. */
function enter(id: number): void {
  const state = stateNow();
  const idx = indexNow() + 1;
  open.set(id, idx);
  history.pushState({ ...state, usr: { ...state?.usr, dialog: id }, idx }, '');
  noteIndex();
}

function step(by: -1 | 1): void {
  leaving = true;
  window.addEventListener('popstate', landed, { once: true });
  history.go(by);
}

function landed(): void {
  leaving = false;
  if (!isBetween()) goOn();
}

/** Navigations that wait until no entry of a closed dialog is shown. */
let waiting: (() => void)[] = [];
let limit: ReturnType<typeof setTimeout> | undefined;
/** In ms; for a browser that does not tell of its step. */
const MAX_LEAVE_MS = 2000;

/** The entry that is shown will be left. */
function isBetween(): boolean {
  const id = dialogNow();
  return leaving || (id !== undefined && !open.has(id));
}

function goOn(): void {
  clearTimeout(limit);
  limit = undefined;
  const all = waiting;
  waiting = [];
  for (const go of all) go();
}

function onceLeft(go: () => void): void {
  if (!isBetween()) return go();
  waiting.push(go);
  limit ??= setTimeout(goOn, MAX_LEAVE_MS);
}

function leave(id: number): void {
  const idx = open.get(id);
  if (idx === undefined) return;
  open.delete(id);
  if (dialogNow() === id) step(-1);
  else if (indexNow() > idx) crossed.add(id);
}

/**
 * Lets Back close what covers a phone's page (UI-36): it gets a history entry with the same address. Closing it in
 * another way removes the entry.
 */
export function BackCloses({ onBack }: { onBack: () => void }) {
  const left = useEffectEvent(onBack);

  useEffect(() => {
    if (!matchMedia(PHONE).matches) return;
    const id = ++lastId;
    let timer: ReturnType<typeof setTimeout>;
    // Deferred: StrictMode mounts and unmounts at once. The entry of what was there before is left first.
    const begin = () => {
      timer = setTimeout(() => {
        if (!leaving) enter(id);
      });
    };
    const onPopState = () => {
      if (open.has(id)) {
        if (dialogNow() !== id) left();
        return;
      }
      clearTimeout(timer);
      begin();
    };
    begin();
    window.addEventListener('popstate', onPopState);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('popstate', onPopState);
      leave(id);
    };
  }, []);

  return null;
}

/**
 * The navigations of what is in it wait until a closing dialog's entry is left. That step would take back one that has
 * overtaken it: a guard that leaves the page closes the page's dialogs in the same moment.
 */
export function NavigatesOnceLeft({ children }: { children: ReactNode }) {
  const context = use(NavigationContext);
  const value = useMemo(() => {
    const { navigator } = context;
    const push: typeof navigator.push = (...to) => onceLeft(() => navigator.push(...to));
    const replace: typeof navigator.replace = (...to) => onceLeft(() => navigator.replace(...to));
    return { ...context, navigator: Object.assign(Object.create(navigator), { push, replace }) };
  }, [context]);
  return <NavigationContext value={value}>{children}</NavigationContext>;
}

/** Passes over the history entry of what is no longer open, reached by Back, Forward or a reload. */
export function usePassedDialogs(): void {
  const { key } = useLocation();
  useEffect(noteIndex, [key]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const pass = () => {
      const id = dialogNow();
      noteIndex();
      if (id === undefined || open.has(id)) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (dialogNow() === id) step(crossed.has(id) && index > before ? 1 : -1);
      });
    };
    pass();
    window.addEventListener('popstate', pass);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('popstate', pass);
    };
  }, []);
}
