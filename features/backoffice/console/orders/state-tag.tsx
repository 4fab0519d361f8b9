import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import { useMoneyWord } from './words.ts'

const tones: Readonly<Record<string, Tone>> = {
  won: 'success',
  unknown: 'warning',
  paid_late: 'warning',
  late: 'warning',
  again: 'warning',
  refunding: 'warning',
  approving: 'warning',
  held: 'warning',
  requested: 'warning',
  open: 'warning',
  suspense: 'danger',
  integrity_failure: 'danger',
  disputed: 'danger',
  failed: 'danger',
  rejected: 'danger',
  lost: 'danger',
  returned: 'danger',
  approved: 'info',
  in_transit: 'info',
  dispatched: 'info',
}

/** Tag with a state's label; red only for failures. `of`: kind of thing that has the state. */
export function OrderStateTag({ state, of = 'state' }: { readonly state: string; readonly of?: 'state' | 'wstate' | 'refund' | 'dispute' | 'outcome' }) {
  const word = useMoneyWord()
  return <Badge tone={tones[state] ?? 'neutral'}>{word(of, state)}</Badge>
}
