import { shared } from '../texts/shared.ts';
import { Button } from './button.tsx';
import { drawnFile, readPicture } from './canvas.ts';
import { useAction } from './data.ts';
import { saveFile } from './files.ts';
import { toast } from './toast.tsx';

/** Of a picture that is printed as large as a hand. */
const pixels = 1_024;

/** A QR code that the service draws at `src`, to be scanned here, or taken along as a picture called `name`. */
export function QrPicture({
  src,
  alt,
  name,
}: {
  readonly src: string;
  readonly alt: string;
  readonly name: string;
}) {
  const t = shared();
  const draw = async () => {
    const svg = await (await fetch(src)).text();
    // It has a shape and no size, without which not all browsers draw it.
    const sized = svg.replace('<svg ', `<svg width="${pixels}" height="${pixels}" `);
    const image = await readPicture(new Blob([sized], { type: 'image/svg+xml' }));
    return drawnFile({ width: pixels, height: pixels }, (context) => {
      context.imageSmoothingEnabled = false;
      context.drawImage(image, 0, 0, pixels, pixels);
    });
  };
  const save = useAction(draw, (picture) => saveFile(`${name}.png`, picture));
  const copy = useAction(
    () => navigator.clipboard.write([new ClipboardItem({ 'image/png': draw() })]),
    () => toast(t.copied),
  );
  // Pages without https have no clipboard.
  const mayCopy = 'ClipboardItem' in window && navigator.clipboard !== undefined;
  return (
    <div class="qr-picture">
      <img class="qr" src={src} alt={alt} />
      <div class="row">
        <Button kind="quiet" icon="download" isBusy={save.isBusy} onClick={() => save.run()}>
          {t.saveQr}
        </Button>
        {mayCopy && (
          <Button kind="quiet" icon="copy" isBusy={copy.isBusy} onClick={() => copy.run()}>
            {t.copyQr}
          </Button>
        )}
      </div>
    </div>
  );
}
