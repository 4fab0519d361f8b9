import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

interface NativeLayerProps {
  readonly labelledBy: string
  /** Esc, or the back gesture of some phones. */
  readonly onClose: () => void
  readonly className?: string
  readonly children: ReactNode
}

/**
 * A layer over everything, from the browser's own dialog: focus stays inside, the page behind is inert, and focus goes
 * back where it was. It needs no kit, so the landing page can open one. It stands in the body, because a dialog of the kit
 * hides everything beside itself from screen readers. Mount it to open it.
 */
export function NativeLayer({ labelledBy, onClose, className = '', children }: NativeLayerProps) {
  const box = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = box.current
    const root = document.documentElement
    const before = root.style.overflow
    dialog?.showModal()
    root.style.overflow = 'hidden'
    return () => {
      dialog?.close()
      root.style.overflow = before
    }
  }, [])
  useEffect(() => {
    // Before a dialog of the kit below takes it as its own.
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopImmediatePropagation()
      onClose()
    }
    addEventListener('keydown', escape, true)
    return () => removeEventListener('keydown', escape, true)
  }, [onClose])
  return createPortal(
    <dialog
      ref={box}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className={`native-layer ${className}`}
    >
      {children}
    </dialog>,
    document.body,
  )
}
