import { useEffect, useRef } from 'react'
import { create } from 'zustand'
import { keep, kept } from '#platform/web/state/storage.ts'

const NAME = 'shortcuts'
const YEAR_MS = 31_536_000_000

/** Single-key shortcuts can be turned off, for users of speech input (WCAG 2.1.4). */
export const useKeysOn = create<{ readonly on: boolean }>(() => ({ on: typeof document === 'undefined' || kept(NAME) !== 'off' }))
export function setKeysOn(on: boolean): void {
  keep(NAME, on ? 'on' : 'off', YEAR_MS)
  useKeysOn.setState({ on })
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input:not([type=checkbox],[type=radio]), textarea, select, [role="menu"]') !== null)
  )
}

const isCovered = () => document.querySelector('[role="dialog"]:not([data-beside]),[role="alertdialog"],dialog[open]') !== null

/** Handler of a key; returns false to leave the key to the browser or another handler. */
type Act = () => unknown

/** Registers shortcuts without Ctrl or Cmd by key name (`j`, `/`, `?`, `Escape`); disabled in form fields and below dialogs. */
export function useKeys(keys: Readonly<Record<string, Act | undefined>>): void {
  const now = useRef(keys)
  useEffect(() => {
    now.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || isCovered()) return
      if (!useKeysOn.getState().on && event.key !== 'Escape') return
      const act = now.current[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (act && act() !== false) event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
