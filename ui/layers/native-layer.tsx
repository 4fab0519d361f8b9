import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

interface NativeLayerProps {
  readonly labelledBy: string
  /** Called on Esc, or on the back gesture of some phones. */
  readonly onClose: () => void
  readonly className?: string
  readonly children: ReactNode
}

/**
 * A layer over everything, based on the browser's own dialog: focus stays inside, the page behind is inert, and focus returns on close. It
 * needs no UI library, so the landing page can open one. It renders in the body, because a dialog of the library hides all its siblings
 * from screen readers. Mount it to open it.
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
    // Handles the key before a dialog of the library below does.
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
