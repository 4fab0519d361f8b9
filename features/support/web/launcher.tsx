import { MessageSquareText } from 'lucide-react'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { supportPageTexts } from '../texts.ts'

interface LauncherProps {
  readonly unread: number
  readonly loading: boolean
  readonly onOpen: () => void
}

/** Launcher at the bottom right, above the tabs of a phone. Moves aside while the user scrolls down or types on a phone. */
export function Launcher({ unread, loading, onOpen }: LauncherProps) {
  const t = useTexts(supportPageTexts)
  const signedIn = useSignedIn()
  const away = useStepsAside()
  const place = useRef<HTMLElement>(null)
  const covers = useCovers(place)
  const name = loading ? t('launcher_loading') : unread ? t('launcher_unread', { count: unread }) : t('launcher_open')
  return (
    <aside
      ref={place}
      aria-label={t('title')}
      className={`support-launcher ${signedIn ? '' : 'is-visitor'} ${away && !unread ? 'is-away' : covers ? 'is-edge' : ''}`}
    >
      <button
        type="button"
        aria-label={name}
        title={name}
        aria-busy={loading || undefined}
        aria-haspopup="dialog"
        className="support-shade relative block rounded-control"
        onClick={onOpen}
      >
        <span className="support-slip" aria-hidden="true">
          {loading ? <span className="spinner" /> : <MessageSquareText size={22} strokeWidth={1.75} className="text-ink-accent" />}
          <span className="text-12 font-medium">{t('launcher')}</span>
        </span>
        {unread ? (
          <span
            className="num absolute -top-2 -left-2 min-w-6 rounded-full bg-brand px-1.5 text-center text-12 leading-6 font-semibold text-on-brand"
            aria-hidden="true"
          >
            {unread > 99 ? '99+' : unread}
          </span>
        ) : null}
      </button>
      <span role="status" className="sr-only">
        {unread ? t('list_unread', { count: unread }) : ''}
      </span>
    </aside>
  )
}

const STEP_PX = 12

/** True while scrolling down or typing; only the narrow layout uses it. */
function useStepsAside(): boolean {
  const [down, setDown] = useState(false)
  const [typing, setTyping] = useState(false)
  useEffect(() => {
    let last = scrollY
    const scrolled = () => {
      const moved = scrollY - last
      if (Math.abs(moved) < STEP_PX) return
      last = scrollY
      setDown(moved > 0 && scrollY > 80)
    }
    const focused = () => setTyping(document.activeElement?.matches('input:not([type="checkbox"], [type="radio"]), textarea, select') ?? false)
    addEventListener('scroll', scrolled, { passive: true })
    document.addEventListener('focusin', focused)
    document.addEventListener('focusout', focused)
    return () => {
      removeEventListener('scroll', scrolled)
      document.removeEventListener('focusin', focused)
      document.removeEventListener('focusout', focused)
    }
  }, [])
  return down || typing
}

/** Minimum interval between checks; a check runs only after a change. */
const LOOK_MS = 250
const PRESSED = 'a[href], button, input, select, textarea, summary, [role="button"], [role="tab"], [role="switch"]'
/** Elements with figures, e.g. prices, bills and orders. */
const FIGURES = 'td, th, dd, .num'
/** Sampling rows, closer than the height of a text line. */
const ROWS = [0.02, 0.26, 0.5, 0.74, 0.98]

/** True while the launcher covers a control or a figure, so that it can move aside. */
function useCovers(place: RefObject<HTMLElement | null>): boolean {
  const [covers, setCovers] = useState(false)
  useEffect(() => {
    const look = () => {
      const box = place.current?.getBoundingClientRect()
      if (!box || document.visibilityState === 'hidden') return
      // The launcher's box in its normal position: inside the padding (support.css).
      const [left, top, width, height] = [box.left + 14, box.top + 12, box.width - 34, box.height - 32]
      const points = [0.05, 0.5, 0.95].flatMap((x) => ROWS.map((y) => [left + width * x, top + height * y] as const))
      setCovers(
        points.some(([x, y]) =>
          document.elementsFromPoint(x, y).some((element) => !place.current?.contains(element) && element.closest(`${PRESSED}, ${FIGURES}`) !== null),
        ),
      )
    }
    let timer: number | undefined
    const later = () => {
      timer ??= window.setTimeout(() => {
        timer = undefined
        look()
      }, LOOK_MS)
    }
    later()
    const changes = new MutationObserver(later)
    changes.observe(document.body, { childList: true, subtree: true })
    const capture = { capture: true, passive: true }
    addEventListener('scroll', later, capture)
    addEventListener('resize', later)
    return () => {
      clearTimeout(timer)
      changes.disconnect()
      removeEventListener('scroll', later, capture)
      removeEventListener('resize', later)
    }
  }, [place])
  return covers
}
