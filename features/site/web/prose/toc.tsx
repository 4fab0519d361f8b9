import { useEffect, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { helpTexts } from '../../help-texts.ts'
import { listHeadings, type ProseBlock } from '../../help/blocks.ts'
import { fillFacts, type ProseFacts } from './facts.ts'

interface TocProps {
  readonly blocks: readonly ProseBlock[]
  readonly facts: ProseFacts
}

/** The article's headings; the current one is marked. Renders nothing for a page with fewer than two. */
export function Toc({ blocks, facts }: TocProps) {
  const t = useTexts(helpTexts)
  const headings = listHeadings(blocks)
  const here = useHeadingInView(headings.map((heading) => heading.id).join(' '))
  if (headings.length < 2) return null
  return (
    <nav aria-label={t('toc')} className="text-14 no-print">
      <p className="mb-2 font-semibold">{t('toc')}</p>
      <ol className="border-l border-line">
        {headings.map(({ id, level, text }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={here === id ? 'location' : undefined}
              className={`-ml-px block border-l-2 border-transparent py-1 text-fg-2 no-underline hover:text-fg aria-[current]:border-brand aria-[current]:text-brand-text mobile:min-h-11 mobile:py-2.5 ${level === 3 ? 'pl-6' : 'pl-3'}`}
            >
              {fillFacts(text, facts)}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** The last heading above a third of the window's height. `ids` is a string, so that the effect runs only when they change. */
function useHeadingInView(ids: string): string | undefined {
  const [here, setHere] = useState<string>()
  useEffect(() => {
    const found = ids
      .split(' ')
      .map((id) => document.getElementById(id))
      .filter((one) => one !== null)
    let frame = 0
    const look = () => {
      frame = 0
      const line = innerHeight / 3
      const above = found.filter((one) => one.getBoundingClientRect().top < line)
      const end = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 4
      setHere(((end ? found : above).at(-1) ?? found[0])?.id)
    }
    const onScroll = () => {
      frame ||= requestAnimationFrame(look)
    }
    look()
    addEventListener('scroll', onScroll, { passive: true })
    return () => {
      removeEventListener('scroll', onScroll)
      cancelAnimationFrame(frame)
    }
  }, [ids])
  return here
}
