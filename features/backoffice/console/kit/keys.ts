import { useEffect, useRef } from 'react'
import { create } from 'zustand'
import { storeValue, readStored } from '#platform/web/state/storage.ts'

const NAME = 'shortcuts'
const YEAR_MS = 31_536_000_000

/** Single-key shortcuts can be turned off, for users of speech input (WCAG 2.1.4). */
export const useConsoleKeysOn = create<{ readonly on: boolean }>(() => ({ on: typeof document === 'undefined' || readStored(NAME) !== 'off' }))
export function setConsoleKeysOn(on: boolean): void {
  storeValue(NAME, on ? 'on' : 'off', YEAR_MS)
  useConsoleKeysOn.setState({ on })
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input:not([type=checkbox],[type=radio]), textarea, select, [role="menu"]') !== null)
  )
}

const isCovered = () => document.querySelector('[role="dialog"]:not([data-beside]),[role="alertdialog"],dialog[open]') !== null

/** Handler of a key; returns false to leave the key to the browser or another handler. */
type KeyHandler = () => unknown

/** Registers shortcuts without Ctrl or Cmd by key name (`j`, `/`, `?`, `Escape`); disabled in form fields and below dialogs. */
export function useConsoleKeys(keys: Readonly<Record<string, KeyHandler | undefined>>): void {
  const now = useRef(keys)
  useEffect(() => {
    now.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || isCovered()) return
      if (!useConsoleKeysOn.getState().on && event.key !== 'Escape') return
      const act = now.current[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (act && act() !== false) event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
