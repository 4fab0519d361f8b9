import { useMemo } from 'react'
import { useLang } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import type { QuotedFigures, QuotedName } from '../../quoted-figures.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { usePageData } from '#platform/web/page-data.tsx'
import type { siteContract } from '../../contract.ts'
import { chooseBrand } from '#platform/shared/languages.ts'

const loadFigures = (signal?: AbortSignal) => import('../public-api.ts').then(({ sitePublicApi }) => sitePublicApi.siteFigures({}, { signal }))

/** Figures of settings that documents quote. */
const useQuotedFigures = () => usePageData<ReplyOf<(typeof siteContract)['siteFigures']>>('/common/figures', loadFigures)

/** Values of the {{name}} placeholders in articles, samples and the search index. */
export type ProseFacts = Readonly<Record<'origin' | 'host' | 'brand' | 'company' | 'email', string>> & { readonly figures?: QuotedFigures }

function useFacts(): ProseFacts {
  const lang = useLang()
  return useMemo(
    () => ({
      origin: site.origin,
      host: new URL(site.origin).host,
      brand: chooseBrand(lang, site),
      company: site.company,
      email: site.supportEmail,
    }),
    [lang],
  )
}

/** Values including the figures of settings that legal documents and articles quote; dashes until they are loaded. */
export function useQuotingFacts(): ProseFacts {
  const facts = useFacts()
  const { data } = useQuotedFigures()
  return useMemo(() => ({ ...facts, figures: data?.figures ?? {} }), [facts, data])
}

type Name = Exclude<keyof ProseFacts, 'figures'>

export function fillFacts(text: string, facts: ProseFacts): string {
  if (!text.includes('{{')) return text
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => facts[name as Name] ?? (facts.figures ? (facts.figures[name as QuotedName] ?? '–') : whole))
}
