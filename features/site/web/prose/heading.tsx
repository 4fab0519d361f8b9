import { Link as LinkIcon } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { helpTexts } from '../../help-texts.ts'

interface HeadingProps {
  readonly level: 2 | 3
  readonly id: string
  readonly text: string
}

/** The mark beside a heading is its address: it changes the address bar, from where it can be copied. */
export function Heading({ level, id, text }: HeadingProps) {
  const t = useTexts(helpTexts)
  const Tag = level === 2 ? 'h2' : 'h3'
  return (
    <Tag id={id} tabIndex={-1} className="group">
      {text}
      <a
        href={`#${id}`}
        aria-label={t('anchor', { heading: text })}
        className="ml-1.5 inline-flex size-6 items-center justify-center rounded-tag align-middle text-fg-3 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 mobile:hidden no-print"
      >
        <LinkIcon size={15} strokeWidth={1.75} aria-hidden="true" />
      </a>
    </Tag>
  )
}
