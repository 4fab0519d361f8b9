import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { customerTexts } from './texts.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'

const STATUS_TEXT = { active: 'status_active', frozen: 'status_frozen', deleted: 'status_deleted' } as const

export function CustomerStatus({ status }: { readonly status: string }) {
  const t = useTexts(customerTexts)
  return <Badge tone={status === 'frozen' ? 'danger' : status === 'active' ? 'success' : 'neutral'}>{t(resolveTextKey(STATUS_TEXT, status))}</Badge>
}

interface PausedKey {
  readonly at: string
  readonly by: string
  readonly reason: string
}

/** State of a key; if an operator paused it, also who, when and why. */
export function CustomerKeyState({ row }: { readonly row: Readonly<Record<string, unknown>> }) {
  const t = useTexts(customerTexts)
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  const state = say.value(String(row['state']))
  const paused = row['paused'] as PausedKey | null
  if (!paused) return state
  return (
    <>
      <Badge tone="danger">{state}</Badge>
      <span dir="auto" className="block max-w-[44ch] text-12 [overflow-wrap:anywhere] text-fg-2">
        {t('keyPausedNote', { by: nameOf(paused.by), at: displayTime(paused.at), reason: paused.reason })}
      </span>
    </>
  )
}
