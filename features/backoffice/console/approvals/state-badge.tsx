import { useTexts } from '#platform/web/i18n.ts'
import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import type { CommandView } from '../../contract-commands.console.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { approvalTexts } from './texts.ts'

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

/** `askedBack`: the command waits for its requester's answer before it is decided. */
export function CommandStateBadge({ state, askedBack = false }: { readonly state: CommandView['state']; readonly askedBack?: boolean }) {
  const say = useConsoleFormatter()
  const t = useTexts(approvalTexts)
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Badge tone={tones[state]}>{say.state(state)}</Badge>
      {askedBack ? <Badge tone="info">{t('openQuestion')}</Badge> : null}
    </span>
  )
}
