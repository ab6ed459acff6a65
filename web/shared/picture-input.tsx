import type { Wiring } from './field.tsx';

/** The control of a field for a picture: a button that chooses a file, the same one again as well. */
export function PictureInput({
  wiring,
  label,
  onFile,
}: {
  readonly wiring: Wiring;
  readonly label: string;
  readonly onFile: (file: Blob) => void;
}) {
  return (
    <>
      <input
        {...wiring}
        class="unseen"
        type="file"
        accept="image/png,image/jpeg,image/webp"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
      <label class="button quiet" for={wiring.id}>
        {label}
      </label>
    </>
  );
}
