import { useEffect, useRef } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { cardTexts } from '../../texts.ts'
import { mountStripeElement, type StripeElementPart } from './stripe.ts'
import type { ElementsInfo } from './reveal-info.ts'

const PARTS = [
  { part: 'number', text: 'number' },
  { part: 'expiry', text: 'expiry' },
  { part: 'cvc', text: 'cvv' },
] as const

/** Rows with the card's secrets, each a frame drawn by the issuer's script. */
export function IssuerElements({ info, onShown }: { readonly info: ElementsInfo; readonly onShown: () => void }) {
  const t = useTexts(cardTexts)
  return (
    <dl>
      {PARTS.map(({ part, text }) => (
        <PartRow key={part} info={info} part={part} name={t(text)} onShown={onShown} />
      ))}
    </dl>
  )
}

interface PartRowProps {
  readonly info: ElementsInfo
  readonly part: StripeElementPart
  readonly name: string
  readonly onShown: () => void
}

function PartRow({ info, part, name, onShown }: PartRowProps) {
  const field = useRef<HTMLDivElement>(null)
  const copy = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!field.current || !copy.current) return
    const color = getComputedStyle(field.current).color
    return mountStripeElement(info, part, { at: { field: field.current, copy: copy.current }, color, ready: onShown })
  }, [info, part, onShown])
  return (
    <div className="flex h-[38px] items-center gap-3 text-14">
      <dt className="w-[72px] shrink-0 text-13 text-fg-2">{name}</dt>
      <dd className="min-w-0 flex-1" ref={field} />
      <dd className="w-16 shrink-0" ref={copy} />
    </div>
  )
}
