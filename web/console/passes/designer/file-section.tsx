import { useId } from 'preact/hooks';
import { Button } from '../../../shared/button.tsx';
import { toast } from '../../../shared/toast.tsx';
import { designer } from '../../../texts/designer.ts';
import { readFile, saveFile } from './design-file.ts';
import type { Draft } from './draft.ts';
import { SectionPanel } from './sections.tsx';

/** Takes a design along as a file, and brings one in. */
export function FileSection({
  draft,
  onRead,
}: {
  readonly draft: Draft;
  readonly onRead: (read: Draft) => void;
}) {
  const t = designer().file;
  const id = useId();
  const read = async (file: File) => {
    const found = await readFile(file, draft);
    if (found === null) return toast(t.noDesign, { kind: 'alert' });
    onRead(found);
    toast(t.read);
  };
  return (
    <SectionPanel title={t.heading} lead={t.lead}>
      <div class="row">
        <Button
          kind="quiet"
          icon="download"
          onClick={() => {
            const left = saveFile(draft);
            toast(left === 0 ? t.saved : t.savedWithout(left));
          }}
        >
          {t.save}
        </Button>
        <input
          class="unseen"
          type="file"
          id={id}
          accept=".json,application/json"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            currentTarget.value = '';
            if (file !== undefined) read(file);
          }}
        />
        <label class="button quiet" for={id}>
          {t.open}
        </label>
      </div>
    </SectionPanel>
  );
}
