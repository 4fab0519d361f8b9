import { useState } from 'react'
import { useSnippetChoice } from '#platform/web/state/snippet-choice.ts'
import { CopyButton } from './copy-button.tsx'

export interface Snippet {
  readonly id: string
  readonly label: string
  readonly code: string
}

interface CodeBlockProps {
  readonly label: string
  readonly snippets: readonly Snippet[]
  /** Shows the language that was last selected, here or in another block, if available. */
  readonly remembered?: boolean
  readonly className?: string
}

/** Code on ink in both themes, with one tab per language. */
export function CodeBlock({ label, snippets, remembered = false, className = '' }: CodeBlockProps) {
  const [own, setOwn] = useState(snippets[0]?.id)
  const [last, remember] = useSnippetChoice()
  const chosen = remembered && snippets.some((snippet) => snippet.id === last) ? last : own
  const shown = snippets.find((snippet) => snippet.id === chosen) ?? snippets[0]
  if (!shown) return null
  const choose = (id: string) => {
    setOwn(id)
    if (remembered) remember(id)
  }
  return (
    <div className={`on-ink min-w-0 overflow-hidden rounded-card border border-ink-line bg-ink text-ink-fg ${className}`}>
      <div className="flex items-start gap-2 border-b border-ink-line py-1.5 pr-2 pl-2">
        <div role="group" aria-label={label} className="flex min-w-0 flex-1 flex-wrap gap-x-1 p-0.5">
          {snippets.map((snippet) => (
            <button
              key={snippet.id}
              type="button"
              aria-pressed={snippet.id === shown.id}
              onClick={() => choose(snippet.id)}
              className="shrink-0 rounded-tag px-2.5 py-1 font-mono text-13 text-ink-fg-3 outline-offset-0 hover:text-ink-fg aria-pressed:bg-ink-2 aria-pressed:text-ink-fg mobile:min-h-[44px]"
            >
              {snippet.label}
            </button>
          ))}
        </div>
        <CopyButton text={shown.code} variant="ink-ghost" className="shrink-0" />
      </div>
      <pre tabIndex={0} aria-label={`${label} ${shown.label}`} className="overflow-x-auto p-4 text-13 -outline-offset-2 [overflow-wrap:normal] mobile:p-3.5">
        <code>{shown.code}</code>
      </pre>
    </div>
  )
}
