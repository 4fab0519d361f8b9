import { RefreshCw } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import type { ApiKeyRow } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'
import { RANGE_NAMES, type useRange } from '../use-range.ts'
import { GATEWAY_RANGE_TEXT } from '../../state-texts.ts'

const ALL = 'all'

interface UsageBarProps {
  readonly days: ReturnType<typeof useRange>
  readonly keys: readonly ApiKeyRow[]
  readonly keyId: string
  readonly onKey: (keyId: string) => void
  /** How it is drawn. */
  readonly children: ReactNode
}

/** Which days, which key. */
export function UsageBar({ days, keys, keyId, onKey, children }: UsageBarProps) {
  const t = useTexts(gatewayTexts)
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-3 mobile:gap-2">
        <Segmented
          label={t('periodLabel')}
          value={days.name}
          onChange={days.setName}
          items={RANGE_NAMES.map((value) => ({ value, label: t(GATEWAY_RANGE_TEXT[value]) }))}
        />
        <PickField
          label={t('keyFilter')}
          hideLabel
          className="w-48 mobile:w-full"
          options={[{ value: ALL, label: t('keyFilterAll') }, ...keys.map((key) => ({ value: key.keyId, label: key.keyName }))]}
          value={keyId || ALL}
          onChange={(value) => onKey(value === ALL ? '' : value)}
        />
        <div className="ml-auto flex flex-wrap gap-3 mobile:ml-0 mobile:gap-2">{children}</div>
      </div>
      {days.name === 'own' ? (
        <div className="grid gap-3 desktop:grid-cols-[minmax(0,220px)_minmax(0,220px)] mobile:grid-cols-2">
          <TextField label={t('rangeFrom')} type="date" value={days.from} max={days.to || days.today} onChange={(event) => days.setFrom(event.target.value)} />
          <TextField
            label={t('rangeTo')}
            type="date"
            value={days.to}
            min={days.from || undefined}
            max={days.today}
            error={days.isBackwards ? t('rangeBad') : undefined}
            onChange={(event) => days.setTo(event.target.value)}
          />
        </div>
      ) : null}
    </div>
  )
}

/** How fresh the figures are, and the whole as a file. */
export function UsageFreshness({
  at,
  isBusy,
  onRefresh,
  file,
}: {
  readonly at: number
  readonly isBusy: boolean
  readonly onRefresh: () => void
  readonly file: ReactNode
}) {
  const t = useTexts(gatewayTexts)
  return (
    <div className="flex items-center gap-3">
      <span className="text-13 text-fg-3 mobile:hidden">
        <Updated at={at} />
      </span>
      <Button variant="secondary" size="sm" loading={isBusy} onClick={onRefresh}>
        <RefreshCw size={14} strokeWidth={1.75} aria-hidden="true" />
        {t('refresh')}
      </Button>
      {file}
    </div>
  )
}

function Updated({ at }: { readonly at: number }) {
  const t = useTexts(gatewayTexts)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5000)
    return () => clearInterval(timer)
  }, [])
  if (!at) return null
  const seconds = Math.floor(Math.max(0, now - at) / 1000)
  return <>{seconds < 5 ? t('updatedNow') : t('updatedAgo', { seconds })}</>
}
