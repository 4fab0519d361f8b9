import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useLang } from '#platform/web/i18n.ts'
import type { HelpHit } from '../../help/search.ts'
import { useHelpSearch } from './use-search.ts'

export interface SearchBoxProps {
  /** page: large, with its results below in the page. bar: small, with its results above the page. */
  readonly look: 'page' | 'bar'
  readonly query: string
  readonly onQuery: (query: string) => void
}

/** State of the search field. Typing searches, arrow keys choose, Enter opens, Esc clears and then leaves; "/" focuses it from anywhere. */
export function useSearchBox({ look, query, onQuery }: SearchBoxProps) {
  const lang = useLang()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [wanted, setWanted] = useState(false)
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(0)
  const asked = query.trim()
  const found = useHelpSearch(asked, wanted || asked !== '', { lang, most: look === 'page' ? 12 : 8 })
  useSlashFocus(input)
  useEffect(() => setChosen(0), [asked])
  const shown = asked !== '' && (look === 'page' || open)
  const active = shown && found.hits.length ? Math.min(chosen, found.hits.length - 1) : -1

  const go = (hit: HelpHit) => {
    setOpen(false)
    if (look === 'bar') onQuery('')
    void navigate({ to: `/help/${hit.slug}` as '/', hash: hit.id, search: {} })
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      if (query) onQuery('')
      else input.current?.blur()
      return
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && found.hits.length) {
      event.preventDefault()
      setOpen(true)
      setChosen((active + step + found.hits.length) % found.hits.length)
    }
    const hit = found.hits[active]
    if (event.key === 'Enter' && hit) {
      event.preventDefault()
      go(hit)
    }
  }
  const type = (text: string) => {
    setOpen(true)
    onQuery(text)
  }
  const enter = () => {
    setWanted(true)
    setOpen(true)
  }
  const clear = () => {
    onQuery('')
    input.current?.focus()
  }
  return { input, asked, found, shown, active, go, type, enter, clear, onKeyDown, close: () => setOpen(false) }
}

/** "/" focuses the search field, unless the reader is typing or a layer is open. */
function useSlashFocus(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      const at = event.target as HTMLElement
      if (at.closest('input, textarea, select, [contenteditable], [role="dialog"]') || document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [input])
}
