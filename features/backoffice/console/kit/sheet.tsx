import { ArrowLeft, X } from 'lucide-react'
import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { kitTexts } from './texts.ts'

interface SheetProps {
  readonly title: ReactNode
  /** Badges beside the title. */
  readonly tags?: ReactNode
  /** Line below the title: numbers and the owner. */
  readonly about?: ReactNode
  readonly onClose: () => void
  /** Sticky footer with the deciding buttons. */
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/** Content below the header of any sheet rendered inside, such as the lease of a work item and its end. */
export const SheetStrip = createContext<ReactNode>(null)

/** Details of a row beside its list; full page on phones. Every decision is made in a sheet. */
export function SideSheet({ title, tags, about, onClose, foot, children }: SheetProps) {
  const t = useTexts(kitTexts)
  const mobile = useIsMobile()
  const strip = useContext(SheetStrip)
  const Icon = mobile ? ArrowLeft : X
  const close = (
    <button type="button" aria-label={t('close')} title={t('close')} className={`icon-btn ${mobile ? '-ml-2' : '-mr-1.5'}`} onClick={onClose}>
      <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <header className={`flex ${about ? 'items-start' : 'items-center'} gap-2 border-b border-line px-5 py-3 mobile:px-4`}>
        {mobile ? close : null}
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="text-16 font-bold">{title}</h2>
            {tags}
          </div>
          {about ? <div className="flex flex-wrap items-center gap-x-2 text-12 text-fg-2">{about}</div> : null}
        </div>
        {mobile ? null : close}
      </header>
      {strip ? (
        <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line bg-sunken px-5 py-1.5 text-12 mobile:px-4">{strip}</div>
      ) : null}
      <div
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-4 mobile:px-4"
        tabIndex={0}
        role="group"
        aria-label={typeof title === 'string' ? title : undefined}
      >
        {children}
      </div>
      {foot ? (
        <footer className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-5 py-3 empty:hidden mobile:px-4">{foot}</footer>
      ) : null}
    </div>
  )
}
