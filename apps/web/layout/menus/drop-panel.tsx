import { useLocation } from '@tanstack/react-router'
import { useCallback, useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { useDismiss } from './use-dismiss.ts'

interface DropPanelProps {
  /** Content of the button. */
  readonly button: ReactNode
  /** Accessible name if the button has no text. */
  readonly label?: string
  readonly buttonClass: string
  readonly panelClass?: string
  /** Aligns a wide panel with the page's header instead of its button. */
  readonly across?: boolean
  readonly children: ReactNode
}

/** A button that shows what is below it: for the public header, which carries no menu kit. Gone when the page changes. */
export function DropPanel({ button, label, buttonClass, panelClass = '', across = false, children }: DropPanelProps) {
  const [open, setOpen] = useState(false)
  const { href } = useLocation()
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const close = useCallback(() => setOpen(false), [])
  useDismiss(box, open, close)
  useEffect(() => setOpen(false), [href])
  return (
    <div ref={box} className={across ? '' : 'relative'}>
      <button type="button" className={buttonClass} aria-label={label} title={label} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {button}
      </button>
      <div id={id} hidden={!open} className={`popup absolute top-full z-10 text-fg ${across ? '' : 'mt-2'} ${panelClass}`}>
        {open ? children : null}
      </div>
    </div>
  )
}
