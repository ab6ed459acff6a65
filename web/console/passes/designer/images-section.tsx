import { useContext, useEffect, useState } from 'preact/hooks';
import type { Pass } from '../../../../sdk/typescript/src/types.ts';
import { Button } from '../../../shared/button.tsx';
import { Field } from '../../../shared/field.tsx';
import { Icon } from '../../../shared/icon.tsx';
import { Badge } from '../../../shared/notice.tsx';
import { PictureInput } from '../../../shared/picture-input.tsx';
import { designer } from '../../../texts/designer.ts';
import { Cautions, Warnings } from './cautions.tsx';
import { groundOf } from './colors-section.tsx';
import { CropDialog } from './crop-dialog.tsx';
import { type ImageSlot, imageSlots } from './draft.ts';
import { SectionPanel, type SectionProps } from './sections.tsx';

/** An image that was chosen on this page: by the address of its upload. */
interface Chosen {
  readonly file: Blob;
  readonly shownAt: string;
}

/** The images of a card, each with its place, and what each wallet makes of it. */
export function ImagesSection({ draft, set, pass }: SectionProps & { readonly pass: Pass }) {
  const t = designer().images;
  return (
    <SectionPanel title={t.heading} lead={t.lead}>
      <ImageList
        slots={imageSlots.filter((slot) => slot !== 'posterUrl' || draft.type === 'generic')}
        urls={draft}
        shownAt={(slot) => (draft[slot] === pass[slot] ? pass.images[slot]?.url : undefined)}
        ground={groundOf(draft.colors)}
        change={(slot, url) => set({ [slot]: url })}
      />
    </SectionPanel>
  );
}

/** Images to choose, to cut and to take away. */
export function ImageList({
  slots,
  urls,
  shownAt,
  ground,
  path = '',
  change,
}: {
  readonly slots: readonly ImageSlot[];
  readonly urls: { readonly [S in ImageSlot]?: string | null };
  /** Where one that was saved is served; undefined: it is not known. */
  readonly shownAt: (slot: ImageSlot) => string | undefined;
  /** The colour of the card. */
  readonly ground: string;
  /** What comes before the slot in the names of the fields. */
  readonly path?: string;
  readonly change: (slot: ImageSlot, url: string | null) => void;
}) {
  const [cropped, setCropped] = useState<{ readonly slot: ImageSlot; readonly file: Blob } | null>(null);
  const [chosen, setChosen] = useState<Readonly<Record<string, Chosen | undefined>>>({});
  useEffect(
    () => () => {
      for (const one of Object.values(chosen)) if (one) URL.revokeObjectURL(one.shownAt);
    },
    [],
  );
  const take = (slot: ImageSlot, file: Blob) => (url: string, shown: Blob) => {
    setChosen((known) => ({ ...known, [url]: { file, shownAt: URL.createObjectURL(shown) } }));
    change(slot, url);
    setCropped(null);
  };
  return (
    <>
      <ul class="image-list">
        {slots.map((slot) => {
          const url = urls[slot] ?? null;
          const own = url === null ? undefined : chosen[url];
          return (
            <ImageItem
              key={slot}
              slot={slot}
              field={`${path}${slot}`}
              isSet={url !== null}
              shownAt={own?.shownAt ?? (url === null ? undefined : shownAt(slot))}
              onFile={(file) => setCropped({ slot, file })}
              onCrop={own && (() => setCropped({ slot, file: own.file }))}
              onRemove={() => change(slot, null)}
            />
          );
        })}
      </ul>
      {cropped !== null && (
        <CropDialog
          {...cropped}
          ground={ground}
          onDone={take(cropped.slot, cropped.file)}
          onClose={() => setCropped(null)}
        />
      )}
    </>
  );
}

function ImageItem({
  slot,
  field,
  isSet,
  shownAt,
  onFile,
  onCrop,
  onRemove,
}: {
  readonly slot: ImageSlot;
  /** The name of its field. */
  readonly field: string;
  readonly isSet: boolean;
  readonly shownAt: string | undefined;
  readonly onFile: (file: Blob) => void;
  readonly onCrop: (() => void) | undefined;
  readonly onRemove: () => void;
}) {
  const t = designer().images;
  const { name, about } = t.slots[slot];
  const isUnseen = useContext(Warnings).some(
    ({ code, param }) => code === 'image_not_shown' && param === field,
  );
  return (
    <li>
      <span class={`thumb ${slot} ${isUnseen ? 'not-shown' : ''}`}>
        {shownAt === undefined ? <Icon name={isSet ? 'check' : 'upload'} /> : <img src={shownAt} alt="" />}
      </span>
      <Field name={field} label={name} hint={about}>
        {(wiring) => (
          <div class="row">
            <PictureInput wiring={wiring} label={isSet ? t.replace : t.upload} onFile={onFile} />
            {onCrop && (
              <Button kind="plain" icon="pen" onClick={onCrop}>
                {t.crop} <span class="unseen">{name}</span>
              </Button>
            )}
            {isSet && <Button kind="plain" icon="trash" label={t.remove(name)} onClick={onRemove} />}
            {isSet && isUnseen && <Badge kind="note">{t.notShown}</Badge>}
          </div>
        )}
      </Field>
      <Cautions about={field} />
    </li>
  );
}
