/** Runs before anything is drawn, so that no page flashes in the other theme. */
const chosen = (() => {
  try {
    return localStorage.getItem('punchcard.theme');
  } catch {
    return null;
  }
})();
const isDark =
  chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
