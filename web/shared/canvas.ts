/** A picture that the browser can draw. Fails for what is none. */
export async function readPicture(source: Blob): Promise<HTMLImageElement> {
  const url = URL.createObjectURL(source);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(url);
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** What is drawn on a canvas of that size, as a file. */
export async function drawnFile(
  size: Size,
  draw: (context: CanvasRenderingContext2D) => void,
  type: 'image/png' | 'image/webp' = 'image/png',
): Promise<Blob> {
  const { canvas } = drawn(size, draw);
  return new Promise((resolve, reject) => {
    const done = (file: Blob | null) => (file === null ? reject(new Error('empty canvas')) : resolve(file));
    canvas.toBlob(done, type);
  });
}

/** The same as its pixels, four bytes each: red, green, blue, alpha. */
export function drawnPixels(
  size: Size,
  draw: (context: CanvasRenderingContext2D) => void,
): Uint8ClampedArray {
  return drawn(size, draw).getImageData(0, 0, size.width, size.height).data;
}

function drawn(
  { width, height }: Size,
  draw: (context: CanvasRenderingContext2D) => void,
): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws nothing.');
  context.imageSmoothingQuality = 'high';
  draw(context);
  return context;
}
