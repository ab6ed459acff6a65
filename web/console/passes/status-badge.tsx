import type { Pass } from '../../../sdk/typescript/src/types.ts';
import { Badge } from '../../shared/notice.tsx';
import { passes } from '../../texts/passes.ts';

const kinds = { draft: 'note', published: 'good', archived: undefined } as const;

export function StatusBadge({ status }: { readonly status: Pass['status'] }) {
  return <Badge kind={kinds[status]}>{passes().statuses[status]}</Badge>;
}
