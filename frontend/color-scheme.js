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
