import { useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { MOST_TEXT } from '../../wire.ts'
import type { FromPage } from '../../wire.ts'
import { isCommand, keyWish, pressOf } from './input.ts'

const HOLD_MS = 1_000
/** Something to delete always stands in the field: an empty one tells nothing of a backspace on a phone. */
const FILLER = ' '
const isMac = () => /Mac/.test(navigator.platform)

/** Keys of a field that nobody sees: an input method composes in it, and what it composed is sent whole. Esc held for a second leaves it. */
export function useKeyboard(field: RefObject<HTMLTextAreaElement | null>, send: (wish: FromPage) => void): { readonly hasKeys: boolean } {
  const [hasKeys, setHasKeys] = useState(false)
  useEffect(() => {
    const at = field.current
    if (!at) return
    const mac = isMac()
    let heldSince: ReturnType<typeof setTimeout> | undefined
    const text = (value: string) => {
      if (value) send({ do: 'text', text: value.slice(0, MOST_TEXT) })
    }
    const clear = () => (at.value = FILLER)
    const keyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.isComposing) {
        event.preventDefault()
        if (!event.repeat) heldSince = setTimeout(() => at.blur(), HOLD_MS)
        return
      }
      // The browser pastes by itself, and only because it was told to
      if (isCommand(event, 'v')) return
      const wish = keyWish(event, 'keyDown', mac)
      if (!wish) return
      event.preventDefault()
      // What is cut is gone afterwards
      if (isCommand(event, 'x')) send({ do: 'take' })
      send(wish)
      if (isCommand(event, 'c')) send({ do: 'take' })
      if (isCommand(event, 'x')) for (const one of pressOf('Backspace')) send(one)
    }
    const keyUp = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && heldSince !== undefined) {
        clearTimeout(heldSince)
        heldSince = undefined
        if (document.activeElement === at) for (const one of pressOf('Escape')) send(one)
        return
      }
      const wish = keyWish(event, 'keyUp', mac)
      if (wish && !isCommand(event, 'v')) send(wish)
    }
    const beforeInput = (event: InputEvent) => {
      if (event.isComposing || !event.inputType.startsWith('deleteContent')) return
      event.preventDefault()
      for (const one of pressOf('Backspace')) send(one)
    }
    const input = (event: Event) => {
      if ((event as InputEvent).isComposing) return
      const { inputType, data } = event as InputEvent
      if (inputType === 'insertLineBreak') for (const one of pressOf('Enter')) send(one)
      else if (inputType !== 'insertCompositionText') text(data ?? '')
      clear()
    }
    const composed = (event: CompositionEvent) => {
      text(event.data)
      clear()
    }
    const paste = (event: ClipboardEvent) => {
      event.preventDefault()
      text(event.clipboardData?.getData('text/plain') ?? '')
    }
    const focus = () => setHasKeys(true)
    const blur = () => {
      clearTimeout(heldSince)
      heldSince = undefined
      setHasKeys(false)
    }
    clear()
    const told = new AbortController()
    const on = <K extends keyof HTMLElementEventMap>(name: K, work: (event: HTMLElementEventMap[K]) => void) =>
      at.addEventListener(name, work as EventListener, { signal: told.signal })
    on('keydown', keyDown)
    on('keyup', keyUp)
    on('beforeinput', beforeInput)
    on('input', input)
    on('compositionend', composed)
    on('paste', paste)
    on('focus', focus)
    on('blur', blur)
    return () => {
      blur()
      told.abort()
    }
  }, [field, send])
  return { hasKeys }
}
