import { appleDrawing } from '../src/rendering/previews/apple-drawing.ts';
import { googleDrawing } from '../src/rendering/previews/google-drawing.ts';
import { plainApple, plainGoogle } from '../src/rendering/previews/sample-cards.fixture.ts';
import { type Sample, samples } from './preview-samples.ts';
import { stampSamples } from './stamp-samples.ts';
import { templateSamples } from './template-samples.ts';

const folder = 'pictures/previews';

/** The gallery of previews and the page that shows it, by path: drawn of samples, without a server. */
export function previewPictures(): Map<string, string> {
  const drawn = [...samples, ...stampSamples, ...templateSamples].flatMap(({ name, apple, google }) => [
    [`docs/${folder}/${name}-apple.svg`, `${appleDrawing({ ...plainApple, ...apple })}\n`] as const,
    [`docs/${folder}/${name}-google.svg`, `${googleDrawing({ ...plainGoogle, ...google })}\n`] as const,
  ]);
  return new Map([...drawn, ['docs/PREVIEWS.md', page()]]);
}

function page(): string {
  return `# Previews

Printed from \`scripts/preview-samples.ts\` by \`npm run docs\`, which draws every picture of this page again.

A preview is a drawing of a card as Apple Wallet or Google Wallet shows it, with its real barcode and its real images:

\`\`\`sh
curl -H "Authorization: Bearer $API_KEY" "$URL/v1/passes/$PASS_ID/preview.svg?platform=google" > card.svg
curl -H "Authorization: Bearer $API_KEY" "$URL/v1/passes/$PASS_ID/preview.png?instanceId=$INSTANCE_ID" > card.png
\`\`\`

- **Whose card.** Without \`instanceId\` it is a card that would be issued now: the values that all begin with, and the
  barcode \`PREVIEW\`, or a number, where each card has one of its own. A draft can be looked at before a holder has it.
- **The same bytes for the same card.** Answers have an \`ETag\`; with \`If-None-Match\`, what has not changed is not sent
  again. Nothing in a drawing leads elsewhere: its images are part of it, and its texts are texts.
- **What has no room is left out or ends in an ellipsis, as in the wallet.** Apple shows three fields in the header, one
  primary field, and four in the rows below (eight on event tickets, and on generic cards without a square barcode);
  Google shows three rows of three. Other fields are found on the back and in the details.
- **Colours.** Apple Wallet takes those of the pass, readable or not, and so does the drawing. Google Wallet takes the
  background, and writes in black or white.
- **Languages.** A card is written in the language of its holder, or of the workspace. For those that are read from the
  right it is mirrored.
- **Fonts.** Texts are measured in Inter and, for Arabic and Hebrew, Noto Sans, which come along: a PNG looks the same
  wherever the service runs. Other scripts are drawn in the fonts of the machine. A browser shows the SVG in its own
  fonts, fitted into the same room.

A drawing is not a phone: letters, corners and shadows differ a little between versions of the wallets.

${[...samples, ...stampSamples].map(gallery).join('\n')}
# Templates

What the console offers to begin with, as it is drawn before a shop has changed anything.

${templateSamples.map(gallery).join('\n')}`;
}

function gallery({ name, about }: Sample): string {
  const picture = (platform: string, wallet: string) =>
    `<img src="${folder}/${name}-${platform}.svg" width="340" alt="${about}, in ${wallet} Wallet">`;
  return `## ${about}\n\n${picture('apple', 'Apple')} ${picture('google', 'Google')}\n`;
}
