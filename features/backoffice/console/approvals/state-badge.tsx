import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import type { CommandView } from '../../contract-commands.console.ts'
import { useSay } from '../kit/say.ts'

const tones: Readonly<Record<CommandView['state'], Tone>> = {
  draft: 'neutral',
  waiting: 'warning',
  approved: 'info',
  done: 'success',
  failed: 'danger',
  refused: 'danger',
  withdrawn: 'neutral',
  expired: 'neutral',
}

export function StateBadge({ state }: { readonly state: CommandView['state'] }) {
  const say = useSay()
  return <Badge tone={tones[state]}>{say.state(state)}</Badge>
}
