import { useEffect, useRef } from 'preact/hooks';

interface Policy {
  createHTML(text: string): string;
}

/** The only place of the console where a text becomes elements: the card that our own renderer has escaped. */
const policy = (
  globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }
).trustedTypes?.createPolicy('web-card', { createHTML: (text) => text });

/** The front of the web card, apart from the styles of the console. Elements of a parsed document run no scripts. */
export function WebCard({
  html,
  css,
  label,
}: {
  readonly html: string;
  readonly css: string;
  readonly label: string;
}) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      `${css.replaceAll(':root', ':host')}  .card-frame { animation: none; } .card a { pointer-events: none; }`,
    );
    root.adoptedStyleSheets = [sheet];
    const parsed = new DOMParser().parseFromString(policy?.createHTML(html) ?? html, 'text/html');
    root.replaceChildren(...parsed.body.childNodes);
  }, [html, css]);
  return (
    <section class="web-card" aria-label={label}>
      <div ref={host} />
    </section>
  );
}
