import { useEffect } from 'react'

interface Keys {
  readonly ids: readonly string[]
  readonly chosen: string
  readonly onChoose: (id: string) => void
  readonly onCopy: (id: string) => void
  readonly onMonth: (step: -1 | 1) => void
  readonly onSearch: () => void
}

const isTyping = (target: EventTarget | null) => target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
const LAYER_SELECTOR = '[role="dialog"],[role="alertdialog"],[role="menu"],dialog[open]'

/**
 * Keyboard shortcuts: "/" searches, J and K move between rows (Enter presses the row's button), C copies the order number, [ and ] change
 * the month. Inactive while typing or under a layer.
 */
export function useFundsKeys({ ids, chosen, onChoose, onCopy, onMonth, onSearch }: Keys): void {
  useEffect(() => {
    const step = (by: number) => {
      const next = ids[Math.min(ids.length - 1, Math.max(0, ids.indexOf(chosen) + by))]
      if (next === undefined) return
      onChoose(next)
      // Focus the row's own button, so that Enter presses it.
      document.querySelector<HTMLElement>(`[data-open="${CSS.escape(next)}"]`)?.focus()
    }
    const acts: Readonly<Record<string, () => void>> = {
      '/': onSearch,
      'j': () => step(1),
      'k': () => step(-1),
      'c': () => (ids.includes(chosen) ? onCopy(chosen) : undefined),
      '[': () => onMonth(-1),
      ']': () => onMonth(1),
    }
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target) || document.querySelector(LAYER_SELECTOR)) return
      const act = acts[event.key.toLowerCase()]
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [ids, chosen, onChoose, onCopy, onMonth, onSearch])
}
