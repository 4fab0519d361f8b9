import { Pause, Play } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { siteTexts } from '../../texts.ts'

interface MarqueeProps {
  readonly label: string
  readonly seconds: number
  readonly className?: string
  /** Drawn twice, so that the end meets the beginning; the second time is hidden from screen readers. */
  readonly children: ReactNode
}

/** A row that runs past and can be stopped: by its button, by pointing at it, by focus in it, and by reduced motion. */
export function Marquee({ label, seconds, className = '', children }: MarqueeProps) {
  const t = useTexts(siteTexts)
  const [still, setStill] = useState(false)
  const Icon = still ? Play : Pause
  return (
    <div className={`marquee ${still ? 'marquee-still' : ''} ${className}`} tabIndex={0} role="group" aria-label={label}>
      <div className="marquee-track" style={{ animationDuration: `${seconds}s` }}>
        <ul aria-label={label} className="marquee-row">
          {children}
        </ul>
        <ul aria-hidden="true" className="marquee-row marquee-copy" inert>
          {children}
        </ul>
      </div>
      <button
        type="button"
        onClick={() => setStill(!still)}
        className="marquee-stop icon-btn absolute right-2 bottom-2 border border-line bg-surface"
        aria-label={t(still ? 'marquee_go' : 'marquee_stop')}
        title={t(still ? 'marquee_go' : 'marquee_stop')}
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  )
}
