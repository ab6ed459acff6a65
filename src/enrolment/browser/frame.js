// Shows the page on which people enrol in the place of this script, as high as it is. One line of a shop's own page:
// <script src="https://…/join/pass_…/scripts/frame.js"></script>
(() => {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) return;
  const frame = document.createElement('iframe');
  frame.src = script.src.replace(/\/scripts\/frame\.js.*$/, '');
  frame.title = script.dataset.title ?? document.title;
  frame.style.cssText = 'display: block; width: 100%; height: 46rem; border: 0; color-scheme: light dark';
  const { origin } = new URL(frame.src);
  addEventListener('message', (event) => {
    const height = event.data?.joinHeight;
    if (event.source === frame.contentWindow && event.origin === origin && height > 0)
      frame.style.height = `${Math.ceil(height)}px`;
  });
  script.after(frame);
})();
