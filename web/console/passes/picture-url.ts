import { useEffect, useState } from 'preact/hooks';

/** An address for an SVG document that an `<img>` can show, as long as the component is there. */
export function usePictureUrl(svg: string | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (svg === undefined) return;
    const made = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [svg]);
  return url;
}
