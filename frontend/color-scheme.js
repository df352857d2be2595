// Runs before the first paint so that a dark page never flashes white. A file of its own because the
// Content-Security-Policy allows no inline script. The key is the one in src/app/theme.ts.
(function () {
  let scheme = 'auto';
  try {
    scheme = localStorage.getItem('pulso.color-scheme') || 'auto';
  } catch (_) {
    // Storage is closed to us (private mode): the system's scheme it is.
  }
  const dark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();

// The last button that was pressed before the code for it is there: src/app/early-press.ts presses it again.
window.pulsoPressed = { button: null };
window.pulsoPressed.remember = ({ target }) => {
  window.pulsoPressed.button = target instanceof Element ? target.closest('button') : null;
};
addEventListener('click', window.pulsoPressed.remember, true);
