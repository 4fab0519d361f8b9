import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { uiTexts } from './texts.ts'

interface SplitViewProps {
  readonly list: ReactNode
  /** Label of the detail for screen readers. */
  readonly label: string
  /** Undefined: nothing is selected, and the list has the whole width. */
  readonly detail: ReactNode
  readonly onClose: () => void
  /** Changes with the selection: focus follows it on a phone, where the detail replaces the list. */
  readonly shown: string
}

/** A list with the detail of one of its rows beside it; at 720 px and below the detail is a separate page. Esc closes it. */
export function SplitView({ list, label, detail, onClose, shown }: SplitViewProps) {
  const t = useTexts(uiTexts)
  const mobile = useIsMobile()
  const box = useRef<HTMLElement>(null)
  const isOpen = detail !== undefined
  useEffect(() => {
    if (!isOpen) return
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"],dialog[open]')) return
      onClose()
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [isOpen, onClose])
  useEffect(() => {
    if (!mobile || shown === '') return
    window.scrollTo({ top: 0 })
    box.current?.focus({ preventScroll: true })
  }, [mobile, shown])
  if (mobile && isOpen)
    return (
      <section ref={box} tabIndex={-1} aria-label={label} className="outline-none">
        <button type="button" onClick={onClose} className="mb-3 -ml-1 inline-flex min-h-11 items-center gap-1.5 rounded-control pr-3 pl-1 text-14 text-fg-2">
          <ArrowLeft size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('backToList')}
        </button>
        {detail}
      </section>
    )
  return (
    <div className={isOpen ? 'grid grid-cols-[minmax(0,1fr)_372px] items-start gap-6' : ''}>
      <div className="min-w-0">{list}</div>
      {isOpen ? (
        <section ref={box} aria-label={label} className="sticky top-20 max-h-[calc(100vh-96px)] overflow-y-auto overscroll-contain p-px">
          {detail}
        </section>
      ) : null}
    </div>
  )
}
