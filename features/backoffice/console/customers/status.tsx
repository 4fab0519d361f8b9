import { useTexts } from '#platform/web/i18n.ts'
import { timeDisplay } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useSay } from '../kit/say.ts'
import { customerTexts } from './texts.ts'
import { keyOf } from '#platform/shared/texts.ts'

const STATUS_TEXT = { active: 'status_active', frozen: 'status_frozen', deleted: 'status_deleted' } as const

export function Status({ status }: { readonly status: string }) {
  const t = useTexts(customerTexts)
  return <Badge tone={status === 'frozen' ? 'danger' : status === 'active' ? 'success' : 'neutral'}>{t(keyOf(STATUS_TEXT, status))}</Badge>
}

interface Paused {
  readonly at: string
  readonly by: string
  readonly reason: string
}

/** A key's state; of one that an operator has paused, also who did, when and why. */
export function KeyState({ row }: { readonly row: Readonly<Record<string, unknown>> }) {
  const t = useTexts(customerTexts)
  const say = useSay()
  const nameOf = useOperatorName()
  const state = say.value(String(row['state']))
  const paused = row['paused'] as Paused | null
  if (!paused) return state
  return (
    <>
      <Badge tone="danger">{state}</Badge>
      <span dir="auto" className="block max-w-[44ch] text-12 [overflow-wrap:anywhere] text-fg-2">
        {t('keyPausedNote', { by: nameOf(paused.by), at: timeDisplay(paused.at), reason: paused.reason })}
      </span>
    </>
  )
}
