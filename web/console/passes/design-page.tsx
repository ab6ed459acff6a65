import type { Pass } from '../../../sdk/typescript/src/types.ts';
import { may } from '../../shared/session.ts';
import { passes } from '../../texts/passes.ts';
import type { PageProps } from '../page.ts';
import { Designer } from './designer/designer.tsx';
import { PassPicture } from './pass-picture.tsx';
import { PassFrame } from './pass-tabs.tsx';

/** What cards of a pass look like. */
export function DesignPage({ params: { passId = '' } }: PageProps) {
  return (
    <PassFrame passId={passId} page="design">
      {(pass, loaded) =>
        may('write') ? <Designer pass={pass} onSaved={loaded.set} /> : <Drawings pass={pass} />
      }
    </PassFrame>
  );
}

/** For people who may see a pass, but not change it. */
function Drawings({ pass }: { readonly pass: Pass }) {
  const t = passes();
  return (
    <div class="drawings">
      {(['apple', 'google'] as const).map((platform) => (
        <section class="panel" key={platform}>
          <header>
            <h2>{t.platforms[platform]}</h2>
          </header>
          <PassPicture pass={pass} platform={platform} alt={t.cardIn(pass.title, t.platforms[platform])} />
        </section>
      ))}
    </div>
  );
}
