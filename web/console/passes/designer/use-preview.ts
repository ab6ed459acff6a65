import { useEffect, useState } from 'preact/hooks';
import type { DesignedPass, DesignPreview } from '../../../../sdk/typescript/src/types.ts';
import { api } from '../../api.ts';

/** What the renderer makes of a design. */
export interface Preview {
  /** The newest that could be drawn. */
  readonly drawn: DesignPreview | undefined;
  /** Why the design as it is cannot be drawn. */
  readonly error: unknown;
  readonly isDrawing: boolean;
}

/** How long the user has to stop typing. */
const pauseMs = 200;

/** Has a design drawn as it changes; of several requests under way the newest wins. Null: there is none yet. */
export function usePreview(design: DesignedPass | null): Preview {
  const wanted = JSON.stringify(design);
  const [state, setState] = useState<{ of: string; drawn?: DesignPreview; error?: unknown }>({ of: '' });
  useEffect(() => {
    if (design === null) return;
    const ending = new AbortController();
    const ask = () =>
      api.passes.previewDesign(design, { signal: ending.signal }).then(
        (drawn) => ending.signal.aborted || setState({ of: wanted, drawn }),
        (error: unknown) => ending.signal.aborted || setState(({ drawn }) => ({ of: wanted, drawn, error })),
      );
    const timer = setTimeout(ask, state.of === '' ? 0 : pauseMs);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [wanted]);
  return { drawn: state.drawn, error: state.error, isDrawing: state.of !== wanted };
}
