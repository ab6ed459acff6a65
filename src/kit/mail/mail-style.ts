import { Html } from '../html.ts';

/** The writing of all mails, for inline styles. */
export const mailFont = new Html(
  'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5',
);

/** The style sheet of all mails. It only adds the dark colours: some mail programs drop it. */
export const mailStyle = new Html(`
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background-color: #121417 !important; }
  .sheet { background-color: #1c1f24 !important; border-color: #31353b !important; }
  .edge { border-color: #4a4f57 !important; }
  .ink { color: #f2f2f0 !important; }
  .soft { color: #abafb6 !important; }
}
`);
