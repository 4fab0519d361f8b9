import { useEffect } from 'react'
import { GO_SHORTCUTS, SINGLE_SHORTCUTS, useShortcutsOn } from './key-map.ts'

const PAIR_MS = 1_500

/** Ctrl/Cmd+K works anywhere; the other shortcuts are off in text fields and while a dialog is open. */
export function useShortcuts(run: (command: string) => void): void {
  useEffect(() => {
    let went = 0
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      const mod = event.ctrlKey || event.metaKey
      if (mod && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        run('palette')
        return
      }
      if (mod || event.altKey || !useShortcutsOn.getState().on || isTyping(event.target) || isCovered()) return
      const key = event.key.toUpperCase()
      const afterG = Date.now() - went < PAIR_MS
      went = !afterG && key === 'G' ? Date.now() : 0
      if (went) return
      const found = afterG ? GO_SHORTCUTS.find((one) => one.keys[1] === key) : SINGLE_SHORTCUTS.find((one) => one.keys[0] === key)
      if (!found) return
      event.preventDefault()
      run(found.command)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [run])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select, [role="textbox"], [role="menu"]') !== null)
}

function isCovered(): boolean {
  return document.querySelector('[role="dialog"]:not([aria-modal="false"]),[role="alertdialog"],dialog[open]') !== null
}
