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

/** What is drawn on a canvas of that size, as a file. */
export async function drawnFile(
  size: { readonly width: number; readonly height: number },
  draw: (context: CanvasRenderingContext2D) => void,
  type: 'image/png' | 'image/webp' = 'image/png',
): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = size.width;
  canvas.height = size.height;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws nothing.');
  context.imageSmoothingQuality = 'high';
  draw(context);
  return new Promise((resolve, reject) => {
    const done = (file: Blob | null) => (file === null ? reject(new Error('empty canvas')) : resolve(file));
    canvas.toBlob(done, type);
  });
}
