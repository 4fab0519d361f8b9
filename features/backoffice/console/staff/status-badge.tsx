import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import { useSay } from '../kit/say.ts'

const TONES: Readonly<Record<string, Tone>> = { active: 'success', invited: 'warning', suspended: 'danger' }

export function StatusBadge({ status }: { readonly status: string }) {
  const say = useSay()
  return <Badge tone={TONES[status] ?? 'neutral'}>{say.value(status)}</Badge>
}
