// Runs before the first paint, so that a page in the dark theme does not flash white. A file, because the policy of the
// server allows no inline scripts.
(() => {
  const chosen = localStorage.getItem('causeway-color-scheme');
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
