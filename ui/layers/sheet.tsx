import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { uiTexts } from '../texts.ts'

interface SheetProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** Detail of a row: from the right on desktop, the full page on mobile. */
export function Sheet({ open, onClose, title, footer, children }: SheetProps) {
  const t = useTexts(uiTexts)
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="backdrop z-2900" />
        <Base.Popup className="side-sheet fixed inset-y-0 right-0 z-2999 flex w-full flex-col bg-surface shadow-dialog desktop:w-[480px]">
          <header className="flex items-center gap-4 border-b border-line px-6 py-4 mobile:px-5">
            <Base.Title className="min-w-0 flex-1 text-18 font-bold">{title}</Base.Title>
            <Base.Close className="icon-btn -mr-2" aria-label={t('close')} title={t('close')}>
              <X size={20} strokeWidth={1.75} aria-hidden="true" />
            </Base.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-6 py-5 mobile:px-5">{children}</div>
          {footer ? <footer className="flex justify-end gap-3 border-t border-line px-6 py-4 mobile:px-5">{footer}</footer> : null}
          <div className="safe-bottom" />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
