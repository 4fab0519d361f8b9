import { WifiOff } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { useOnline } from '#platform/web/online.ts'
import { displayTime } from '#platform/web/time.tsx'
import { billTexts } from '../texts-bills.ts'

/** Line shown while the network is down: the figures stay, with their time. */
export function OfflineLine({ at }: { readonly at: number }) {
  const t = useTexts(billTexts)
  const online = useOnline()
  if (online || !at) return null
  return (
    <p role="status" className="mb-4 flex items-center gap-2 text-13 text-fg-3">
      <WifiOff size={16} strokeWidth={1.75} aria-hidden="true" />
      {t('offline', { time: displayTime(at, 'second').slice(11) })}
    </p>
  )
}
