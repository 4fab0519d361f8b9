import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useRef } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { uiTexts } from '../texts.ts'

export type DialogSize = 'xs' | 'sm' | 'md' | 'lg' | 'xl'
const widths: Record<DialogSize, string> = {
  xs: 'desktop:w-[360px]',
  sm: 'desktop:w-[400px]',
  md: 'desktop:w-[520px]',
  lg: 'desktop:w-[720px]',
  xl: 'desktop:w-[960px]',
}

export interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly description?: ReactNode
  readonly size?: DialogSize
  /** False hides the cross and disables closing by Esc or a press outside. */
  readonly closable?: boolean
  /** Buttons; they stay in view while the content scrolls. */
  readonly footer?: ReactNode
  /**
   * Initial focus, as a ref or a function that finds the element; defaults to the first field, on a phone to the first focusable element.
   */
  readonly initialFocus?: ComponentProps<typeof Base.Popup>['initialFocus']
  /** Element that gets the focus on close; defaults to the one that had it before. */
  readonly finalFocus?: ComponentProps<typeof Base.Popup>['finalFocus']
  /** Opens above all other dialogs, even a confirmation: for a captcha in the middle of one. */
  readonly above?: boolean
  /** A panel at the left, on desktop only. Its content must be repeated elsewhere or be decorative. */
  readonly aside?: ReactNode
  readonly children?: ReactNode
}

/** First form field; not used on phones, where the on-screen keyboard would cover half of the dialog. */
function firstField(popup: HTMLElement | null): HTMLElement | undefined {
  return (
    popup?.querySelector<HTMLElement>('input:is(:not([type=radio]), :checked):not(:disabled, [type=hidden]), textarea:not(:disabled), select:not(:disabled)') ??
    undefined
  )
}

/** A modal in the middle, a bottom sheet at 720 px and below. Focus is trapped and returns to its previous element. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  size = 'md',
  closable = true,
  footer,
  initialFocus,
  finalFocus,
  above = false,
  aside,
  children,
}: DialogProps) {
  const t = useTexts(uiTexts)
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => {
        if (!next && closable) onClose()
      }}
      disablePointerDismissal={!closable}
    >
      <Base.Portal>
        <Base.Backdrop className={`backdrop ${above ? 'z-3002' : 'z-2900'}`} />
        <Base.Viewport className={`fixed inset-0 flex items-end justify-center desktop:items-center desktop:p-6 ${above ? 'z-3003' : 'z-2999'}`}>
          <Base.Popup
            ref={popup}
            initialFocus={initialFocus ?? ((opened) => (opened === 'touch' ? true : (firstField(popup.current) ?? true)))}
            finalFocus={finalFocus}
            className={`dialog-popup relative flex max-h-[92vh] w-full flex-col rounded-t-dialog bg-surface shadow-dialog desktop:max-h-full desktop:rounded-dialog ${widths[size]} ${aside ? 'desktop:pl-[300px]' : ''}`}
          >
            {aside ? (
              <div className="absolute -inset-y-px -left-px w-[301px] overflow-hidden rounded-l-dialog border border-r-0 border-ink-line bg-ink mobile:hidden">
                {aside}
              </div>
            ) : null}
            <header className="flex items-start gap-4 px-6 pt-6 pb-4 mobile:px-5 mobile:pt-5">
              <div className="min-w-0 flex-1">
                <Base.Title className="text-20 font-bold">{title}</Base.Title>
                {description ? <Base.Description className="mt-1 text-14 text-fg-2">{description}</Base.Description> : null}
              </div>
              {closable ? (
                <Base.Close className="icon-btn -mt-1.5 -mr-2 shrink-0" aria-label={t('close')} title={t('close')}>
                  <X size={20} strokeWidth={1.75} aria-hidden="true" />
                </Base.Close>
              ) : null}
            </header>
            <div className={`min-h-0 flex-1 overflow-y-auto overscroll-contain px-6 pt-1 mobile:px-5 ${footer ? 'pb-2' : 'pb-6 desktop:rounded-b-dialog'}`}>
              {children}
            </div>
            {footer ? <footer className="flex justify-end gap-3 border-t border-line px-6 py-4 mobile:px-5 mobile:[&>*]:flex-1">{footer}</footer> : null}
            <div className="safe-bottom" />
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
