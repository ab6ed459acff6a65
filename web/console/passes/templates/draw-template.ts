import { drawnFile, readPicture } from '../../../shared/canvas.ts';
import { dataUrlOf } from '../../../shared/files.ts';
import { language } from '../../../shared/language.ts';
import { workspaceId } from '../../../shared/session.ts';
import { api } from '../../api.ts';
import { designOf, type Template } from './templates.ts';

const pictures = new Map<string, Promise<string>>();
const uploads = new Map<string, Promise<string>>();
const drawings = new Map<string, Promise<string>>();

/** The card of a template as the service draws it, as an SVG document; each is asked for once. */
export function drawTemplate(template: Template): Promise<string> {
  return once(drawings, `${workspaceId.value} ${language.value} ${template.id}`, async () => {
    const { apple } = await api.passes.previewDesign(designOf(template, await pictureOf(template)));
    return apple;
  });
}

/** Makes the draft that a template describes. */
export async function passOfTemplate(template: Template) {
  return api.passes.create(designOf(template, await uploadPicture(template)));
}

/** The picture of a template in an address of its own: nothing is uploaded to be looked at. */
export function pictureOf(template: Template): Promise<string> {
  return once(pictures, template.id, async () => dataUrlOf(await pictureFile(template, 'image/webp')));
}

/** Equal bytes are the same upload, so that a workspace has one of each. */
export function uploadPicture(template: Template): Promise<string> {
  return once(uploads, `${workspaceId.value} ${template.id}`, async () => {
    const { url } = await api.images.upload(await pictureFile(template, 'image/png'));
    return url;
  });
}

async function pictureFile({ picture }: Template, type: 'image/png' | 'image/webp'): Promise<Blob> {
  const image = await readPicture(new Blob([picture.svg], { type: 'image/svg+xml' }));
  const { naturalWidth: width, naturalHeight: height } = image;
  return drawnFile({ width, height }, (context) => context.drawImage(image, 0, 0), type);
}

function once(kept: Map<string, Promise<string>>, key: string, make: () => Promise<string>): Promise<string> {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  made.catch(() => kept.delete(key));
  return made;
}
