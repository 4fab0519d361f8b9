import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import { useConsoleFormatter } from '../kit/format.ts'

const TONES: Readonly<Record<string, Tone>> = { active: 'success', invited: 'warning', suspended: 'danger' }

export function OperatorStatusBadge({ status }: { readonly status: string }) {
  const say = useConsoleFormatter()
  return <Badge tone={TONES[status] ?? 'neutral'}>{say.value(status)}</Badge>
}
