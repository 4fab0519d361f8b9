import { useLocation } from '@tanstack/react-router'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'

/** Closes the open panel inside `box` on Esc (focus returns to its button) and on a press or focus elsewhere. */
function useDismiss(box: RefObject<HTMLElement | null>, open: boolean, close: () => void): void {
  useEffect(() => {
    if (!open) return
    const outside = (event: Event) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) close()
    }
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      close()
      box.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus()
    }
    addEventListener('pointerdown', outside)
    addEventListener('focusin', outside)
    addEventListener('keydown', escape)
    return () => {
      removeEventListener('pointerdown', outside)
      removeEventListener('focusin', outside)
      removeEventListener('keydown', escape)
    }
  }, [box, open, close])
}

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

/** A button with a drop-down panel, for the public header, which does not load the menu kit. Closes when the page changes. */
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
