import { useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { MAX_PASTE_LENGTH } from '../../wire.ts'
import type { RemotePageMessage } from '../../wire.ts'
import { isCommandKey, buildKeyMessage, buildKeyPress } from './input.ts'

const LONG_PRESS_MS = 1_000
/** Something to delete always stands in the field: an empty one tells nothing of a backspace on a phone. */
const FILLER = ' '
const isMac = () => /Mac/.test(navigator.platform)

/** Reads keys from an invisible field: input methods compose in it, and composed text is sent whole. Holding Esc for a second leaves it. */
export function useKeyboard(field: RefObject<HTMLTextAreaElement | null>, send: (wish: RemotePageMessage) => void): { readonly hasKeys: boolean } {
  const [hasKeys, setHasKeys] = useState(false)
  useEffect(() => {
    const at = field.current
    if (!at) return
    const told = new AbortController()
    const on: On = (name, work) => at.addEventListener(name, work as EventListener, { signal: told.signal })
    const release = listenToKeys(at, on, send)
    listenToText(at, on, send)
    on('focus', () => setHasKeys(true))
    on('blur', () => {
      release()
      setHasKeys(false)
    })
    return () => {
      release()
      told.abort()
    }
  }, [field, send])
  return { hasKeys }
}

type Send = (wish: RemotePageMessage) => void
type On = <K extends keyof HTMLElementEventMap>(name: K, work: (event: HTMLElementEventMap[K]) => void) => void

/** Keys that no input method works on. Returns what forgets a held Esc. */
function listenToKeys(at: HTMLTextAreaElement, on: On, send: Send): () => void {
  const mac = isMac()
  let held: ReturnType<typeof setTimeout> | undefined
  const press = (key: 'Backspace' | 'Escape') => buildKeyPress(key).forEach(send)
  on('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing) {
      event.preventDefault()
      if (!event.repeat) held = setTimeout(() => at.blur(), LONG_PRESS_MS)
      return
    }
    // The browser pastes by itself, and only because it was told to
    if (isCommandKey(event, 'v')) return
    const wish = buildKeyMessage(event, 'keyDown', mac)
    if (!wish) return
    event.preventDefault()
    // Copy before cutting: the selection is gone afterwards
    if (isCommandKey(event, 'x')) send({ do: 'take' })
    send(wish)
    if (isCommandKey(event, 'c')) send({ do: 'take' })
    if (isCommandKey(event, 'x')) press('Backspace')
  })
  on('keyup', (event) => {
    if (event.key === 'Escape' && held !== undefined) {
      clearTimeout(held)
      held = undefined
      if (document.activeElement === at) press('Escape')
      return
    }
    const wish = buildKeyMessage(event, 'keyUp', mac)
    if (wish && !isCommandKey(event, 'v')) send(wish)
  })
  return () => {
    clearTimeout(held)
    held = undefined
  }
}

/** Sends text from an input method, a phone's keyboard or the clipboard. */
function listenToText(at: HTMLTextAreaElement, on: On, send: Send): void {
  const text = (value: string) => {
    if (value) send({ do: 'text', text: value.slice(0, MAX_PASTE_LENGTH) })
  }
  const clear = () => {
    at.value = FILLER
  }
  on('beforeinput', (event) => {
    if (event.isComposing || !event.inputType.startsWith('deleteContent')) return
    event.preventDefault()
    buildKeyPress('Backspace').forEach(send)
  })
  on('input', (event) => {
    const { isComposing, inputType, data } = event as InputEvent
    if (isComposing) return
    if (inputType === 'insertLineBreak') buildKeyPress('Enter').forEach(send)
    else if (inputType !== 'insertCompositionText') text(data ?? '')
    clear()
  })
  on('compositionend', ({ data }) => {
    text(data)
    clear()
  })
  on('paste', (event) => {
    event.preventDefault()
    text(event.clipboardData?.getData('text/plain') ?? '')
  })
  clear()
}
