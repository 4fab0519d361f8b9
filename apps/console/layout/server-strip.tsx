import { Wrench } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { isUncertain } from '#platform/web/calls/api-error.ts'
import { kitTexts, useSignedInOperator } from '#features/backoffice/console/index.tsx'

/** While the server does not answer: what was read stays, and it is asked again by itself. */
export function ServerStrip() {
  const t = useTexts(kitTexts)
  const { error } = useSignedInOperator()
  if (!error || !isUncertain(error)) return null
  return (
    <div role="status" className="flex items-center gap-2 border-b border-line bg-surface px-5 py-1.5 text-13">
      <Wrench size={14} strokeWidth={1.75} className="shrink-0 text-warning" aria-hidden="true" />
      <strong className="font-semibold">{t('maintenance')}</strong>
      <span className="text-fg-2">{t('maintenanceBody')}</span>
    </div>
  )
}
