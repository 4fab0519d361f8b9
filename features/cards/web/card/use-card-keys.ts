import { useEffect, useRef } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { readStored } from '#platform/web/state/storage.ts'

const PAIR_MS = 1_500

type Keys = Readonly<Record<'V' | 'F' | 'R', () => void>>

/** V view, F freeze, R recharge, B bills: nowhere that text is typed, not below a dialog, not after G, and off with the other single keys. */
export function useCardKeys(keys: Keys): void {
  const latest = useRef(keys)
  const navigate = useNavigate()
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    let went = 0
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      if (readStored('shortcuts') === 'off' || isElsewhere(event.target)) return
      const key = event.key.toUpperCase()
      const afterG = Date.now() - went < PAIR_MS
      went = key === 'G' && !afterG ? Date.now() : 0
      if (afterG || went) return
      if (key === 'B') return void navigate({ to: '/bill' })
      const run = latest.current[key as keyof Keys]
      if (!run) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [navigate])
}

function isElsewhere(target: EventTarget | null): boolean {
  const typing =
    target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select, [role="textbox"], [role="menu"]') !== null)
  return typing || document.querySelector('[role="dialog"]:not([aria-modal="false"]),[role="alertdialog"],dialog[open]') !== null
}
