import { useEffect, useMemo, useState } from 'react'
import type { Lang } from '#platform/shared/texts.ts'
import type { IndexedArticle } from '../../help/blocks.ts'
import { buildHelpIndex, searchHelp, type HelpIndex, type HelpHit } from '../../help/search.ts'
import { fillFacts, useQuotingFacts, type ProseFacts } from '../prose/facts.ts'

/** The search texts of each language, one chunk each: the build answers `?search` with those of the whole folder (help/vite.ts). */
const files = import.meta.glob<readonly IndexedArticle[]>('../../help/content/*/faq.md', { query: '?search', import: 'default' })

const indexes = new Map<string, Promise<HelpIndex>>()

function loadIndex(lang: Lang, facts: ProseFacts): Promise<HelpIndex> {
  // an index built before the figures are loaded has dashes in their place
  const name = `${lang}${Object.keys(facts.figures ?? {}).length}`
  const known = indexes.get(name)
  if (known) return known
  const load = files[`../../help/content/${lang}/faq.md`]
  if (!load) throw new Error(`no articles in ${lang}`)
  const filled = (text: string) => fillFacts(text, facts)
  const made = load().then((articles) =>
    buildHelpIndex(
      articles.map((article) => ({
        ...article,
        sections: article.sections.map(({ id, heading, text }) => ({ id, heading: filled(heading), text: filled(text) })),
      })),
    ),
  )
  made.catch(() => indexes.delete(name))
  indexes.set(name, made)
  return made
}

export type SearchState = 'idle' | 'loading' | 'ready' | 'failed'

export interface HelpSearchResult {
  readonly state: SearchState
  readonly hits: readonly HelpHit[]
  readonly retry: () => void
}

/** Search results. The index is loaded when `wanted` first becomes true: when the user focuses the search field. */
export function useHelpSearch(query: string, wanted: boolean, { lang, most }: { readonly lang: Lang; readonly most: number }): HelpSearchResult {
  const facts = useQuotingFacts()
  const [index, setIndex] = useState<{ lang: Lang; index: HelpIndex }>()
  const [failed, setFailed] = useState(false)
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (!wanted) return
    let live = true
    setFailed(false)
    loadIndex(lang, facts).then(
      (made) => {
        if (live) setIndex({ lang, index: made })
      },
      () => {
        if (live) setFailed(true)
      },
    )
    return () => {
      live = false
    }
  }, [wanted, lang, facts, turn])
  const ready = index?.lang === lang ? index.index : undefined
  const hits = useMemo(() => (ready ? searchHelp(ready, query, most) : []), [ready, query, most])
  return { state: failed ? 'failed' : !wanted ? 'idle' : ready ? 'ready' : 'loading', hits, retry: () => setTurn((old) => old + 1) }
}
