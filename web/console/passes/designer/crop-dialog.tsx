import { useEffect, useRef, useState } from 'preact/hooks';
import { CancelButton } from '../../../shared/cancel-button.tsx';
import { drawnFile, readPicture } from '../../../shared/canvas.ts';
import { useLoad } from '../../../shared/data.ts';
import { Dialog } from '../../../shared/dialog.tsx';
import { Form } from '../../../shared/form.tsx';
import { LoadedView } from '../../../shared/loaded-view.tsx';
import { Notice } from '../../../shared/notice.tsx';
import { designer } from '../../../texts/designer.ts';
import { passes } from '../../../texts/passes.ts';
import { api } from '../../api.ts';
import type { ImageSlot } from './draft.ts';
import { type Box, boxOf, type Crop, imageShapes, mostZoom } from './image-shapes.ts';

interface CropProps {
  readonly slot: ImageSlot;
  /** The file as it was chosen. */
  readonly file: Blob;
  /** The colour of the card, which is seen through the image. */
  readonly ground: string;
  readonly onDone: (url: string, shown: Blob) => void;
  readonly onClose: () => void;
}

/** Cuts a chosen image to what its place takes, shows what each wallet makes of it, and uploads it. */
export function CropDialog(props: CropProps) {
  const t = designer().images;
  const loaded = useLoad(async () => {
    const image = await readPicture(props.file).catch(() => null);
    return { image };
  }, [props.file]);
  return (
    <Dialog title={t.slots[props.slot].name} onClose={props.onClose}>
      <LoadedView of={loaded} height={12}>
        {({ image }) =>
          image === null ? <Notice kind="alert" title={t.noImage} /> : <Cropping {...props} image={image} />
        }
      </LoadedView>
    </Dialog>
  );
}

function Cropping({
  slot,
  image,
  ground,
  onDone,
  onClose,
}: CropProps & { readonly image: HTMLImageElement }) {
  const t = designer().images;
  const shape = imageShapes[slot];
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  const aspect = shape.aspect ?? size.width / size.height;
  const most = Math.min(mostZoom(size, aspect, shape.least), 8);
  const [crop, setCrop] = useState<Crop>({ zoom: 1, x: 0.5, y: 0.5 });
  const change = (changes: Partial<Crop>) => setCrop((known) => ({ ...known, ...changes }));
  const box = boxOf(size, aspect, crop);
  if (most < 1) return <Notice kind="alert" title={t.tooSmall(shape.least.width, shape.least.height)} />;
  const upload = async () => {
    const width = Math.round(Math.min(box.width, shape.mostWidth));
    const file = await drawnFile({ width, height: Math.round(width / aspect) }, (context) =>
      draw(context, image, box),
    );
    return { file, url: (await api.images.upload(file)).url };
  };
  return (
    <Form
      submit={t.take}
      act={upload}
      done={({ file, url }) => onDone(url, file)}
      secondary={<CancelButton onClose={onClose} />}
    >
      <Window image={image} box={box} aspect={aspect} ground={ground} crop={crop} change={change} />
      {most > 1.01 && (
        <Slider label={t.zoom} value={crop.zoom} min={1} max={most} onInput={(zoom) => change({ zoom })} />
      )}
      {size.width - box.width > 1 && (
        <Slider label={t.across} value={crop.x} min={0} max={1} onInput={(x) => change({ x })} />
      )}
      {size.height - box.height > 1 && (
        <Slider label={t.upright} value={crop.y} min={0} max={1} onInput={(y) => change({ y })} />
      )}
      <div class="looks">
        {(['apple', 'google'] as const).map((platform) => {
          const look = shape[platform];
          return (
            look !== null && (
              <figure key={platform}>
                <span class={`look ${look}`} style={look === 'round' ? undefined : { background: ground }}>
                  <Cut
                    image={image}
                    box={box}
                    aspect={aspect}
                    width={240}
                    label={passes().platforms[platform]}
                  />
                </span>
                <figcaption class="small soft">
                  {passes().platforms[platform]}: {t.looks[look]}
                </figcaption>
              </figure>
            )
          );
        })}
      </div>
    </Form>
  );
}

/** The part that is taken, which a pointer moves. */
function Window({
  image,
  box,
  aspect,
  ground,
  crop,
  change,
}: {
  readonly image: HTMLImageElement;
  readonly box: Box;
  readonly aspect: number;
  readonly ground: string;
  readonly crop: Crop;
  readonly change: (changes: Partial<Crop>) => void;
}) {
  const last = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const within = (value: number) => Math.min(Math.max(value, 0), 1);
  return (
    <div
      class="crop-window"
      style={{ background: ground }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        last.current = { x: event.clientX, y: event.clientY };
      }}
      onPointerMove={(event) => {
        if (last.current === null) return;
        const scale = box.width / event.currentTarget.clientWidth;
        const by = (pixels: number, room: number) => (room < 1 ? 0 : (pixels * scale) / room);
        change({
          x: within(crop.x - by(event.clientX - last.current.x, image.naturalWidth - box.width)),
          y: within(crop.y - by(event.clientY - last.current.y, image.naturalHeight - box.height)),
        });
        last.current = { x: event.clientX, y: event.clientY };
      }}
      onPointerUp={() => {
        last.current = null;
      }}
      onPointerCancel={() => {
        last.current = null;
      }}
    >
      <Cut image={image} box={box} aspect={aspect} width={960} label={designer().images.part} />
    </div>
  );
}

function Cut({
  image,
  box,
  aspect,
  width,
  label,
}: {
  readonly image: HTMLImageElement;
  readonly box: Box;
  readonly aspect: number;
  readonly width: number;
  readonly label: string;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const height = Math.round(width / aspect);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context) draw(context, image, box);
  }, [image, box.left, box.top, box.width, box.height, height]);
  return <canvas ref={canvas} width={width} height={height} role="img" aria-label={label} />;
}

function draw(context: CanvasRenderingContext2D, image: HTMLImageElement, box: Box): void {
  const { width, height } = context.canvas;
  context.clearRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, box.left, box.top, box.width, box.height, 0, 0, width, height);
}

function Slider({
  label,
  value,
  min,
  max,
  onInput,
}: {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly onInput: (value: number) => void;
}) {
  return (
    <label class="slider">
      <span>{label}</span>
      <input
        type="range"
        min={min}
        max={max}
        step={(max - min) / 100}
        value={value}
        onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}
