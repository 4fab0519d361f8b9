import { RotateCw } from 'lucide-react'
import { QRCodeSVG } from 'qrcode.react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { uiTexts } from './texts.ts'

interface QrTileProps {
  readonly value: string | undefined
  readonly state: 'loading' | 'active' | 'expired'
  readonly onRefresh?: () => void
  /** Channel logo or a line below the code. */
  readonly caption?: ReactNode
  readonly size?: number
}

/** White in dark mode too: scanners need dark on light. Expired: dimmed, the whole tile refreshes. */
export function QrTile({ value, state, onRefresh, caption, size = 170 }: QrTileProps) {
  const t = useTexts(uiTexts)
  const expired = state === 'expired'
  return (
    <figure className="inline-flex flex-col items-center gap-3">
      <div className="relative rounded-card border border-line bg-paper p-3" aria-busy={state === 'loading'}>
        {value && state !== 'loading' ? (
          <QRCodeSVG value={value} size={size} level="M" title={t('qrAlt')} className={`block ${expired ? 'opacity-[.08]' : ''}`} />
        ) : (
          <svg width={size} height={size} className="skeleton block bg-[#dbe1e2]" role="img" aria-label={t('loading')} />
        )}
        {expired ? (
          <button
            type="button"
            onClick={onRefresh}
            className="absolute inset-0 flex flex-col items-center justify-center gap-2 rounded-card text-14 text-paper-fg"
          >
            <span>{t('qrExpired')}</span>
            <span className="inline-flex items-center gap-1.5 rounded-control bg-ink px-3 py-1.5 font-semibold text-ink-fg">
              <RotateCw size={14} aria-hidden="true" />
              {t('qrRefresh')}
            </span>
          </button>
        ) : null}
      </div>
      {caption ? <figcaption className="text-center text-13 text-fg-2">{caption}</figcaption> : null}
    </figure>
  )
}
