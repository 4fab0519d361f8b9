import { useEffect, useRef } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { cardTexts } from '../../texts.ts'
import type { FrameInfo } from './reveal-info.ts'

interface IssuerFrameProps {
  readonly info: FrameInfo
  readonly onShown: () => void
  readonly onMasked: () => void
}

/**
 * The issuer's own page, 348 x 152: it alone knows the digits. Its scripts run in its own origin, it may write to the clipboard and
 * nothing else: no top navigation, no pop-ups, no forms.
 */
export function IssuerFrame({ info, onShown, onMasked }: IssuerFrameProps) {
  const t = useTexts(cardTexts)
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<unknown>) => {
      if (source !== frame.current?.contentWindow) return
      const told = data as { mingxi?: unknown; state?: unknown } | null
      if (told?.mingxi !== 'reveal') return
      if (told.state === 'shown') onShown()
      if (told.state === 'masked') onMasked()
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [onShown, onMasked])
  return (
    <iframe
      ref={frame}
      src={info.url}
      title={t('frameTitle')}
      width={348}
      height={152}
      sandbox="allow-scripts allow-same-origin"
      allow="clipboard-write"
      referrerPolicy="origin"
      onLoad={onShown}
      className="block h-[152px] w-full border-0"
    />
  )
}
