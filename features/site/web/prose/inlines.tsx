import { Link } from '@tanstack/react-router'
import { createContext, useContext, type ReactNode } from 'react'
import type { ProseInline } from '../../help/blocks.ts'
import { fillFacts, type ProseFacts } from './facts.ts'

interface InlinesProps {
  readonly inlines: readonly ProseInline[]
  readonly facts: ProseFacts
}

export function Inlines({ inlines, facts }: InlinesProps) {
  return inlines.map((inline, at) => {
    const text = fillFacts(inline.text, facts)
    switch (inline.kind) {
      case 'strong':
        return <strong key={at}>{text}</strong>
      case 'code':
        return <code key={at}>{text}</code>
      case 'link':
        return (
          <HelpLink key={at} href={fillFacts(inline.href, facts)}>
            {text}
          </HelpLink>
        )
      default:
        return text
    }
  })
}

/** Set if the text is above a form, which a link opened in place would replace. */
export const OpensBeside = createContext(false)

/** Links to our own pages open in place and in the reader's language; others open in a new tab. */
export function HelpLink({ href, className = 'link', children }: { readonly href: string; readonly className?: string; readonly children: ReactNode }) {
  const beside = useContext(OpensBeside)
  if (href.startsWith('#') || href.startsWith('mailto:'))
    return (
      <a href={href} className={className}>
        {children}
      </a>
    )
  if (!href.startsWith('/'))
    return (
      <a href={href} target="_blank" rel="noopener noreferrer" className={className}>
        {children}
      </a>
    )
  const { pathname, searchParams, hash } = new URL(href, 'https://here.invalid')
  return (
    <Link to={pathname as '/'} search={Object.fromEntries(searchParams)} hash={hash.slice(1)} target={beside ? '_blank' : undefined} className={className}>
      {children}
    </Link>
  )
}
